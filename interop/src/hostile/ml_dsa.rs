//! Malformed hints, and coefficients of z that are too large.

use std::ops::Range;

use super::{Cases, Signed};
use crate::layout::MlDsa;

/// All cases of a signature.
pub(super) fn cases(signed: &Signed<'_>, cases: &mut Cases) {
    let Some(set) = MlDsa::of(signed.algorithm()) else { return };
    hints(signed, set, cases);
    responses(signed, set, cases);
}

/// What FIPS 204 Algorithm 21 (HintBitUnpack) refuses. Repeated and unordered indices and padding leave the
/// hint vector as it was, so that a verifier without the check accepts them (RustCrypto/signatures#1176).
fn hints(signed: &Signed<'_>, set: &MlDsa, cases: &mut Cases) {
    const FULL: &str = "the hint has omega ones";
    const NAMES: [&str; 7] = [
        "hint index repeated",
        "hint indices unordered",
        "hint padding not zero, first byte",
        "hint padding not zero, last byte",
        "hint over weight",
        "hint over weight, count 255",
        "hint counts decreasing",
    ];
    let Some(hint) = Hint::read(set, signed.signature) else {
        for name in NAMES {
            cases.not_made(name, "the signature's own hint has counts that are none");
        }
        return;
    };
    let question = |hint: Hint| signed.with_signature(hint.write(set, signed.signature));
    let has_room = hint.weight() < set.omega;

    let with_one = (0..set.k).find(|polynomial| !hint.ones(*polynomial).is_empty());
    let repeated =
        with_one.filter(|_| has_room).map(|polynomial| question(hint.with_first_repeated(polynomial)));
    cases.rejected_if("hint index repeated", repeated, "the hint is zero, or has omega ones");

    let with_two = (0..set.k).find(|polynomial| hint.ones(*polynomial).len() > 1);
    let unordered = with_two.map(|polynomial| question(hint.with_first_two_swapped(polynomial)));
    cases.rejected_if("hint indices unordered", unordered, "no polynomial of the hint has two ones");

    for (name, position) in [
        ("hint padding not zero, first byte", hint.weight()),
        ("hint padding not zero, last byte", set.omega - 1),
    ] {
        let padded = has_room.then(|| question(hint.with_index(position, 1)));
        cases.rejected_if(name, padded, FULL);
    }

    // What lies behind omega indices are the counts, and behind those nothing: a verifier that goes on reads
    // out of bounds.
    let over = u8::try_from(set.omega + 1).unwrap_or(u8::MAX);
    cases.rejected("hint over weight", question(hint.with_count(set.k - 1, over)));
    cases.rejected("hint over weight, count 255", question(hint.with_count(set.k - 1, u8::MAX)));
    // Where the polynomial has no ones of its own, Algorithm 21 without the check reads the same hint vector.
    let after_ones = |polynomial: &usize| hint.counts[polynomial - 1] > 0;
    let without_ones = (1..set.k).filter(after_ones).find(|polynomial| hint.ones(*polynomial).is_empty());
    let sinking = without_ones.or_else(|| (1..set.k).find(after_ones)).map(|polynomial| {
        let less = hint.counts[polynomial - 1] - 1;
        question(hint.with_count(polynomial, less))
    });
    cases.rejected_if("hint counts decreasing", sinking, "all ones of the hint are in its last polynomial");
}

/// FIPS 204 Algorithm 8 line 13. In these c~ no longer fits either, so they can't tell a verifier without the
/// check; the cases of `boundary.rs` and Wycheproof's (`InfinityNormViolation`) do. The last two are the ends
/// of the encoding.
fn responses(signed: &Signed<'_>, set: &MlDsa, cases: &mut Cases) {
    let gamma1 = set.gamma1.cast_signed();
    let bound = gamma1 - set.beta().cast_signed();
    for (name, value) in [
        ("z at gamma1 - beta", bound),
        ("z at -(gamma1 - beta)", -bound),
        ("z at gamma1", gamma1),
        ("z at -(gamma1 - 1)", 1 - gamma1),
    ] {
        let mut signature = signed.signature.to_vec();
        set.z_packing().set_coefficient(&mut signature[set.z(0)], 0, value);
        cases.rejected(name, signed.with_signature(signature));
    }
}

/// An encoded hint (FIPS 204 Algorithm 20): omega indices, of which polynomial i owns those from count i - 1
/// to count i.
#[derive(Clone)]
struct Hint {
    indices: Vec<u8>,
    counts: Vec<u8>,
}

impl Hint {
    /// A signature's hint, if its counts never sink and stay within omega: all else here relies on it.
    fn read(set: &MlDsa, signature: &[u8]) -> Option<Self> {
        let hint = Hint {
            indices: signature[set.hint_indices()].to_vec(),
            counts: signature[set.hint_counts()].to_vec(),
        };
        (hint.counts.is_sorted() && hint.weight() <= set.omega).then_some(hint)
    }

    fn write(&self, set: &MlDsa, signature: &[u8]) -> Vec<u8> {
        let mut signature = signature.to_vec();
        signature[set.hint_indices()].copy_from_slice(&self.indices);
        signature[set.hint_counts()].copy_from_slice(&self.counts);
        signature
    }

    /// The number of ones.
    fn weight(&self) -> usize {
        self.counts.last().copied().map_or(0, usize::from)
    }

    /// The places in `indices` that belong to a polynomial.
    fn ones(&self, polynomial: usize) -> Range<usize> {
        let start = polynomial.checked_sub(1).map_or(0, |before| usize::from(self.counts[before]));
        start..usize::from(self.counts[polynomial])
    }

    fn with_index(&self, position: usize, index: u8) -> Self {
        let mut hint = self.clone();
        hint.indices[position] = index;
        hint
    }

    fn with_count(&self, polynomial: usize, count: u8) -> Self {
        let mut hint = self.clone();
        hint.counts[polynomial] = count;
        hint
    }

    /// One byte of padding gives way to a copy of the polynomial's first index.
    fn with_first_repeated(&self, polynomial: usize) -> Self {
        let mut hint = self.clone();
        let first = self.ones(polynomial).start;
        hint.indices.insert(first, self.indices[first]);
        hint.indices.pop();
        for count in &mut hint.counts[polynomial..] {
            *count += 1;
        }
        hint
    }

    fn with_first_two_swapped(&self, polynomial: usize) -> Self {
        let mut hint = self.clone();
        let first = self.ones(polynomial).start;
        hint.indices.swap(first, first + 1);
        hint
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use pqsig::Algorithm;

    use super::*;

    /// The polynomial and the index of every one, as a verifier without checks reads them.
    fn decoded(set: &MlDsa, hint: &Hint) -> BTreeSet<(usize, u8)> {
        let ones =
            |polynomial| hint.indices[hint.ones(polynomial)].iter().map(move |index| (polynomial, *index));
        (0..set.k).flat_map(ones).collect()
    }

    #[test]
    fn malformed_hints_are_the_same_hint() {
        let set = MlDsa::of(Algorithm::MlDsa44).unwrap();
        let mut hint = Hint { indices: vec![0; set.omega], counts: vec![0, 3, 3, 4] };
        hint.indices[..4].copy_from_slice(&[5, 9, 200, 7]);
        let repeated = hint.with_first_repeated(1);
        assert_eq!(repeated.indices[..5], [5, 5, 9, 200, 7]);
        assert_eq!(repeated.counts, [0, 4, 4, 5]);
        let swapped = hint.with_first_two_swapped(1);
        assert_eq!(swapped.indices[..4], [9, 5, 200, 7]);
        for other in [repeated, swapped, hint.with_index(4, 1)] {
            assert_eq!(decoded(set, &other), decoded(set, &hint));
            assert_eq!(other.indices.len(), set.omega);
        }
    }

    #[test]
    fn counts_that_are_none_are_not_built_upon() {
        let set = MlDsa::of(Algorithm::MlDsa44).unwrap();
        let mut signature = vec![0; 2420];
        assert!(Hint::read(set, &signature).is_some());
        signature[2419] = 81;
        assert!(Hint::read(set, &signature).is_none());
        signature[2419] = 1;
        signature[2418] = 2;
        assert!(Hint::read(set, &signature).is_none());
    }
}
