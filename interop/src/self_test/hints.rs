//! ML-DSA's hint as a lax verifier reads it: what FIPS 204 Algorithm 21 refuses, it puts in order.

use crate::layout::MlDsa;

/// The hint's positions, one list per polynomial, as they stand; `None` if the counts are out of range.
fn read(set: &MlDsa, hint: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (indices, counts) = hint.split_at_checked(set.omega)?;
    let mut begin = 0;
    let mut polynomials = Vec::with_capacity(set.k);
    for count in counts {
        let end = usize::from(*count);
        polynomials.push(indices.get(begin..end)?.to_vec());
        begin = end;
    }
    Some(polynomials)
}

fn write(set: &MlDsa, polynomials: &[Vec<u8>], padding: &[u8]) -> Vec<u8> {
    let mut indices = polynomials.concat();
    let counts = polynomials.iter().scan(0, |end, polynomial| {
        *end += polynomial.len();
        Some(u8::try_from(*end).unwrap_or(u8::MAX))
    });
    let counts: Vec<u8> = counts.collect();
    // What follows the indices stays, as far as there is room, so that only the one thing is put in order.
    let kept = set.omega.saturating_sub(indices.len()).min(padding.len());
    indices.extend(&padding[padding.len() - kept..]);
    indices.resize(set.omega, 0);
    [indices, counts].concat()
}

/// The signature with its hint put in order.
fn mend(set: &MlDsa, signature: &[u8], mend: impl Fn(&mut Vec<u8>), keep_padding: bool) -> Option<Vec<u8>> {
    let start = signature.len().checked_sub(set.omega + set.k)?;
    let (front, hint) = signature.split_at(start);
    let mut polynomials = read(set, hint)?;
    let used: usize = polynomials.iter().map(Vec::len).sum();
    polynomials.iter_mut().for_each(mend);
    let padding = if keep_padding { &hint[used..set.omega] } else { &[] };
    Some([front, &write(set, &polynomials, padding)].concat())
}

/// Without repetitions.
pub(super) fn without_repetitions(set: &MlDsa, signature: &[u8]) -> Option<Vec<u8>> {
    mend(set, signature, Vec::dedup, true)
}

/// In order.
pub(super) fn in_order(set: &MlDsa, signature: &[u8]) -> Option<Vec<u8>> {
    mend(set, signature, |polynomial| polynomial.sort_unstable(), true)
}

/// With zeros behind the last index.
pub(super) fn without_padding(set: &MlDsa, signature: &[u8]) -> Option<Vec<u8>> {
    mend(set, signature, |_| {}, false)
}
