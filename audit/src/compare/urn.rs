//! What the bootstrap draws from, and with which random numbers.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

use super::series::{Block, Series, TrialFigure};
use crate::sample::{Key, float};

/// The most slices of one trial that are drawn from. Where there are more, neighbours are merged: they are
/// not independent of one another, and nothing is gained by more.
const MAX_BLOCKS: usize = 64;

/// The most slices of one series: a bound on the work, whatever a log holds. Many trials need no slices, because
/// their means show all that there is.
const MAX_BLOCKS_IN_ALL: usize = 1024;

/// The trials of a series with their slices.
pub(super) struct Urn(Vec<Trial>);

struct Trial {
    ms_per_op: f64,
    /// At least two, or none.
    blocks: Vec<Block>,
}

impl Urn {
    pub(super) fn of(series: &Series) -> Self {
        let most = (MAX_BLOCKS_IN_ALL / series.trials.len().max(1)).clamp(1, MAX_BLOCKS);
        Urn(series.trials.iter().map(|figure| Trial::of(figure, most)).collect())
    }

    /// How many independent units there are: trials, or the slices of the only one.
    pub(super) fn units(&self) -> usize {
        match self.0.as_slice() {
            [only] => only.blocks.len().max(1),
            trials => trials.len(),
        }
    }

    /// The mean time of one operation, in ms, of as many trials as there are, each drawn from all of them.
    pub(super) fn draw(&self, random: &mut ChaCha8Rng) -> f64 {
        let count = self.0.len();
        let drawn: f64 = (0..count).filter_map(|_| Some(pick(&self.0, random)?.draw(random))).sum();
        drawn / float(count as u64)
    }
}

impl Trial {
    fn of(figure: &TrialFigure, most: usize) -> Self {
        let blocks = merged(&figure.blocks, most);
        Trial { ms_per_op: figure.ms_per_op, blocks: if blocks.len() > 1 { blocks } else { Vec::new() } }
    }

    fn draw(&self, random: &mut ChaCha8Rng) -> f64 {
        let count = self.blocks.len();
        let drawn = (0..count).filter_map(|_| pick(&self.blocks, random).copied());
        let sum = drawn.reduce(joined);
        match sum {
            Some(sum) if sum.operations > 0 && sum.elapsed_ns > 0 => {
                float(sum.elapsed_ns) / float(sum.operations) / 1e6
            }
            _ => self.ms_per_op,
        }
    }
}

/// At most so many blocks, by merging equally many neighbours.
fn merged(blocks: &[Block], most: usize) -> Vec<Block> {
    let width = blocks.len().div_ceil(most.max(1)).max(1);
    blocks.chunks(width).filter_map(|chunk| chunk.iter().copied().reduce(joined)).collect()
}

fn joined(one: Block, other: Block) -> Block {
    Block {
        operations: one.operations.saturating_add(other.operations),
        elapsed_ns: one.elapsed_ns.saturating_add(other.elapsed_ns),
    }
}

/// One of them, each as likely as any other; `None` if there is none.
fn pick<'a, T>(items: &'a [T], random: &mut ChaCha8Rng) -> Option<&'a T> {
    // The upper half of the product: off from equal chances by less than one in a million for a few thousand
    // items, and the same on every platform.
    let index = (u64::from(random.next_u32()) * items.len() as u64) >> 32;
    items.get(usize::try_from(index).ok()?)
}

/// Random numbers that depend on the key and the stream's number only.
pub(super) fn random(key: &Key, stream: u64) -> ChaCha8Rng {
    let mut seed = [0; 32];
    for (half, byte) in seed.chunks_exact_mut(8).zip(0u8..) {
        half.copy_from_slice(&hash(key, byte).to_le_bytes());
    }
    let mut random = ChaCha8Rng::from_seed(seed);
    random.set_stream(stream);
    random
}

/// FNV-1a with 64 bits, because the standard library's hash may change with any release.
fn hash(key: &Key, salt: u8) -> u64 {
    let words = [key.source.name(), &key.algorithm, &key.backend, &key.operation];
    // A byte that no UTF-8 text has keeps `a`, `bc` apart from `ab`, `c`.
    let bytes = words.into_iter().flat_map(|word| word.bytes().chain([0xff]));
    [salt].into_iter().chain(bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Source;

    fn key(algorithm: &str, backend: &str) -> Key {
        Key {
            source: Source::PqsigSpeed,
            algorithm: algorithm.to_owned(),
            backend: backend.to_owned(),
            operation: "sign".to_owned(),
        }
    }

    fn block(operations: u64, elapsed_ns: u64) -> Block {
        Block { operations, elapsed_ns }
    }

    fn urn(trials: &[(f64, &[Block])]) -> Urn {
        let figures = trials.iter().zip(1..).map(|((ms_per_op, blocks), trial)| TrialFigure {
            trial,
            ms_per_op: *ms_per_op,
            blocks: blocks.to_vec(),
            rounding_pct: 0.0,
        });
        Urn::of(&Series { key: key("A", "b"), trials: figures.collect() })
    }

    /// Another random generator or hash would change every interval. Worked out by other programs, from the
    /// definitions of FNV-1a and ChaCha.
    #[test]
    fn the_random_numbers_of_a_key_never_change() {
        assert_eq!(hash(&key("ML-DSA-65", "aws-lc"), 0), 0x7633_0a09_3004_d237);
        assert_eq!(random(&key("ML-DSA-65", "aws-lc"), 0).next_u64(), 0x6fc7_e161_e2aa_a7e7);
        assert_eq!(random(&key("ML-DSA-65", "aws-lc"), 1).next_u64(), 0x2917_3777_dc03_c8aa);
        assert_ne!(hash(&key("ab", "c"), 0), hash(&key("a", "bc"), 0));
    }

    #[test]
    fn what_is_drawn_is_one_of_the_means_that_can_be() {
        let urn = urn(&[(1.0, &[]), (2.0, &[]), (4.0, &[])]);
        assert_eq!(urn.units(), 3);
        let mut random = random(&key("A", "b"), 0);
        let drawn: Vec<f64> = (0..3000).map(|_| 3.0 * urn.draw(&mut random)).collect();
        let near = |value: f64| drawn.iter().filter(|thrice| (**thrice - value).abs() < 1e-9).count();
        let sums = [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0];
        assert_eq!(sums.map(near).iter().sum::<usize>(), 3000);
        // 3 = 1 + 1 + 1 is one of 27 draws, 7 = 1 + 2 + 4 is six of them.
        assert!((60..170).contains(&near(3.0)) && (550..780).contains(&near(7.0)), "{:?}", sums.map(near));
    }

    #[test]
    fn slices_are_drawn_within_their_trial() {
        // The first trial's slices take 1 or 3 ms per operation, the second's 10.
        let slices = [block(1, 1_000_000), block(1, 3_000_000)];
        let urn = urn(&[(2.0, &slices), (10.0, &[block(5, 50_000_000), block(5, 50_000_000)])]);
        let mut random = random(&key("A", "b"), 0);
        let drawn: Vec<f64> = (0..500).map(|_| urn.draw(&mut random)).collect();
        let possible = [1.0, 1.5, 2.0, 2.5, 3.0, 5.5, 6.0, 6.5, 10.0];
        assert!(drawn.iter().all(|value| possible.contains(value)), "{drawn:?}");
        assert!(possible.iter().all(|value| drawn.contains(value)), "{drawn:?}");
    }

    #[test]
    fn the_slices_of_an_only_trial_are_the_units() {
        let blocks = [block(1, 1_000_000), block(1, 3_000_000), block(1, 2_000_000)];
        assert_eq!(urn(&[(2.0, &blocks)]).units(), 3);
        assert_eq!(urn(&[(2.0, &blocks[..1])]).units(), 1);
        let average = urn(&[(2.0, &[])]).draw(&mut random(&key("A", "b"), 0));
        assert!((average - 2.0).abs() < 1e-12, "{average}");
    }

    #[test]
    fn neighbours_are_merged_without_losing_any() {
        let blocks: Vec<Block> = (1..=10).map(|i| block(i, 2 * i)).collect();
        assert_eq!(merged(&blocks, 64), blocks);
        assert_eq!(merged(&blocks, 3), [block(10, 20), block(26, 52), block(19, 38)]);
        assert_eq!(merged(&blocks, 1), [block(55, 110)]);
        assert_eq!(merged(&[], 5), []);
        assert_eq!(merged(&[block(u64::MAX, 1), block(1, u64::MAX)], 1), [block(u64::MAX, u64::MAX)]);
    }
}
