//! The `openssl` command as an implementation under test: what its adapter does with each request.
//!
//! Each request runs the command anew, with keys, messages and signatures in files: what is tested is what a script that
//! calls the command gets. Keys go to it as they came; it alone decides whether they are keys.
//!
//! Where the command has no way of its own, the adapter builds what the command is given: M' of a pre-hashed message
//! (OpenSSL has no HashML-DSA and no HashSLH-DSA), and the PKCS#8 of an Ed25519 seed.

mod program;
mod run;
mod words;

use std::collections::BTreeMap;
use std::path::Path;

use pqsig::{Algorithm, Context, Family, HashAlgorithm, hazmat};

use self::program::Program;
use self::run::Runner;
use crate::adapter::protocol::{
    Failure, FailureKind, Hello, Key, Pair, Public, Request, Response, Signature, VERSION, Valid,
};
use crate::key::KeyForm;
use crate::message::{Message, Mode, Randomness};
use crate::peer::{Ability, Operation};

/// The variable that names the command.
pub const VARIABLE: &str = "PQSIG_OPENSSL";

/// What the core's backend for OpenSSL calls its code family: the two have one vote.
const LINEAGE: &str = "openssl";

/// An `openssl` command of version 3.5 or newer.
pub struct OpenSslCommand {
    hello: Hello,
    runner: Runner,
}

impl OpenSslCommand {
    /// The given command; else the one that `PQSIG_OPENSSL` names; else the first that will do of the one on the PATH and
    /// the one that `scripts/openssl-cli.sh` built beside this program.
    ///
    /// # Errors
    /// Which commands were tried, and what is wrong with each, in one line.
    pub fn find(given: Option<&Path>) -> Result<Self, String> {
        let program = Program::find(given)?;
        let runner = Runner::new(&program.path)
            .map_err(|error| format!("can't make a folder for temporary files: {error}"))?;
        let names = runner.signature_algorithms()?;
        let has = |name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        let algorithms: BTreeMap<_, _> = Algorithm::all()
            .filter(|algorithm| has(algorithm.name()))
            .map(|algorithm| (algorithm, ability(algorithm, has("ED25519ph"))))
            .collect();
        let hello = Hello {
            protocol: VERSION,
            name: "openssl-command".to_owned(),
            version: program.version,
            lineage: LINEAGE.to_owned(),
            artifacts: program.artifacts,
            algorithms,
        };
        Ok(OpenSslCommand { hello, runner })
    }

    /// Who it is, and what it can do.
    #[must_use]
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Answers every request but hello.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn answer(&self, request: Request) -> Result<Response, Failure> {
        match request {
            Request::Hello { .. } => Ok(Response::Hello(self.hello.clone())),
            Request::Keygen { algorithm, seed } => {
                let private = match (algorithm.family(), &seed) {
                    (Family::Ed25519, Some(seed)) => ed25519_pkcs8(seed)?,
                    _ => self.runner.generate(algorithm, seed.as_deref())?,
                };
                let public = self.runner.public_key(algorithm, &private)?;
                let form = private_forms(algorithm)[0];
                Ok(Response::Pair(Pair { private: Key { form, bytes: private }, public: spki(public) }))
            }
            Request::Public { algorithm, private } => {
                expect_form(&private, private_forms(algorithm))?;
                let public = self.runner.public_key(algorithm, &private.bytes)?;
                Ok(Response::Public(Public { public: spki(public) }))
            }
            Request::Sign { algorithm, private, message, randomness } => {
                expect_form(&private, private_forms(algorithm))?;
                if let Mode::PreHash(hash) = message.mode {
                    admit_strength(algorithm, hash)?;
                }
                let mut input = Input::of(algorithm, &message)?;
                input.options.extend(randomness_option(algorithm, &randomness)?);
                let signature = self
                    .runner
                    .sign(algorithm, &private.bytes, &input)
                    .map_err(|failure| refused_if_no_mu(failure, &message))?;
                Ok(Response::Signature(Signature { signature }))
            }
            Request::Verify { algorithm, public, message, signature } => {
                expect_form(&public, &[KeyForm::Spki])?;
                let input = Input::of(algorithm, &message)?;
                let valid = self.runner.verify(algorithm, &public.bytes, &input, &signature)?;
                Ok(Response::Valid(Valid { valid }))
            }
        }
    }
}

/// The forms of private keys that the command reads, the one that it writes first.
fn private_forms(algorithm: Algorithm) -> &'static [KeyForm] {
    match algorithm.family() {
        Family::MlDsa => &[KeyForm::Pkcs8Both, KeyForm::Pkcs8Seed, KeyForm::Pkcs8Expanded],
        Family::SlhDsa => &[KeyForm::Pkcs8Expanded],
        Family::Ed25519 => &[KeyForm::Pkcs8Seed],
    }
}

/// What every version from 3.5 on can do. The parameters of `pkeyutl` that are used here came with the algorithms
/// (EVP_SIGNATURE-ML-DSA(7), EVP_SIGNATURE-SLH-DSA(7)); Ed25519ph is older (EVP_SIGNATURE-ED25519(7)), but can be left
/// out of a build.
fn ability(algorithm: Algorithm, ed25519ph: bool) -> Ability {
    let mut keys = private_forms(algorithm).to_vec();
    keys.push(KeyForm::Spki);
    let is_ed25519 = algorithm.family() == Family::Ed25519;
    let pre_hash = match algorithm.family() {
        Family::Ed25519 if ed25519ph => vec![HashAlgorithm::Sha512],
        Family::Ed25519 => Vec::new(),
        _ => HashAlgorithm::ALL.to_vec(),
    };
    Ability {
        operations: Operation::ALL.into(),
        keys,
        context: !is_ed25519 || ed25519ph,
        hedged: true,
        deterministic: true,
        fixed_randomness: !is_ed25519,
        seed_keygen: true,
        external_mu: algorithm.family() == Family::MlDsa,
        pre_hash,
        internal: !is_ed25519,
        lineage: None,
        version: None,
    }
}

fn spki(bytes: Vec<u8>) -> Key {
    Key { form: KeyForm::Spki, bytes }
}

fn expect_form(key: &Key, known: &[KeyForm]) -> Result<(), Failure> {
    if known.contains(&key.form) {
        Ok(())
    } else {
        Err(Failure::unsupported(format!("keys as {}", key.form)))
    }
}

/// The PKCS#8 of an Ed25519 private key (RFC 8410 section 7): `genpkey` takes no seed for it.
fn ed25519_pkcs8(seed: &[u8]) -> Result<Vec<u8>, Failure> {
    const START: [u8; 16] =
        [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
    if seed.len() == Algorithm::Ed25519.parameters().seed {
        Ok([&START, seed].concat())
    } else {
        Err(Failure::refused(format!("a seed of {} bytes", seed.len())))
    }
}

/// The strength of the pre-hash binds the signer (FIPS 204 section 5.4.1, FIPS 205 section 10.2.2), which for a message
/// that is pre-hashed here is this program: OpenSSL sees nothing but M'.
fn admit_strength(algorithm: Algorithm, hash: HashAlgorithm) -> Result<(), Failure> {
    if algorithm.family() == Family::Ed25519 || hash.is_allowed_for(algorithm) {
        Ok(())
    } else {
        Err(Failure::refused(format!("{hash} is too weak for {algorithm}")))
    }
}

/// The command's words for a mu of a wrong length are no others than for a failure: before 3.6 it has none at all.
fn refused_if_no_mu(failure: Failure, message: &Message) -> Failure {
    let length = message.data.len();
    if failure.kind == FailureKind::Failed && message.mode == Mode::ExternalMu && length != 64 {
        Failure::refused(format!("mu of {length} bytes: {}", failure.reason))
    } else {
        failure
    }
}

/// What the command is to sign or verify.
struct Input {
    data: Vec<u8>,
    /// `name:value`, for `-pkeyopt` and `-sigopt`.
    options: Vec<String>,
}

impl Input {
    fn of(algorithm: Algorithm, message: &Message) -> Result<Self, Failure> {
        let data = message.data.to_vec();
        let is_ed25519 = algorithm.family() == Family::Ed25519;
        let mut options = Vec::new();
        let encoded_elsewhere = || "message-encoding:0".to_owned();
        match message.mode {
            Mode::Pure if is_ed25519 && !message.context.is_empty() => {
                return Err(Failure::unsupported("a context on pure Ed25519"));
            }
            Mode::PreHash(HashAlgorithm::Sha512) if is_ed25519 => {
                options.push("instance:Ed25519ph".to_owned());
            }
            Mode::Pure => {}
            Mode::PreHash(hash) if !is_ed25519 => {
                let context =
                    Context::new(&message.context).map_err(|error| Failure::refused(error.to_string()))?;
                let data = hazmat::encode_pre_hashed(&hash.digest(&data), context);
                return Ok(Input { data, options: vec![encoded_elsewhere()] });
            }
            // OpenSSL would ignore a context with these two.
            Mode::ExternalMu | Mode::Internal if !message.context.is_empty() => {
                return Err(Failure::refused(format!("{} has no context", message.mode)));
            }
            Mode::ExternalMu if algorithm.family() == Family::MlDsa => options.push("mu:1".to_owned()),
            Mode::Internal if !is_ed25519 => options.push(encoded_elsewhere()),
            mode => return Err(Failure::unsupported(format!("{mode} for {algorithm}"))),
        }
        if !message.context.is_empty() {
            options.push(format!("hexcontext-string:{}", hex::encode(&message.context)));
        }
        Ok(Input { data, options })
    }
}

/// The option for a kind of randomness: hedged is what the command does without one.
fn randomness_option(algorithm: Algorithm, randomness: &Randomness) -> Result<Option<String>, Failure> {
    match (algorithm.family(), randomness) {
        (Family::Ed25519, Randomness::Fixed(_)) => Err(Failure::unsupported("Ed25519 takes no randomness")),
        (Family::Ed25519, _) | (_, Randomness::Hedged) => Ok(None),
        (_, Randomness::Deterministic) => Ok(Some("deterministic:1".to_owned())),
        (_, Randomness::Fixed(bytes)) => Ok(Some(format!("hextest-entropy:{}", hex::encode(bytes)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_become_options() {
        let message = Message::pure(*b"m").with_context(*b"c");
        let input = Input::of(Algorithm::MlDsa44, &message).unwrap();
        assert_eq!((input.data, input.options), (b"m".to_vec(), vec!["hexcontext-string:63".to_owned()]));

        let hashed = message.clone().with_mode(Mode::PreHash(HashAlgorithm::Sha512));
        let input = Input::of(Algorithm::Ed25519, &hashed).unwrap();
        assert_eq!(input.options, ["instance:Ed25519ph", "hexcontext-string:63"]);
        let input = Input::of(Algorithm::SlhDsaSha2_128f, &hashed).unwrap();
        assert_eq!(input.options, ["message-encoding:0"]);
        assert_eq!(input.data[..3], [1, 1, b'c']);

        let kind = |algorithm, message: &Message| Input::of(algorithm, message).err().unwrap().kind;
        assert_eq!(kind(Algorithm::Ed25519, &message), FailureKind::Unsupported);
        let internal = message.clone().with_mode(Mode::Internal);
        assert_eq!(kind(Algorithm::MlDsa44, &internal), FailureKind::Refused);
        let mu = Message::pure([0; 64]).with_mode(Mode::ExternalMu);
        assert_eq!(kind(Algorithm::SlhDsaSha2_128f, &mu), FailureKind::Unsupported);
        assert_eq!(kind(Algorithm::MlDsa44, &hashed.with_context([0; 256])), FailureKind::Refused);
    }

    #[test]
    fn an_ed25519_seed_becomes_pkcs8() {
        let key = pqsig::PrivateKey::from_seed(Algorithm::Ed25519, &[7; 32]).unwrap();
        let expected = pqsig::encoding::private_key_to_der(&key, pqsig::PrivateKeyForm::Seed).unwrap();
        assert_eq!(ed25519_pkcs8(&[7; 32]).unwrap(), *expected);
        assert_eq!(ed25519_pkcs8(&[7; 31]).unwrap_err().kind, FailureKind::Refused);
    }

    #[test]
    fn a_mu_of_another_length_is_no_mu() {
        let kind = |failure: Failure, length: usize, mode| {
            refused_if_no_mu(failure, &Message::pure(vec![0; length]).with_mode(mode)).kind
        };
        assert_eq!(kind(Failure::failed(""), 63, Mode::ExternalMu), FailureKind::Refused);
        assert_eq!(kind(Failure::failed(""), 64, Mode::ExternalMu), FailureKind::Failed);
        assert_eq!(kind(Failure::failed(""), 63, Mode::Pure), FailureKind::Failed);
        assert_eq!(kind(Failure::unsupported(""), 63, Mode::ExternalMu), FailureKind::Unsupported);
    }

    #[test]
    fn a_weak_pre_hash_binds_the_signer() {
        assert!(admit_strength(Algorithm::MlDsa87, HashAlgorithm::Sha512).is_ok());
        assert_eq!(
            admit_strength(Algorithm::MlDsa87, HashAlgorithm::Sha256).unwrap_err().kind,
            FailureKind::Refused
        );
    }
}
