//! Which files of a folder are the logs of which trial.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Error, Finding};

/// The files of one trial.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrialFiles {
    /// pqsig's log, `trial-N.jsonl`.
    pub jsonl: Option<PathBuf>,
    /// What `openssl speed` printed, `trial-N.stdout.txt`.
    pub stdout: Option<PathBuf>,
    /// What it said meanwhile, `trial-N.stderr.txt`.
    pub stderr: Option<PathBuf>,
}

impl TrialFiles {
    /// Those that are there.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        [&self.jsonl, &self.stdout, &self.stderr].into_iter().flatten().map(PathBuf::as_path)
    }
}

/// The trials of a folder by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The files of each trial.
    pub trials: BTreeMap<u32, TrialFiles>,
    /// Names that can't be placed.
    pub findings: Vec<Finding>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Jsonl,
    Stdout,
    Stderr,
}

/// Lists a folder. What is not called `trial-...` is not looked at, nor are logs that an interrupted run left
/// behind and that were set aside (`trial-2.interrupted-1.jsonl`).
///
/// # Errors
/// [`Error::NoFolder`], [`Error::NoTrials`], [`Error::Io`].
pub fn list(folder: &Path) -> Result<Listing, Error> {
    if !folder.is_dir() {
        return Err(Error::NoFolder(folder.to_owned()));
    }
    let io = |source| Error::Io { path: folder.to_owned(), action: "read", source };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        names.push(entry.map_err(io)?.file_name());
    }
    // Folders list their files in any order; findings have to come in the same one everywhere.
    names.sort();
    let mut listing = Listing::default();
    for name in &names {
        if let Some(name) = name.to_str().filter(|name| name.starts_with("trial-")) {
            listing.place(folder, name);
        }
    }
    if listing.trials.is_empty() && listing.findings.is_empty() {
        return Err(Error::NoTrials(folder.to_owned()));
    }
    Ok(listing)
}

impl Listing {
    fn place(&mut self, folder: &Path, name: &str) {
        if name.contains(".interrupted-") {
            return;
        }
        let Some((number, kind)) = parse(name) else {
            let message = "no log has such a name: trial-N.jsonl, trial-N.stdout.txt or trial-N.stderr.txt";
            self.findings.push(Finding::broken("unknown-log", name, message));
            return;
        };
        let files = self.trials.entry(number).or_default();
        let place = match kind {
            Kind::Jsonl => &mut files.jsonl,
            Kind::Stdout => &mut files.stdout,
            Kind::Stderr => &mut files.stderr,
        };
        match place {
            None => *place = Some(folder.join(name)),
            Some(other) => {
                let other = other.file_name().unwrap_or_default().to_string_lossy();
                let message = format!("a second log of trial {number}, beside {other}");
                self.findings.push(Finding::broken("two-trials-with-one-number", name, message));
            }
        }
    }
}

/// `trial-12.stdout.txt` is 12, stdout.
fn parse(name: &str) -> Option<(u32, Kind)> {
    let (digits, kind) = name.strip_prefix("trial-")?.split_once('.')?;
    let kind = match kind {
        "jsonl" => Kind::Jsonl,
        "stdout.txt" => Kind::Stdout,
        "stderr.txt" => Kind::Stderr,
        _ => return None,
    };
    // `parse` alone would take `+1`.
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|number| *number > 0).map(|number| (number, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(names: &[&str]) -> Listing {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            fs::write(folder.path().join(name), "").unwrap();
        }
        list(folder.path()).unwrap()
    }

    #[test]
    fn files_are_gathered_by_trial() {
        let names =
            ["trial-1.jsonl", "trial-10.jsonl", "trial-2.stdout.txt", "trial-2.stderr.txt", "host.json"];
        let listing = listing(&names);
        assert_eq!(listing.findings, []);
        assert_eq!(listing.trials.keys().copied().collect::<Vec<_>>(), [1, 2, 10]);
        let second = &listing.trials[&2];
        assert!(second.jsonl.is_none() && second.stdout.is_some() && second.stderr.is_some());
        assert_eq!(second.paths().count(), 2);
    }

    #[test]
    fn two_logs_with_one_number_are_a_finding() {
        let findings = listing(&["trial-01.jsonl", "trial-1.jsonl"]).findings;
        assert_eq!(findings.len(), 1);
        assert_eq!(
            findings[0].to_string(),
            "trial-1.jsonl: two-trials-with-one-number: a second log of trial 1, beside trial-01.jsonl"
        );
    }

    #[test]
    fn a_name_that_says_nothing_is_a_finding() {
        for name in ["trial-x.jsonl", "trial-0.jsonl", "trial-+1.jsonl", "trial-1.json", "trial-1.jsonl.bak"]
        {
            assert_eq!(listing(&[name]).findings[0].rule, "unknown-log", "{name}");
        }
        assert!(parse("trial-99999999999.jsonl").is_none());
    }

    #[test]
    fn logs_that_were_set_aside_are_passed_by() {
        let listing = listing(&["trial-1.jsonl", "trial-2.interrupted-1.jsonl"]);
        assert_eq!((listing.trials.len(), listing.findings.len()), (1, 0));
    }

    #[test]
    fn a_folder_without_logs_or_none_at_all_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(list(folder.path()), Err(Error::NoTrials(_))));
        assert!(matches!(list(&folder.path().join("none")), Err(Error::NoFolder(_))));
    }
}
