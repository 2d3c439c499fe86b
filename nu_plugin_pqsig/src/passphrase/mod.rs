//! Passphrases: from the environment variable that the user names, or from the terminal, without echo.

mod terminal;

use nu_protocol::{LabeledError, Span, Spanned, Value};
use pqsig::{Error, SecretBytes};
use zeroize::Zeroizing;

use crate::call::Call;
use terminal::Terminal;

/// Where a passphrase comes from. Nothing is asked before it is needed.
pub(crate) struct Passphrase<'a> {
    call: &'a Call,
    variable: Option<Spanned<&'a str>>,
    key: String,
}

impl<'a> Passphrase<'a> {
    /// For `key`, as a person calls it. Reads `--passphrase-env`.
    pub(crate) fn from_call(call: &'a Call, key: &str) -> Result<Self, LabeledError> {
        Ok(Passphrase { call, variable: call.text_flag("passphrase-env")?, key: key.to_owned() })
    }

    /// The passphrase of an existing key.
    pub(crate) fn read(&self) -> Result<SecretBytes, Error> {
        match self.variable {
            Some(variable) => self.look_up(variable.item),
            None => self.ask(&format!("Passphrase for {}: ", self.key), None),
        }
    }

    /// A new passphrase: at the terminal it is asked for twice, for a slip would lock the key away for good.
    pub(crate) fn choose(&self) -> Result<SecretBytes, Error> {
        let prompt = format!("New passphrase for {}: ", self.key);
        match self.variable {
            Some(variable) => self.look_up(variable.item),
            None => self.ask(&prompt, Some("The same passphrase again: ")),
        }
    }

    /// Points at the variable's name when that is at fault, else at the key.
    pub(crate) fn blame(&self, error: &Error, key: Span) -> Span {
        match (error, self.variable) {
            (Error::PassphraseWrong | Error::PassphraseUnavailable { .. }, Some(variable)) => variable.span,
            _ => key,
        }
    }

    fn look_up(&self, name: &str) -> Result<SecretBytes, Error> {
        match self.call.engine().get_env_var(name) {
            Ok(Some(Value::String { val, .. })) => Ok(Zeroizing::new(val.into_bytes())),
            Ok(Some(Value::Binary { val, .. })) => Ok(Zeroizing::new(val.into_owned())),
            Ok(Some(other)) => {
                Err(unavailable(&format!("$env.{name} is {}, not a string", other.get_type())))
            }
            Ok(None) => Err(unavailable(&format!("the environment variable `{name}` is not set"))),
            Err(error) => Err(unavailable(&error.to_string())),
        }
    }

    /// Asks at the terminal, and with `again`, if that is given, for the same.
    fn ask(&self, prompt: &str, again: Option<&str>) -> Result<SecretBytes, Error> {
        let terminal = Terminal::open(self.call.engine())?.ok_or(Error::PassphraseMissing)?;
        let first = terminal.ask(prompt)?;
        match again {
            Some(again) if *terminal.ask(again)? != *first => Err(unavailable("the two entries differ")),
            _ => Ok(first),
        }
    }
}

fn unavailable(reason: &str) -> Error {
    Error::PassphraseUnavailable { reason: reason.to_owned() }
}
