//! What a command of this plugin is.

use nu_protocol::{Example, LabeledError, PipelineData, Signature};

use crate::call::Call;

/// One command. It differs from Nushell's own trait in what `run` is given: a [`Call`], which can tell that the
/// user has pressed Ctrl-C, and which may be moved to another thread. [`crate::guard`] makes the one of the other.
pub(crate) trait Command: Copy + Send + Sync + 'static {
    /// The words that call it, such as `pqsig sign`.
    fn name(&self) -> &'static str;

    /// What it takes. The guard adds nothing.
    fn signature(&self) -> Signature;

    /// One sentence.
    fn description(&self) -> &'static str;

    /// What else a user may need to know.
    fn extra_description(&self) -> &'static str {
        ""
    }

    /// Words that a user may look for.
    fn search_terms(&self) -> Vec<&'static str>;

    /// At least one. Those with a result are run as tests in process, the others in a real Nushell.
    fn examples(&self) -> Vec<Example<'static>>;

    /// Does it.
    fn run(&self, call: &Call, input: PipelineData) -> Result<PipelineData, LabeledError>;
}
