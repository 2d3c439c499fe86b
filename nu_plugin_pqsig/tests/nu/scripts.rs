//! The scripts, each with the number of its checks.

use super::harness::Workplace;

fn run(script: &str, checks: usize) {
    let printed = Workplace::new().script(script);
    assert_eq!(printed.lines().last(), Some(format!("{checks} checks").as_str()), "{script}: {printed}");
}

#[test]
fn round_trip() {
    // 16 algorithms x 2 signers x 2 verifiers, each one right and ten wrong.
    run("round_trip.nu", 16 * 4 * 11 + 1);
}

#[test]
fn deterministic() {
    // 16 algorithms x 2 signers; 16 x 4 comparisons; 2 x 2 hedged.
    run("deterministic.nu", 16 * 2 + 16 * 4 + 1 + 4);
}

#[test]
fn bad_input() {
    run("bad_input.nu", 391);
}

#[test]
fn keys() {
    run("keys.nu", 99 + 12);
}

#[test]
fn messages() {
    run("messages.nu", 191);
}

#[test]
fn passphrase() {
    run("passphrase.nu", 79);
}

#[test]
fn speed() {
    run("speed.nu", 61);
}

#[test]
fn config() {
    run("config.nu", 22);
}
