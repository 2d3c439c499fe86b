//! Who there is to ask: the backends and the shipped adapters.

use std::path::Path;

use super::{Misuse, Outcome, print};
use crate::gather::{self, Gathered, Shipped, Wanted};
use crate::peer::Identity;
use crate::report::table;
use crate::report::terminal::Style;

/// The backends of this program.
pub(super) fn backends() -> Result<Outcome, Misuse> {
    list(&gather::gather(&Wanted::default())?)
}

/// The adapters that come with pqsig. Each is started, which is the only way to know that it can be.
pub(super) fn adapters(folder: Option<&Path>) -> Result<Outcome, Misuse> {
    let shipped = folder.map_or(Shipped::Found, |folder| Shipped::In(folder.to_owned()));
    list(&gather::adapters(&Wanted { shipped, ..Wanted::default() })?)
}

fn list(gathered: &Gathered) -> Result<Outcome, Misuse> {
    let identities: Vec<&Identity> = gathered.peers.iter().map(|peer| peer.identity()).collect();
    print(&table::who(&identities, &gathered.skipped, Style::of_stdout()))?;
    Ok(Outcome::Clean)
}
