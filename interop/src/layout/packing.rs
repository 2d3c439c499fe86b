//! The packed coefficients of one polynomial of ML-DSA.

/// How the 256 coefficients of a polynomial are packed: in `bits` bits each, low bits first (FIPS 204
/// Algorithms 16 and 17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    /// Bits per coefficient.
    pub bits: usize,
    /// BitPack writes b - w in place of the coefficient w: this b. SimpleBitPack writes w itself: `None`.
    pub from: Option<i32>,
}

/// Coefficients of a polynomial (FIPS 204 table 1: n = 256).
pub(super) const COEFFICIENTS: usize = 256;

impl Packing {
    pub(super) fn simple(bits: usize) -> Self {
        Packing { bits, from: None }
    }

    pub(super) fn from(bits: usize, from: u32) -> Self {
        Packing { bits, from: Some(from.cast_signed()) }
    }

    /// The length of a polynomial in bytes.
    #[must_use]
    pub fn length(self) -> usize {
        COEFFICIENTS * self.bits / 8
    }

    /// The index of the coefficient that a bit belongs to, counted from the polynomial's first byte and from
    /// the lowest bit of each byte.
    #[must_use]
    pub fn coefficient_of_bit(self, bit: usize) -> usize {
        bit / self.bits
    }

    /// A coefficient, which may lie outside of the range that the standard allows.
    ///
    /// # Panics
    /// When the packed bytes are fewer than [`Packing::length`], or the index is 256 or more.
    #[must_use]
    pub fn coefficient(self, packed: &[u8], index: usize) -> i32 {
        let raw = self
            .places(index)
            .rev()
            .fold(0, |raw, bit| raw << 1 | i32::from(packed[bit / 8] >> (bit % 8) & 1));
        self.from.map_or(raw, |from| from - raw)
    }

    /// Writes a coefficient: the low `bits` bits of what stands for it.
    ///
    /// # Panics
    /// As [`Packing::coefficient`].
    pub fn set_coefficient(self, packed: &mut [u8], index: usize, value: i32) {
        let raw = self.from.map_or(value, |from| from - value);
        for (place, bit) in self.places(index).enumerate() {
            let mask = 1 << (bit % 8);
            let is_set = raw >> place & 1 == 1;
            packed[bit / 8] = if is_set { packed[bit / 8] | mask } else { packed[bit / 8] & !mask };
        }
    }

    /// The bits of a coefficient, the lowest first.
    fn places(self, index: usize) -> std::ops::Range<usize> {
        index * self.bits..(index + 1) * self.bits
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// FIPS 204 Algorithm 17 with eta = 2: 3 bits, b - w. Coefficients 2, -2, 0 are 0, 4, 2: 0b010_100_000
    /// low bits first.
    #[test]
    fn coefficients_lie_where_the_standard_packs_them() {
        let packing = Packing::from(3, 2);
        let mut packed = vec![0; packing.length()];
        packed[..2].copy_from_slice(&[0b1010_0000, 0]);
        assert_eq!([0, 1, 2].map(|index| packing.coefficient(&packed, index)), [2, -2, 0]);
        assert_eq!(packing.coefficient_of_bit(8), 2);
    }

    proptest! {
        #[test]
        fn a_written_coefficient_reads_back_and_leaves_its_neighbours(
            (bits, from) in prop_oneof![
                Just((10, None)), Just((3, Some(2))), Just((4, Some(4))), Just((13, Some(1 << 12))),
                Just((18, Some(1 << 17))), Just((20, Some(1 << 19))),
            ],
            index in 0_usize..256,
            raw in 0_i32..1 << 20,
            filler in any::<u8>(),
        ) {
            let packing = Packing { bits, from };
            let raw = raw & ((1 << bits) - 1);
            let value = from.map_or(raw, |from| from - raw);
            let before = vec![filler; packing.length()];
            let mut after = before.clone();
            packing.set_coefficient(&mut after, index, value);
            for other in 0..256 {
                let expected = if other == index { value } else { packing.coefficient(&before, other) };
                prop_assert_eq!(packing.coefficient(&after, other), expected);
            }
        }
    }
}
