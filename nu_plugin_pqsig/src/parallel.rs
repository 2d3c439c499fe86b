//! A list, worked on by several threads, in order.

use std::num::NonZeroUsize;

use nu_protocol::LabeledError;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::call::Call;
use crate::errors;
use crate::progress::Progress;

/// Applies `work` to each item. The results stand in the items' order. Ctrl-C is looked at between items.
pub(crate) fn map<T: Send, R: Send>(
    call: &Call,
    threads: Option<NonZeroUsize>,
    doing: &'static str,
    items: Vec<T>,
    work: impl Fn(T) -> Result<R, LabeledError> + Sync,
) -> Result<Vec<R>, LabeledError> {
    let progress = Progress::of_items(call, doing, items.len());
    let run = || {
        items
            .into_par_iter()
            .map(|item| {
                call.check_stop()?;
                let result = work(item)?;
                progress.advance(1);
                Ok(result)
            })
            .collect()
    };
    match threads {
        // The pool that all calls share has one thread per core: calls side by side do not multiply it.
        None => run(),
        Some(threads) => rayon::ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .build()
            .map_err(|error| errors::panicked(&format!("no threads: {error}"), call.head()))?
            .install(run),
    }
}
