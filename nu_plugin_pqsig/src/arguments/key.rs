//! KEY: a path, a PEM string, DER bytes, or a record of `pqsig keygen`.

use std::path::PathBuf;

use nu_protocol::{Flag, LabeledError, Record, Span, Spanned, SyntaxShape, Value};
use pqsig::encoding::{self, Decoded};
use pqsig::{Error, PrivateKey, PublicKey, SecretBytes};

use super::wrong_type;
use crate::call::Call;
use crate::errors::{self, At as _};
use crate::files;
use crate::passphrase::Passphrase;

/// The forms, for errors.
const TAKES: &str = "a path, a PEM string, DER bytes, or a record of `pqsig keygen`";

/// No key is larger: a private key of any algorithm, in PEM, has less than 16 KiB, and a certificate has room to
/// spare.
const MAX: u64 = 1 << 20;

/// A path, a PEM string, DER bytes or a record, the order in which Nushell's parser should try them.
pub(crate) fn shape() -> SyntaxShape {
    SyntaxShape::OneOf(vec![
        SyntaxShape::Binary,
        SyntaxShape::Record(Vec::new().into()),
        SyntaxShape::Filepath,
        SyntaxShape::String,
    ])
}

/// `--passphrase-env`, where a command reads keys.
pub(crate) fn passphrase_flag() -> Flag {
    Flag::new("passphrase-env")
        .arg(SyntaxShape::String)
        .desc("Name of the environment variable that holds the passphrase (default: ask at the terminal)")
}

/// What a command needs of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Nothing but a private key will do.
    Private,
    /// A public key, or the public half of a private one.
    Public,
    /// Whatever says most: the private one.
    Any,
}

/// The private key of the argument at `position`.
pub(crate) fn private(call: &Call, position: usize) -> Result<Spanned<PrivateKey>, LabeledError> {
    let value = call.required(position, "KEY")?;
    let span = value.span();
    let item = decode(call, value, Wanted::Private)?.into_private().at(span)?;
    Ok(Spanned { item, span })
}

/// The public key of the argument at `position`, which may be a private key or a certificate.
pub(crate) fn public(call: &Call, position: usize) -> Result<Spanned<PublicKey>, LabeledError> {
    let value = call.required(position, "KEY")?;
    let item = decode(call, value, Wanted::Public)?.into_public();
    Ok(Spanned { item, span: value.span() })
}

fn decode(call: &Call, value: &Value, wanted: Wanted) -> Result<Decoded, LabeledError> {
    let key = load(call, value, wanted)?;
    let passphrase = Passphrase::from_call(call, &key.name())?;
    let decoded = encoding::decode(key.bytes(), &mut || passphrase.read());
    decoded.blame(|error| passphrase.blame(error, value.span()))
}

/// What KEY stands for, before it is decoded: for `pqsig inspect`.
pub(crate) fn undecoded<'a>(call: &Call, value: &'a Value) -> Result<Loaded<'a>, LabeledError> {
    load(call, value, Wanted::Any)
}

/// A key's bytes, and where they come from.
pub(crate) enum Loaded<'a> {
    /// In the argument itself.
    Given(&'a [u8]),
    /// From a file. They may be secret, so they are wiped.
    File(PathBuf, SecretBytes),
}

impl Loaded<'_> {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Loaded::Given(bytes) => bytes,
            Loaded::File(_, bytes) => bytes,
        }
    }

    /// What a person calls it.
    pub(crate) fn name(&self) -> String {
        match self {
            Loaded::Given(_) => "the private key".to_owned(),
            Loaded::File(path, _) => path.display().to_string(),
        }
    }
}

fn load<'a>(call: &Call, value: &'a Value, wanted: Wanted) -> Result<Loaded<'a>, LabeledError> {
    let span = value.span();
    let form = match classify(value)? {
        Form::Record(record) => classify(column(record, wanted, span)?)?,
        other => other,
    };
    match form {
        Form::Bytes(bytes) => Ok(Loaded::Given(bytes)),
        Form::Path(path) => {
            let path = call.resolve(path)?;
            let bytes = files::read(&path, MAX, span).map_err(|error| {
                error.with_help(format!("KEY is {TAKES}; a PEM string starts with -----BEGIN"))
            })?;
            Ok(Loaded::File(path, bytes))
        }
        Form::Record(_) => Err(wrong_type(value, "the key in a record", "a PEM string, DER bytes or a path")),
    }
}

/// What a value can be as a key, told from its type and first characters alone.
#[derive(Debug, PartialEq)]
enum Form<'a> {
    /// PEM or DER: the decoder tells which.
    Bytes(&'a [u8]),
    Path(&'a str),
    Record(&'a Record),
}

fn classify(value: &Value) -> Result<Form<'_>, LabeledError> {
    match value {
        Value::Binary { val, .. } => Ok(Form::Bytes(val)),
        Value::String { val, .. } | Value::Glob { val, .. } if is_pem(val) => Ok(Form::Bytes(val.as_bytes())),
        Value::String { val, .. } | Value::Glob { val, .. } if val.trim().is_empty() => {
            Err(errors::misuse("key", "KEY is an empty string", "empty", value.span())
                .with_help(format!("give {TAKES}")))
        }
        Value::String { val, .. } | Value::Glob { val, .. } => Ok(Form::Path(val)),
        Value::Record { val, .. } => Ok(Form::Record(val)),
        other => Err(wrong_type(other, "KEY", TAKES)),
    }
}

/// A line that starts with the BEGIN of RFC 7468, which may have a text before it.
fn is_pem(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("-----BEGIN"))
}

/// The column of a `pqsig keygen` record to use.
fn column(record: &Record, wanted: Wanted, span: Span) -> Result<&Value, LabeledError> {
    const PRIVATE: &str = "private_key";
    const PUBLIC: &str = "public_key";
    let column = |name| record.get(name).filter(|value| !value.is_nothing());
    let found = match wanted {
        Wanted::Private if column(PRIVATE).is_none() && column(PUBLIC).is_some() => {
            let error = Error::WrongKind { wanted: "private key", found: "record without one" };
            return Err(errors::core(&error, span));
        }
        Wanted::Private => column(PRIVATE),
        Wanted::Public => column(PUBLIC).or_else(|| column(PRIVATE)),
        Wanted::Any => column(PRIVATE).or_else(|| column(PUBLIC)),
    };
    found.ok_or_else(|| {
        errors::misuse("key", "this record holds no key", "no key in it", span)
            .with_help(format!("a record of `pqsig keygen` has the columns {PRIVATE} and {PUBLIC}"))
    })
}

#[cfg(test)]
mod tests {
    use nu_protocol::record;
    use proptest::prelude::*;

    use super::*;

    fn string(text: &str) -> Value {
        Value::test_string(text)
    }

    #[test]
    fn text_is_pem_or_a_path() {
        let pem = "-----BEGIN PRIVATE KEY-----\n";
        for text in [pem, &format!("\n  {pem}"), &format!("Bag Attributes: none\n{pem}")] {
            assert_eq!(classify(&string(text)).unwrap(), Form::Bytes(text.as_bytes()), "{text:?}");
        }
        for path in ["key.pem", "./-----BEGIN", "~/keys/a b.pem", "-----begin"] {
            assert_eq!(classify(&string(path)).unwrap(), Form::Path(path));
        }
        assert!(classify(&string("")).is_err());
        assert!(classify(&string(" \n")).is_err());
        assert!(classify(&Value::test_int(1)).is_err());
        assert!(classify(&Value::test_list(vec![])).is_err());
    }

    #[test]
    fn a_record_gives_the_column_that_is_wanted() {
        let span = Span::test_data();
        let both = record! { "private_key" => string("s"), "public_key" => string("p") };
        assert_eq!(column(&both, Wanted::Private, span).unwrap(), &string("s"));
        assert_eq!(column(&both, Wanted::Public, span).unwrap(), &string("p"));
        assert_eq!(column(&both, Wanted::Any, span).unwrap(), &string("s"));

        let private = record! { "private_key" => string("s"), "public_key" => Value::test_nothing() };
        assert_eq!(column(&private, Wanted::Public, span).unwrap(), &string("s"));

        let public = record! { "public_key" => string("p") };
        let error = column(&public, Wanted::Private, span).unwrap_err();
        assert_eq!(error.code.as_deref(), Some("pqsig::wrong_kind"));
        assert!(column(&record! {}, Wanted::Any, span).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_classified(text in any::<String>()) {
            let _ = classify(&string(&text));
        }

        #[test]
        fn binary_is_never_a_path(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let value = Value::test_binary(bytes.clone());
            prop_assert_eq!(classify(&value).unwrap(), Form::Bytes(&bytes));
        }
    }
}
