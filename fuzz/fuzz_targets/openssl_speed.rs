//! The parser of `openssl speed`: it never panics, and what it makes of anything is sound.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pqsig_fuzz::openssl_speed::parse;
use pqsig_fuzz::streams;

fuzz_target!(|input: &[u8]| {
    let (stdout, stderr) = streams(input);
    let log = parse(stdout.map(|stdout| ("stdout", stdout)), Some(("stderr", stderr)));
    assert_eq!(log.unsoundness(), None);
});
