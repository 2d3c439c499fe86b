//! Gathers those who are to be asked: backends of this process, adapters that somebody brings, adapters that come with pqsig.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use pqsig::{Backend, backend};

use crate::adapter::{Adapter, Launch, Timeouts, registry};
use crate::document;
use crate::known::Known;
use crate::peer::{Native, Peer};
use crate::record::Skipped;

/// The list of known deviations in a folder of adapters.
const KNOWN: &str = "known.json";

/// Who is asked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Backends; none: all of this build.
    pub backends: Vec<Backend>,
    /// Adapters that somebody brings.
    pub adapters: Vec<Launch>,
    /// Which of the adapters that come with pqsig.
    pub shipped: Shipped,
    /// A list of known deviations; none: the one that is among the shipped adapters, if these are asked for.
    pub known: Option<PathBuf>,
    /// How long each reply of an adapter may take; none: [`Timeouts::default`].
    pub timeout: Option<Duration>,
}

/// Which of the adapters that come with pqsig are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shipped {
    /// None.
    #[default]
    None,
    /// All, where [`registry::folder`] finds them.
    Found,
    /// All that are in this folder.
    In(PathBuf),
}

impl Shipped {
    /// What `none`, `shipped` or a folder's path stands for.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        match word {
            "none" => Shipped::None,
            "shipped" => Shipped::Found,
            folder => Shipped::In(folder.into()),
        }
    }
}

/// Those who can be asked.
pub struct Gathered {
    /// The peers: backends first, then adapters, each in the order in which they were asked for.
    pub peers: Vec<Arc<dyn Peer>>,
    /// Those who could not be had, with the reason.
    pub skipped: Vec<Skipped>,
    /// The names of those among the skipped that were asked for one by one. That a machine lacks one of the shipped adapters'
    /// programs is no fault; that an adapter does not start which somebody brings, is one.
    pub missing: Vec<String>,
    /// What is known of them.
    pub known: Known,
}

/// Why nobody can be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message is its documentation")]
pub enum Error {
    #[error("two peers go by the name `{name}`")]
    DuplicateName { name: String },

    #[error("can't find the adapters: {reason}")]
    Adapters { reason: String },

    #[error(transparent)]
    Known(#[from] document::Error),

    #[error("can't say which program answers: {reason}")]
    Identity { reason: String },
}

/// The adapter that `NAME=COMMAND` stands for.
///
/// # Errors
/// What is wrong with it, and what it should be.
pub fn parse_adapter(given: &str) -> Result<Launch, String> {
    let (name, command) = given
        .split_once('=')
        .ok_or_else(|| format!("`{given}` has no `=`: give an adapter as NAME=COMMAND"))?;
    Launch::from_command(name, command)
}

/// Gathers the peers. Adapters are started side by side.
///
/// # Errors
/// [`Error`]. A peer that can't be had is no error: it is skipped.
pub fn gather(wanted: &Wanted) -> Result<Gathered, Error> {
    let mut gathered = adapters(wanted)?;
    let adapters = std::mem::take(&mut gathered.peers);
    for backend in backends(wanted, &mut gathered.skipped) {
        let peer = Native::new(backend).map_err(|reason| Error::Identity { reason })?;
        gathered.peers.push(Arc::new(peer));
    }
    gathered.peers.extend(adapters);
    Ok(gathered)
}

/// Gathers the adapters alone.
///
/// # Errors
/// As [`gather`].
pub fn adapters(wanted: &Wanted) -> Result<Gathered, Error> {
    let folder = shipped_folder(&wanted.shipped)?;
    let mut gathered = Gathered {
        peers: Vec::new(),
        skipped: Vec::new(),
        missing: Vec::new(),
        known: known(wanted, folder.as_deref())?,
    };
    let mut launches = wanted.adapters.clone();
    let brought: Vec<String> = launches.iter().map(|launch| launch.name.clone()).collect();
    let found = folder.map(|folder| registry::shipped(&folder)).transpose();
    for entry in found.map_err(|reason| Error::Adapters { reason })?.unwrap_or_default() {
        match entry {
            Ok(launch) => launches.push(launch),
            Err(missing) => gathered.skipped.push(missing),
        }
    }
    // No adapter has the name of a backend: `Launch` refuses it.
    let mut names = BTreeSet::new();
    if let Some(twice) = launches.iter().find(|launch| !names.insert(launch.name.clone())) {
        return Err(Error::DuplicateName { name: twice.name.clone() });
    }
    if let Some(limit) = wanted.timeout {
        for launch in &mut launches {
            launch.timeouts = Timeouts::all(limit);
        }
    }
    for (name, started) in start(launches) {
        match started {
            Ok(adapter) => gathered.peers.push(Arc::new(adapter)),
            Err(why) => {
                gathered.missing.extend(brought.contains(&name).then(|| name.clone()));
                gathered.skipped.push(Skipped { peer: name, why });
            }
        }
    }
    Ok(gathered)
}

/// The backends that are asked for, each once.
fn backends(wanted: &Wanted, skipped: &mut Vec<Skipped>) -> Vec<Backend> {
    let mut names = BTreeSet::new();
    if !wanted.backends.is_empty() {
        return wanted.backends.iter().filter(|backend| names.insert(backend.name())).cloned().collect();
    }
    let mut all = Vec::new();
    for name in backend::NAMES {
        match backend::by_name(name) {
            Ok(backend) => all.push(backend),
            Err(error) => skipped.push(Skipped { peer: name.to_owned(), why: error.to_string() }),
        }
    }
    all
}

fn shipped_folder(shipped: &Shipped) -> Result<Option<PathBuf>, Error> {
    let given: Option<&Path> = match shipped {
        Shipped::None => return Ok(None),
        Shipped::Found => None,
        Shipped::In(folder) => Some(folder),
    };
    registry::folder(given).map(Some).map_err(|reason| Error::Adapters { reason })
}

/// The list that is named; else the one in the folder of the adapters, if there is one.
fn known(wanted: &Wanted, folder: Option<&Path>) -> Result<Known, Error> {
    let shipped = folder.map(|folder| folder.join(KNOWN)).filter(|path| path.is_file());
    let path = wanted.known.clone().or(shipped);
    Ok(path.map(|path| Known::read(&path)).transpose()?.unwrap_or_default())
}

/// Starts adapters, all at once: each may take seconds to load what it needs.
fn start(launches: Vec<Launch>) -> Vec<(String, Result<Adapter, String>)> {
    thread::scope(|scope| {
        let starting: Vec<_> = launches
            .into_iter()
            .map(|launch| (launch.name.clone(), scope.spawn(move || Adapter::start(launch))))
            .collect();
        let joined = |(name, handle): (String, thread::ScopedJoinHandle<'_, _>)| {
            let started = handle.join().unwrap_or_else(|_| Err("starting it failed unexpectedly".to_owned()));
            (name, started)
        };
        starting.into_iter().map(joined).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_wish_all_backends_are_asked() {
        let gathered = gather(&Wanted::default()).unwrap();
        let names: Vec<_> = gathered.peers.iter().map(|peer| peer.name().to_owned()).collect();
        assert_eq!(names, backend::NAMES);
        assert!(gathered.skipped.is_empty() && gathered.missing.is_empty());
    }

    #[test]
    fn a_backend_that_is_named_twice_is_asked_once() {
        let openssl = backend::by_name("openssl").unwrap();
        let wanted = Wanted { backends: vec![openssl.clone(), openssl], ..Wanted::default() };
        assert_eq!(gather(&wanted).unwrap().peers.len(), 1);
    }

    #[test]
    fn what_does_not_start_is_skipped_and_missing_if_it_was_brought() {
        let wanted = Wanted {
            backends: vec![backend::by_name("openssl").unwrap()],
            adapters: vec![parse_adapter("mine=no-such-program-here").unwrap()],
            ..Wanted::default()
        };
        let gathered = gather(&wanted).unwrap();
        assert_eq!((gathered.peers.len(), gathered.missing), (1, vec!["mine".to_owned()]));
        assert!(gathered.skipped[0].why.contains("no-such-program-here"), "{:?}", gathered.skipped);

        let twice = Wanted { adapters: [&wanted.adapters[..], &wanted.adapters].concat(), ..wanted };
        assert!(matches!(gather(&twice), Err(Error::DuplicateName { name }) if name == "mine"));
        let folder = Wanted { shipped: Shipped::In("/no/such/folder".into()), ..Wanted::default() };
        assert!(matches!(gather(&folder), Err(Error::Adapters { .. })));
    }

    #[test]
    fn the_known_deviations_are_the_named_ones_or_those_beside_the_adapters() {
        let folder = tempfile::tempdir().unwrap();
        let list = |name: &str, why: &str| {
            let path = folder.path().join(name);
            let text = format!(
                r#"{{"schema":"{}","deviations":[{{"peer":"a","version":"1","check":"hostile","case":"c","why":"{why}"}}]}}"#,
                crate::known::SCHEMA
            );
            std::fs::write(&path, text).unwrap();
            path
        };
        let (beside, named) = (list(KNOWN, "beside"), list("named.json", "named"));
        let shipped = Shipped::In(folder.path().to_owned());
        let gathered = |wanted: &Wanted| adapters(wanted).map(|gathered| gathered.known);
        let read = |path: &Path| Known::read(path).unwrap();
        let without = Wanted { shipped: shipped.clone(), ..Wanted::default() };
        assert_eq!(gathered(&without).unwrap(), read(&beside));
        let with = Wanted { shipped, known: Some(named.clone()), ..Wanted::default() };
        assert_eq!(gathered(&with).unwrap(), read(&named));
        assert_eq!(gathered(&Wanted::default()).unwrap(), Known::default());
        std::fs::write(&named, "[]").unwrap();
        assert!(matches!(gathered(&with), Err(Error::Known(_))));
    }

    #[test]
    fn words_stand_for_adapters() {
        assert_eq!(Shipped::from_word("none"), Shipped::None);
        assert_eq!(Shipped::from_word("shipped"), Shipped::Found);
        assert_eq!(Shipped::from_word("./none"), Shipped::In("./none".into()));
        assert_eq!(parse_adapter("mine=a=b c").unwrap().name, "mine");
        assert!(parse_adapter("mine").unwrap_err().contains("NAME=COMMAND"));
    }
}
