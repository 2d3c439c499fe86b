//! `pqsig keygen`

use std::path::{Path, PathBuf};

use nu_protocol::{
    Example, Flag, LabeledError, PipelineData, PipelineMetadata, PositionalArg, Signature, Spanned,
    SyntaxShape, Type, Value, record,
};
use pqsig::backend::Generate;
use pqsig::{Feature, PrivateKey, PrivateKeyForm, encoding};
use zeroize::Zeroizing;

use crate::arguments::{algorithm, backend, completions, key, seed, text};
use crate::call::Call;
use crate::command::Command;
use crate::errors::At as _;
use crate::files::{self, Access, NewFile};
use crate::passphrase::Passphrase;

/// Generates keys.
#[derive(Clone, Copy)]
pub(crate) struct Keygen;

impl Command for Keygen {
    fn name(&self) -> &'static str {
        "pqsig keygen"
    }

    fn signature(&self) -> Signature {
        super::signature(self)
            .param(
                PositionalArg::new("algorithm", SyntaxShape::String)
                    .desc("The algorithm: see `pqsig algorithms`")
                    .completion(completions::algorithms())
                    .required(),
            )
            .param(Flag::new("out").short('o').arg(SyntaxShape::Filepath).desc(
                "Write the private key to this file, mode 0600, and the public key beside it, with .pub",
            ))
            .param(
                Flag::new("seed")
                    .arg(seed::shape())
                    .desc("Generate from this seed, hexadecimal or binary: the same seed gives the same key"),
            )
            .param(
                Flag::new("format")
                    .arg(SyntaxShape::String)
                    .desc(
                        "What the private key's file holds: seed, expanded or both (default: what is usual)",
                    )
                    .completion(completions::forms()),
            )
            .param(
                Flag::new("encrypt")
                    .short('e')
                    .desc("Encrypt the private key with a passphrase, which is asked for at the terminal"),
            )
            .param(
                key::passphrase_flag()
                    .desc("Encrypt with the passphrase that the environment variable of this name holds"),
            )
            .param(backend::flag())
            .param(Flag::new("force").short('f').desc("Overwrite existing files"))
            .input_output_types(vec![(Type::Nothing, Type::record())])
    }

    fn description(&self) -> &'static str {
        "Generate a key pair."
    }

    fn extra_description(&self) -> &'static str {
        "The record holds the keys as PEM (PKCS#8 and SubjectPublicKeyInfo), or with --out the paths of their files; \
         `pqsig sign` and `pqsig verify` take either record as KEY. The fingerprint is SHA-256 over the public key's \
         DER.\n\n\
         --format: ML-DSA keys are written with seed and expanded key, like OpenSSL does, unless told otherwise \
         (RFC 9881). SLH-DSA has the form `expanded` only (RFC 9909), Ed25519 `seed` only (RFC 8410)."
    }

    fn search_terms(&self) -> Vec<&'static str> {
        vec!["generate", "key pair", "genpkey", "pem", "pkcs8", "seed"]
    }

    fn examples(&self) -> Vec<Example<'static>> {
        vec![
            Example {
                description: "Make a key and look at it",
                example: "pqsig keygen ML-DSA-65",
                result: None,
            },
            Example {
                description: "Write a key into key.pem and key.pem.pub",
                example: "pqsig keygen SLH-DSA-SHA2-128s --out key.pem",
                result: None,
            },
            Example {
                description: "Write an encrypted key",
                example: "with-env { PASS: 'correct horse' } { pqsig keygen ML-DSA-87 --out key.pem --passphrase-env PASS }",
                result: None,
            },
            Example {
                description: "The same seed gives the same key",
                example: "(pqsig keygen Ed25519 --seed \
                          9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60).public_key",
                // RFC 8032, section 7.1, test 1, in the structure of RFC 8410, section 4.
                result: Some(Value::test_string(
                    "-----BEGIN PUBLIC KEY-----\n\
                     MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n\
                     -----END PUBLIC KEY-----\n",
                )),
            },
        ]
    }

    fn run(&self, call: &Call, _input: PipelineData) -> Result<PipelineData, LabeledError> {
        let head = call.head();
        let options = Options::from_call(call)?;
        let key = generate(call)?;
        let form = options.form.unwrap_or(Spanned { item: key.forms()[0], span: head });
        let private = options.private_pem(call, &key, form)?;
        let public = encoding::public_key_to_pem(key.public_key());
        // A call that was given up must not leave files behind when it comes to this at last.
        call.check_stop()?;

        let (private, public, paths) = match &options.out {
            None => (private.to_string(), public, false),
            Some(out) => {
                let public_path = beside(&out.item);
                let files = [
                    NewFile { path: out.item.clone(), content: private.as_bytes(), access: Access::Owner },
                    NewFile {
                        path: public_path.clone(),
                        content: public.as_bytes(),
                        access: Access::Everyone,
                    },
                ];
                files::write_all(&files, options.force, out.span)?;
                (out.item.display().to_string(), public_path.display().to_string(), true)
            }
        };
        let result = record! {
            "algorithm" => Value::string(key.algorithm().name(), head),
            "fingerprint" => Value::string(key.public_key().fingerprint().to_string(), head),
            "public_key" => Value::string(public, head),
            "private_key" => Value::string(private, head),
        };
        let columns =
            if paths { vec!["public_key".to_owned(), "private_key".to_owned()] } else { Vec::new() };
        let metadata = PipelineMetadata::default().with_path_columns(columns);
        Ok(PipelineData::value(Value::record(result, head), metadata))
    }
}

/// What to do with the key.
struct Options {
    out: Option<Spanned<PathBuf>>,
    form: Option<Spanned<PrivateKeyForm>>,
    encrypt: bool,
    force: bool,
}

impl Options {
    fn from_call(call: &Call) -> Result<Self, LabeledError> {
        let out = match call.flag("out") {
            None => None,
            Some(value) => {
                let path = text(value, "--out")?;
                Some(Spanned { item: call.resolve(path.item)?, span: path.span })
            }
        };
        let form = match call.text_flag("format")? {
            None => None,
            Some(name) => Some(Spanned { item: name.item.parse().at(name.span)?, span: name.span }),
        };
        let encrypt = call.switch("encrypt")?.is_some() || call.text_flag("passphrase-env")?.is_some();
        let options = Options { out, form, encrypt, force: call.switch("force")?.is_some() };
        // Before the work, and before a passphrase is asked for; it is checked again when the files are written.
        if let Some(out) = options.out.as_ref().filter(|_| !options.force) {
            files::require_absent(&[&out.item, &beside(&out.item)], out.span)?;
        }
        Ok(options)
    }

    fn private_pem(
        &self,
        call: &Call,
        key: &PrivateKey,
        form: Spanned<PrivateKeyForm>,
    ) -> Result<Zeroizing<String>, LabeledError> {
        if !self.encrypt {
            return encoding::private_key_to_pem(key, form.item).at(form.span);
        }
        // A form that can't be written is to be known before the passphrase is asked for.
        encoding::private_key_to_der(key, form.item).at(form.span)?;
        let name = match &self.out {
            Some(out) => out.item.display().to_string(),
            None => "the private key".to_owned(),
        };
        let passphrase = Passphrase::from_call(call, &name)?;
        let span = call.switch("encrypt")?.unwrap_or(call.head());
        let blame = |error: &pqsig::Error| passphrase.blame(error, span);
        let chosen = passphrase.choose().blame(blame)?;
        encoding::private_key_to_encrypted_pem(key, form.item, &chosen).map(Zeroizing::new).blame(blame)
    }
}

fn generate(call: &Call) -> Result<PrivateKey, LabeledError> {
    let name = call.required(0, "ALGORITHM")?;
    let algorithm = algorithm(name)?;
    let seed = call.flag("seed").map(seed::parse).transpose()?;
    let choice = backend::Choice::from_call(call)?;

    let feature = if seed.is_some() { Feature::SeedKeygen } else { Feature::Algorithm };
    let backend = choice.backend(algorithm, &[feature])?;
    let from = seed.as_ref().map_or(Generate::Random, |seed| Generate::FromSeed(&seed.item));
    let blame = |error: &pqsig::Error| match (error, &seed) {
        (pqsig::Error::SeedLength { .. }, Some(seed)) => seed.span,
        (pqsig::Error::Unsupported { .. }, _) => choice.span(),
        _ => name.span(),
    };
    backend.generate(algorithm, from).and_then(|key| key.private_key()).blame(blame)
}

/// The public key's file, beside the private one's.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".pub");
    PathBuf::from(name)
}
