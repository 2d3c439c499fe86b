//! Bytes without structure: what they can be by their length, and by what their content would have to be.

use std::fmt;

use super::{Kind, signature};
use crate::{Algorithm, Error, Family, PrivateKey, PublicKey};

/// A part that bytes could play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A signature.
    Signature,
    /// The standard's public key.
    PublicKey,
    /// The standard's private key: expanded for ML-DSA, 4n bytes for SLH-DSA.
    PrivateKey,
    /// The seed that key generation starts from.
    Seed,
}

impl Role {
    const ALL: [Role; 4] = [Role::Signature, Role::PublicKey, Role::PrivateKey, Role::Seed];

    /// `signature`, `public key`, `private key` or `seed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Role::Signature => "signature",
            Role::PublicKey => "public key",
            Role::PrivateKey => "private key",
            Role::Seed => "seed",
        }
    }

    /// The length in bytes; `None` where the algorithm has no such thing apart from the private key.
    fn length(self, algorithm: Algorithm) -> Option<usize> {
        let parameters = algorithm.parameters();
        match self {
            Role::Signature => Some(parameters.signature),
            Role::PublicKey => Some(parameters.public_key),
            Role::PrivateKey => Some(parameters.private_key),
            Role::Seed if algorithm.family() == Family::Ed25519 => None,
            Role::Seed => Some(parameters.seed),
        }
    }

    fn fit(self, algorithm: Algorithm, bytes: &[u8]) -> Fit {
        match self {
            Role::Signature => match signature::check(algorithm, bytes) {
                Ok(Some(words)) => Fit::WellFormed(words),
                Ok(None) => Fit::AnyBytes,
                Err(reason) => Fit::Impossible(reason),
            },
            Role::PublicKey if algorithm == Algorithm::Ed25519 => {
                checked(PublicKey::new(algorithm, bytes), "it is a point of the curve")
            }
            Role::PrivateKey => match algorithm.family() {
                Family::MlDsa => checked(PrivateKey::from_expanded(algorithm, bytes), "t0 and tr recomputed"),
                Family::SlhDsa => checked(PrivateKey::from_expanded(algorithm, bytes), "PK.root recomputed"),
                Family::Ed25519 => Fit::AnyBytes,
            },
            Role::PublicKey | Role::Seed => Fit::AnyBytes,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

fn checked<T>(result: Result<T, Error>, words: &'static str) -> Fit {
    match result {
        Ok(_) => Fit::WellFormed(words),
        Err(Error::KeyInconsistent { reason, .. } | Error::PublicKeyInvalid { reason, .. }) => {
            Fit::Impossible(reason)
        }
        Err(error) => Fit::Impossible(error.to_string()),
    }
}

/// How well bytes fit a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fit {
    /// They have a structure that hardly any other bytes have. The words say which.
    WellFormed(&'static str),
    /// Any bytes of this length are one.
    AnyBytes,
    /// They have the length only. The words say why they can't be one.
    Impossible(String),
}

impl Fit {
    fn rank(&self) -> u8 {
        match self {
            Fit::WellFormed(_) => 0,
            Fit::AnyBytes => 1,
            Fit::Impossible(_) => 2,
        }
    }

    fn is_possible(&self) -> bool {
        !matches!(self, Fit::Impossible(_))
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fit::WellFormed(words) => write!(f, "well formed: {words}"),
            Fit::AnyBytes => f.write_str("possible: any bytes of this length can be one"),
            Fit::Impossible(reason) => write!(f, "impossible: {reason}"),
        }
    }
}

/// Something that bytes have the length of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What it would be.
    pub role: Role,
    /// The algorithms that this is true of.
    pub algorithms: Vec<Algorithm>,
    /// Whether the content allows it.
    pub fit: Fit,
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}, {}", self.role, names(&self.algorithms), self.fit)
    }
}

/// All that has the bytes' length, the likely first.
pub(super) fn candidates(bytes: &[u8]) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for (role, algorithm) in lengths().filter(|entry| entry.2 == bytes.len()).map(|entry| (entry.0, entry.1))
    {
        let fit = role.fit(algorithm, bytes);
        match candidates.iter_mut().find(|known| known.role == role && known.fit == fit) {
            Some(known) => known.algorithms.push(algorithm),
            None => candidates.push(Candidate { role, algorithms: vec![algorithm], fit }),
        }
    }
    candidates.sort_by_key(|candidate| candidate.fit.rank());
    candidates
}

/// The kind of the bytes, and their algorithm, where no possible candidate says otherwise.
pub(super) fn verdict(candidates: &[Candidate]) -> (Kind, Option<Algorithm>) {
    let mut possible = candidates.iter().filter(|candidate| candidate.fit.is_possible());
    let Some(first) = possible.next() else { return (Kind::RawBytes, None) };
    let only = possible.next().is_none();
    let kind = if only && first.role == Role::Signature { Kind::Signature } else { Kind::RawBytes };
    let algorithm = match first.algorithms[..] {
        [algorithm] if only => Some(algorithm),
        _ => None,
    };
    (kind, algorithm)
}

/// Why the bytes are nothing of ours; `None` if they can be something.
pub(super) fn problem(length: usize, candidates: &[Candidate]) -> Option<String> {
    if candidates.iter().any(|candidate| candidate.fit.is_possible()) {
        return None;
    }
    if let Some(first) = candidates.first() {
        return Some(format!("it has the length of a {first}"));
    }
    let near: Vec<_> = nearest(length)
        .iter()
        .map(|(role, algorithm, known)| format!("a {role} of {algorithm} has {known}"))
        .collect();
    let mut problem = format!("no signature, key or seed has {length} bytes");
    if !near.is_empty() {
        problem = format!("{problem}: {}", near.join(", "));
    }
    Some(problem)
}

/// What is a few bytes longer or shorter: bytes that were cut, or that an editor added a line end to.
fn nearest(length: usize) -> Vec<(Role, Algorithm, usize)> {
    const NEAR: usize = 16;
    let mut near: Vec<_> = lengths().filter(|entry| entry.2.abs_diff(length) <= NEAR).collect();
    near.sort_by_key(|entry| entry.2.abs_diff(length));
    near.truncate(3);
    near
}

fn lengths() -> impl Iterator<Item = (Role, Algorithm, usize)> {
    Role::ALL.into_iter().flat_map(|role| {
        Algorithm::all().filter_map(move |algorithm| Some((role, algorithm, role.length(algorithm)?)))
    })
}

fn names(algorithms: &[Algorithm]) -> String {
    let names: Vec<_> = algorithms.iter().map(|algorithm| algorithm.name()).collect();
    names.join(", ")
}
