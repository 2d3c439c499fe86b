//! The scripts, each with the number of its checks.

use pqsig::Algorithm;
use pqsig::backend::ranking::ranked;

use super::harness::Workplace;

/// How many backends have the algorithm. Which ones they must be, the tests of pqsig know.
fn backends(algorithm: Algorithm) -> usize {
    ranked(algorithm).count()
}

fn run(script: &str, checks: usize) {
    let printed = Workplace::new().script(script);
    assert_eq!(printed.lines().last(), Some(format!("{checks} checks").as_str()), "{script}: {printed}");
}

#[test]
fn round_trip() {
    // Every signer x verifier, each one right and ten wrong.
    let pairs: usize = Algorithm::all().map(|algorithm| backends(algorithm).pow(2)).sum();
    assert_eq!(pairs, 3 * 25 + 12 * 9 + 9);
    run("round_trip.nu", pairs * 11 + 1);
}

#[test]
fn deterministic() {
    // Every signer of 16 algorithms; 16 x 4 comparisons; the hedged signers of two.
    let signers: usize = Algorithm::all().map(backends).sum();
    let hedged = backends(Algorithm::MlDsa44) + backends(Algorithm::SlhDsaSha2_128f);
    run("deterministic.nu", signers + 16 * 4 + 1 + hedged);
}

#[test]
fn bad_input() {
    run("bad_input.nu", 470);
}

#[test]
fn keys() {
    run("keys.nu", 110 + 12);
}

#[test]
fn messages() {
    run("messages.nu", 340);
}

#[test]
fn passphrase() {
    run("passphrase.nu", 79);
}

#[test]
fn speed() {
    run("speed.nu", 122);
}

#[test]
fn config() {
    run("config.nu", 22);
}

#[test]
fn interop() {
    run("interop.nu", 68);
}
