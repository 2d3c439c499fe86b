//! The suite catches every fault that is seeded, and says so when one slips through.

#![cfg(test)]

use pqsig_interop::run::Silent;
use pqsig_interop::self_test::{self, CATALOGUE};

#[test]
fn every_seeded_fault_is_caught() {
    assert!(CATALOGUE.len() >= 24);
    let score = self_test::run(CATALOGUE, &Silent).unwrap();
    println!("{score}");
    assert!(score.is_perfect(), "{score}");
    assert_eq!(score.caught(), CATALOGUE.len());
}

#[test]
fn a_fault_that_does_nothing_is_reported_as_missed() {
    let score = self_test::run(self_test::WITHOUT_EFFECT, &Silent).unwrap();
    assert_eq!(score.caught(), 0);
    assert!(!score.is_perfect());
    assert!(score.to_string().ends_with("seeded faults: 0 caught / 1 seeded"), "{score}");
}
