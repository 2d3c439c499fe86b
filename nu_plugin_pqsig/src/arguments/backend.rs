//! Which backend serves: the flag's, the configuration's, or the fastest that supports what is asked.

use nu_protocol::{Flag, LabeledError, Span, SyntaxShape};
use pqsig::backend::{self, ranking};
use pqsig::{Algorithm, Backend, Feature};

use super::completions;
use crate::call::Call;
use crate::config;
use crate::errors::At as _;

/// `--backend`
pub(crate) fn flag() -> Flag {
    Flag::new("backend")
        .short('b')
        .arg(SyntaxShape::String)
        .desc(
            "The implementation that works (default: $env.config.plugins.pqsig.backend, or else the fastest); \
             openssl:NAME pins an OpenSSL provider",
        )
        .completion(completions::backends())
}

/// What the user has chosen, and where.
pub(crate) struct Choice {
    chosen: Option<(Backend, Span)>,
    head: Span,
}

impl Choice {
    /// Reads the flag, then the configuration.
    pub(crate) fn from_call(call: &Call) -> Result<Self, LabeledError> {
        let chosen = match call.text_flag("backend")? {
            Some(name) => Some((backend::by_name(name.item).at(name.span)?, name.span)),
            None => config::default_backend(call)?,
        };
        Ok(Choice { chosen, head: call.head() })
    }

    /// The backend for this algorithm. What a chosen one can't do, it says itself when it is asked to.
    pub(crate) fn backend(
        &self,
        algorithm: Algorithm,
        features: &[Feature],
    ) -> Result<Backend, LabeledError> {
        match &self.chosen {
            Some((backend, _)) => Ok(backend.clone()),
            None => ranking::fastest(algorithm, features).at(self.head),
        }
    }

    /// Where to point when the backend is at fault.
    pub(crate) fn span(&self) -> Span {
        self.chosen.as_ref().map_or(self.head, |(_, span)| *span)
    }
}
