//! Passphrases that are typed, at a terminal of its own.

use std::process::Command;

use rexpect::session::{PtySession, spawn_command};

use super::harness::Workplace;

/// Long enough for a machine that is busy with other tests.
const PATIENCE_MS: u64 = 60_000;

/// What is typed must never be seen.
const PASSPHRASE: &str = "correct horse";

fn at_terminal(place: &Workplace, line: &str) -> PtySession {
    let mut command: Command = place.nu();
    command.args(["--commands", line]);
    spawn_command(command, Some(PATIENCE_MS)).expect("nu runs")
}

/// The rest of what is printed, once the program has ended.
fn rest(mut session: PtySession) -> String {
    let rest = session.exp_eof().expect("it ends");
    assert!(!rest.contains(PASSPHRASE), "the passphrase is shown: {rest}");
    rest
}

fn answer(session: &mut PtySession, prompt: &str, answer: &str) {
    let before = session.exp_string(prompt).unwrap_or_else(|error| panic!("{prompt}: {error}"));
    assert!(!before.contains(PASSPHRASE), "the passphrase is shown: {before}");
    session.send_line(answer).unwrap();
}

#[test]
fn a_passphrase_is_asked_for_without_echo() {
    let place = Workplace::new();
    let mut session = at_terminal(&place, "pqsig keygen Ed25519 --encrypt --out key.pem | get algorithm");
    answer(&mut session, "New passphrase for", PASSPHRASE);
    answer(&mut session, "again", PASSPHRASE);
    assert!(rest(session).contains("Ed25519"));
    assert!(place.read("key.pem").contains("ENCRYPTED PRIVATE KEY"));

    let mut session = at_terminal(
        &place,
        "let s = 'm' | pqsig sign key.pem; 'm' | pqsig verify key.pem.pub $s | print; print done",
    );
    answer(&mut session, "Passphrase for", PASSPHRASE);
    let printed = rest(session);
    assert!(printed.contains("true") && printed.contains("done"), "{printed}");

    let mut session = at_terminal(&place, "'m' | pqsig sign key.pem");
    answer(&mut session, "Passphrase for", "wrong");
    assert!(rest(session).contains("pqsig::passphrase_wrong"));
}

#[test]
fn a_slip_does_not_lock_the_key_away() {
    let place = Workplace::new();
    let mut session = at_terminal(&place, "pqsig keygen Ed25519 --encrypt --out key.pem");
    answer(&mut session, "New passphrase for", PASSPHRASE);
    answer(&mut session, "again", "correct hose");
    assert!(rest(session).contains("the two entries differ"));
    assert!(!place.path().join("key.pem").exists());
}

#[test]
fn ctrl_c_at_the_prompt_is_an_answer() {
    let place = Workplace::new();
    let line =
        "try { pqsig keygen Ed25519 --encrypt } catch { print caught }; (pqsig keygen Ed25519).algorithm";
    let mut session = at_terminal(&place, line);
    session.exp_string("New passphrase for").unwrap();
    session.send_control('c').unwrap();
    session.exp_string("caught").unwrap();
    // The plugin has survived it.
    assert!(rest(session).contains("Ed25519"));
}

/// The bar is for people: on the terminal, and only for what takes its time.
#[test]
fn what_takes_its_time_shows_its_progress() {
    let place = Workplace::new();
    let line = "pqsig speed Ed25519 --backend rustcrypto --operation verify --duration 4sec --trials 1 | get 0.rounds";
    let mut session = at_terminal(&place, line);
    session.exp_string("Trial 1 of 1, Ed25519 rustcrypto verify").unwrap();
    session.exp_string("s left").unwrap();
    rest(session);

    let line = "pqsig speed Ed25519 --backend rustcrypto --operation verify --duration 50ms --trials 1 | get 0.rounds";
    assert!(!rest(at_terminal(&place, line)).contains("Trial"));
}
