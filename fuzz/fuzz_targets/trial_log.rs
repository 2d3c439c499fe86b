//! The reader of pqsig's own trial logs: it never panics, and a log that is whole counts its phases.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pqsig_speed::log::{Ending, read};

fuzz_target!(|input: &[u8]| {
    if let Ok(trial) = read(input)
        && let Ending::Whole(end) = &trial.ending
    {
        assert_eq!(usize::try_from(end.phases), Ok(trial.phases.len()));
    }
});
