//! A generator that yields given bytes: fips204 and fips205 take some of their randomness from a generator only.

// The same traits, whichever of the two crates is in the build: both hand out those of rand_core 0.6.
#[cfg(feature = "fips204")]
use ::fips204::{CryptoRng, RngCore, RngError};
#[cfg(not(feature = "fips204"))]
use ::fips205::{CryptoRng, RngCore, RngError};

/// The bytes to yield, over and over.
pub(super) struct Given<'a>(pub(super) &'a [u8]);

impl RngCore for Given<'_> {
    fn next_u32(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.fill_bytes(&mut bytes);
        u32::from_le_bytes(bytes)
    }

    fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill_bytes(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    fn fill_bytes(&mut self, target: &mut [u8]) {
        for (target, byte) in target.iter_mut().zip(self.0.iter().cycle()) {
            *target = *byte;
        }
    }

    fn try_fill_bytes(&mut self, target: &mut [u8]) -> Result<(), RngError> {
        self.fill_bytes(target);
        Ok(())
    }
}

impl CryptoRng for Given<'_> {}
