//! `$env.config.plugins.pqsig`: what the user wants by default. Flags win over it.

use nu_protocol::{LabeledError, Span, Value};
use pqsig::Backend;
use pqsig::backend;

use crate::arguments::{text, wrong_type};
use crate::call::Call;
use crate::errors::{self, At as _};

/// The one setting.
const BACKEND: &str = "backend";

/// The default backend and where it is set, if it is.
pub(crate) fn default_backend(call: &Call) -> Result<Option<(Backend, Span)>, LabeledError> {
    let Some(config) = call.engine().get_plugin_config()? else { return Ok(None) };
    let record = match &config {
        Value::Nothing { .. } => return Ok(None),
        Value::Record { val, .. } => val,
        other => return Err(wrong_type(other, "$env.config.plugins.pqsig", "a record")),
    };
    // A misspelt setting that is passed over would look like one that does not work.
    if let Some((name, value)) = record.iter().find(|(name, _)| *name != BACKEND) {
        return Err(errors::misuse(
            "config",
            format!("$env.config.plugins.pqsig has no setting `{name}`"),
            "unknown setting",
            value.span(),
        )
        .with_help(format!("the only setting is `{BACKEND}`")));
    }
    match record.get(BACKEND) {
        None | Some(Value::Nothing { .. }) => Ok(None),
        Some(value) => {
            let name = text(value, "$env.config.plugins.pqsig.backend")?;
            Ok(Some((backend::by_name(name.item).at(name.span)?, name.span)))
        }
    }
}
