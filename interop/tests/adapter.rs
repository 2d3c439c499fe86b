//! Adapters that misbehave, each in its own way: what happened is said, and the rest goes on. They are a shell script:
//! `data/hostile-adapter.sh`.

#![cfg(test)]
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pqsig::Algorithm;
use pqsig_interop::adapter::{Adapter, Launch, Timeouts};
use pqsig_interop::key::{EncodedKey, KeyForm};
use pqsig_interop::message::{Message, Randomness};
use pqsig_interop::peer::{Kind, Peer, Refusal, Reply};
use tempfile::TempDir;

/// Long enough for a busy machine; what waits for a silence uses [`SHORT`].
const LONG: Duration = Duration::from_secs(30);
const SHORT: Duration = Duration::from_millis(300);

/// A hostile adapter, and the folder of its notes.
struct Hostile {
    adapter: Adapter,
    folder: TempDir,
}

fn launch(fault: &str, folder: &Path) -> Launch {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/hostile-adapter.sh");
    let mut launch = Launch::new("hostile", "sh").unwrap();
    launch.arguments = vec![script.into(), fault.into(), folder.into()];
    launch.timeouts = Timeouts::all(LONG);
    launch
}

impl Hostile {
    fn start(fault: &str) -> Self {
        Hostile::start_with(fault, Timeouts::all(LONG))
    }

    fn start_with(fault: &str, timeouts: Timeouts) -> Self {
        let folder = TempDir::new().unwrap();
        let launch = Launch { timeouts, ..launch(fault, folder.path()) };
        Hostile { adapter: Adapter::start(launch).unwrap(), folder }
    }

    fn verify(&self) -> Reply<bool> {
        self.verify_message(&Message::pure(*b"m"))
    }

    fn verify_message(&self, message: &Message) -> Reply<bool> {
        self.adapter.verifier(&key(KeyForm::RawPublic)).unwrap().verify(message, &[1, 2])
    }

    fn sign(&self) -> Reply<Vec<u8>> {
        let signer = self.adapter.signer(&key(KeyForm::RawSeed)).unwrap();
        signer.sign(&Message::pure(*b"m"), &Randomness::Hedged)
    }

    /// The reason of a request that fails.
    fn failure(&self) -> String {
        match self.verify() {
            Err(Refusal::Failed(reason)) => reason,
            other => panic!("not a failure: {other:?}"),
        }
    }

    fn starts(&self) -> usize {
        fs::read_to_string(self.folder.path().join("starts")).unwrap().lines().count()
    }
}

fn key(form: KeyForm) -> EncodedKey {
    EncodedKey { algorithm: Algorithm::MlDsa44, form, bytes: vec![0; 4] }
}

fn start_error(fault: &str, timeouts: Timeouts) -> String {
    let folder = TempDir::new().unwrap();
    Adapter::start(Launch { timeouts, ..launch(fault, folder.path()) }).err().unwrap()
}

#[track_caller]
fn assert_has(text: &str, expected: &str) {
    assert!(text.contains(expected), "`{expected}` is not in: {text}");
}

#[test]
fn one_without_a_fault_is_a_peer() {
    let peer = Hostile::start("none");
    assert_eq!(peer.verify(), Ok(true));
    assert_eq!(peer.sign(), Ok(vec![0, 255]));
    let pair = peer.adapter.generate(Algorithm::MlDsa44, None).unwrap();
    assert_eq!((pair.private.form, pair.public.bytes), (KeyForm::RawSeed, vec![1]));

    let identity = peer.adapter.identity();
    assert_eq!((identity.name.as_str(), identity.kind), ("hostile", Kind::Adapter));
    assert_eq!(identity.version(Algorithm::MlDsa44), "1");
    assert_eq!(identity.lineage(Algorithm::MlDsa44), "hostile");
    // The shell and the script: both answer.
    let names: Vec<_> = identity.artifacts.iter().map(|artifact| artifact.name.as_str()).collect();
    assert_eq!(names, ["sh", "hostile-adapter.sh"]);
    assert_eq!(peer.adapter.ability(Algorithm::MlDsa44).unwrap().lineage.unwrap(), "hostile");
}

#[test]
fn what_is_not_claimed_is_not_asked() {
    // It would die of any request.
    let peer = Hostile::start("torn");
    let unsupported = |refusal: Option<Refusal>| matches!(refusal, Some(Refusal::Unsupported(_)));
    let adapter = &peer.adapter;
    assert!(unsupported(adapter.generate(Algorithm::MlDsa65, None).err()));
    assert!(unsupported(adapter.generate(Algorithm::MlDsa44, Some(&[0; 32])).err()));
    assert!(unsupported(adapter.public_key(&key(KeyForm::RawSeed)).err()));
    assert!(unsupported(adapter.verifier(&key(KeyForm::Spki)).err()));
    assert!(unsupported(peer.verify_message(&Message::pure(*b"").with_context(*b"c")).err()));
    let signer = adapter.signer(&key(KeyForm::RawSeed)).unwrap();
    assert!(unsupported(signer.sign(&Message::pure(*b""), &Randomness::Deterministic).err()));
    assert_eq!(peer.starts(), 1);
}

#[test]
fn garbage_is_a_failure_that_quotes_it() {
    for (fault, expected) in [
        ("garbage", "answered garbage: no JSON: Traceback (most recent call last):"),
        ("no-object", "answered garbage: no JSON object: [1]"),
        ("other-id", r#"answered garbage: not a reply with the id 1: {"id":2,"valid":true}"#),
    ] {
        let peer = Hostile::start(fault);
        assert_has(&peer.failure(), expected);
        assert_eq!(peer.starts(), 1);
        // Started anew for the next request, whose garbage has the next id.
        assert_has(&peer.failure(), "answered garbage");
        assert_eq!(peer.starts(), 2);
    }
}

#[test]
fn a_silence_ends_with_the_time_limit() {
    let limits = Timeouts { verify: SHORT, ..Timeouts::all(LONG) };
    // A message that no pipe holds: whoever does not read it does not hold up the writer either.
    let big = Message::pure(vec![0; 1024 * 1024]);
    for (fault, message) in [("never", &Message::pure(*b"m")), ("deaf", &big)] {
        let peer = Hostile::start_with(fault, limits);
        let start = Instant::now();
        let Err(Refusal::Failed(reason)) = peer.verify_message(message) else { panic!("{fault}") };
        assert_has(&reason, "gave no reply within 300ms");
        assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
    }
    let limits = Timeouts { hello: SHORT, ..Timeouts::all(LONG) };
    assert_has(&start_error("mute", limits), "gave no reply within 300ms");
}

#[test]
fn a_gibibyte_without_a_newline_is_cut_off_at_once() {
    let peer = Hostile::start("no-newline");
    let before = peak_memory();
    let start = Instant::now();
    assert_eq!(peer.failure(), "answered garbage: a line of more than 1024 KiB");
    assert!(start.elapsed() < LONG);
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        assert!(after - before < 200 * 1024, "memory grew by {} KiB", after - before);
    }
}

/// The greatest size that this process has had in memory, in KiB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[test]
fn a_crash_is_named_and_an_adapter_that_goes_on_crashing_is_given_up() {
    let peer = Hostile::start("crashes");
    for start in 1..=4 {
        let reason = peer.failure();
        assert_has(&reason, "ended (signal: 11");
        assert_has(&reason, "its last words: mylib: assertion failed");
        assert_eq!(peer.starts(), start);
    }
    for _ in 0..3 {
        assert_has(&peer.failure(), "gave up after 4 crashes: ended (signal: 11");
    }
    assert_eq!(peer.starts(), 4);

    let peer = Hostile::start("torn");
    assert_has(&peer.failure(), "ended (exit status: 3) in the middle of a reply");

    let peer = Hostile::start("complains");
    assert_has(&peer.failure(), "ended (exit status: 1); its last words: the last word");
}

#[test]
fn one_that_crashes_now_and_then_is_started_anew_ten_times() {
    let peer = Hostile::start("every-second");
    for _ in 0..10 {
        assert_eq!(peer.verify(), Ok(true));
        assert_has(&peer.failure(), "ended (exit status: 7)");
    }
    assert_eq!(peer.verify(), Ok(true));
    assert_eq!(peer.starts(), 11);
    assert_has(&peer.failure(), "ended (exit status: 7)");
    assert_has(&peer.failure(), "gave up after 11 crashes");
    assert_eq!(peer.starts(), 11);
}

#[test]
fn one_that_comes_back_as_another_is_not_asked_again() {
    let peer = Hostile::start("new-identity");
    assert_has(&peer.failure(), "ended (exit status: 0)");
    for _ in 0..3 {
        assert_has(&peer.failure(), "said that it is another one after it was started anew");
    }
    assert_has(&peer.failure(), "gave up after 4 crashes");

    let peer = Hostile::start("dies-for-good");
    assert_has(&peer.failure(), "ended (exit status: 0)");
    assert_has(&peer.failure(), "could not be started anew: ended (exit status: 9)");
}

#[test]
fn a_claim_that_is_not_kept_is_a_failure() {
    let peer = Hostile::start("unsupported");
    assert_eq!(
        peer.failure(),
        "claims verifying ML-DSA-44 (pure, key as raw:public), then answers unsupported: not today"
    );
    assert_eq!(peer.starts(), 1);
}

#[test]
fn an_adapters_own_errors_are_passed_on() {
    assert_eq!(Hostile::start("refuses").verify(), Err(Refusal::Refused("a bad key".to_owned())));
    assert_eq!(Hostile::start("fails").failure(), "out of memory");
    assert_has(&Hostile::start("odd-kind").failure(), "answered garbage: unknown variant `tired`");
}

#[test]
fn fields_of_a_wrong_type_are_failures() {
    let peer = Hostile::start("odd-types");
    assert_has(&peer.failure(), "answered garbage: invalid type: string \"true\", expected a boolean");
    let failed = |refusal: Option<Refusal>| match refusal {
        Some(Refusal::Failed(reason)) => assert_has(&reason, "answered garbage"),
        other => panic!("{other:?}"),
    };
    failed(peer.sign().err());
    failed(peer.adapter.generate(Algorithm::MlDsa44, None).err());
    // It still speaks the protocol, so it still runs.
    assert_eq!(peer.starts(), 1);
    failed(Hostile::start("odd-forms").adapter.generate(Algorithm::MlDsa44, None).err());
}

#[test]
fn a_bad_hello_says_what_is_wrong() {
    let limits = Timeouts::all(LONG);
    assert_has(&start_error("misspelt", limits), "answered hello wrongly: ML-DSA-44: unknown field `hegded`");
    assert_has(&start_error("other-form", limits), "unknown key form `pem`");
    assert_eq!(start_error("dead", limits), "ended (exit status: 1); its last words: it needs mylib 2");
    let missing = Launch::new("hostile", "no-such-program").unwrap();
    assert_eq!(Adapter::start(missing).err().unwrap(), "`no-such-program` is not on the PATH");
}

#[test]
fn a_failing_adapter_does_not_disturb_another() {
    let good = Arc::new(Hostile::start("none"));
    let bad = Hostile::start("crashes");
    let asking = std::thread::spawn({
        let good = good.clone();
        move || (0..50).all(|_| good.verify() == Ok(true))
    });
    for _ in 0..6 {
        bad.failure();
        assert_eq!(good.verify(), Ok(true));
    }
    assert!(asking.join().unwrap());
}

#[test]
fn no_process_is_left() {
    let Hostile { adapter, folder } = Hostile::start("none");
    let signer = adapter.signer(&key(KeyForm::RawSeed)).unwrap();
    drop(adapter);
    // A loaded key keeps the process.
    assert!(signer.sign(&Message::pure(*b"m"), &Randomness::Hedged).is_ok());
    drop(signer);
    assert!(folder.path().join("ended").is_file(), "its stdin has ended");
    assert!(!is_alive(folder.path()));

    // One that does not look at its stdin is killed.
    let Hostile { adapter, folder } = Hostile::start("deaf");
    drop(adapter);
    assert!(!folder.path().join("ended").exists());
    assert!(!is_alive(folder.path()));
}

/// Also true for a zombie.
fn is_alive(folder: &Path) -> bool {
    let pid = fs::read_to_string(folder.join("pid")).unwrap();
    Command::new("sh").args(["-c", "kill -0 \"$0\" 2>/dev/null", pid.trim()]).status().unwrap().success()
}

/// What `kill -9` does to the suite, Ctrl-C does more gently: no code of ours runs.
#[test]
fn an_adapter_does_not_outlive_the_suite() {
    const FOLDER: &str = "PQSIG_TEST_HOLDS_AN_ADAPTER";
    if let Some(folder) = std::env::var_os(FOLDER) {
        let adapter = Adapter::start(launch("none", Path::new(&folder))).unwrap();
        fs::write(Path::new(&folder).join("ready"), "").unwrap();
        std::thread::sleep(LONG);
        drop(adapter);
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut suite = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "an_adapter_does_not_outlive_the_suite"])
        .env(FOLDER, folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let appears = |name: &str| {
        let start = Instant::now();
        while !folder.path().join(name).exists() && start.elapsed() < LONG {
            std::thread::sleep(Duration::from_millis(10));
        }
        folder.path().join(name).exists()
    };
    let ready = appears("ready");
    suite.kill().unwrap();
    suite.wait().unwrap();
    assert!(ready);
    assert!(appears("ended"));
}
