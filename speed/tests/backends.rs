//! Runs over the real backends. What is asserted is never how fast they are.

#![expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]
// clippy.toml allows this within #[test] only, and not in the functions beside them.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::time::Duration;

use pqsig::Algorithm;
use pqsig::backend::ranking::ranked;
use pqsig_speed::log::{Trial, read};
use pqsig_speed::{Error, Event, Observer, Operation, Options, Report, Row, run};

fn options(algorithms: impl IntoIterator<Item = Algorithm>) -> Options {
    let options = Options::new(algorithms).unwrap();
    options.with_duration(Duration::from_millis(10)).unwrap().with_trials(2).unwrap()
}

fn assert_sound(row: &Row) {
    assert!(row.min_ns > 0 && row.min_ns <= row.p50_ns && row.p50_ns <= row.p99_ns, "{row:?}");
    assert!(row.p99_ns <= row.max_ns && row.mean_ns <= row.max_ns as f64, "{row:?}");
    assert!(row.mean_ns >= row.min_ns as f64, "{row:?}");
    assert!((row.ops_per_second * row.mean_ns / 1e9 / row.threads as f64 - 1.0).abs() < 1e-9, "{row:?}");
    assert!(row.rounds >= u64::from(row.trials), "{row:?}");
    assert!(row.spread_pct.is_some_and(|spread| spread.is_finite() && spread >= 0.0), "{row:?}");
}

fn assert_all_measured(report: &Report, algorithms: &[Algorithm]) {
    assert!(report.failures.is_empty() && report.skipped.is_empty(), "{report:?}");
    let combinations: HashSet<_> = report.rows.iter().map(|row| &row.identity).collect();
    assert_eq!(combinations.len(), report.rows.len());
    let pairs: usize = algorithms.iter().map(|algorithm| ranked(*algorithm).count()).sum();
    assert_eq!(report.rows.len(), pairs * Operation::ALL.len());
    report.rows.iter().for_each(assert_sound);
}

/// The logs of a run, whose phases must agree with themselves.
fn trials(report: &Report) -> Vec<Trial> {
    let logs = report.logs.iter().map(|path| read(BufReader::new(File::open(path).unwrap())).unwrap());
    logs.inspect(|log| {
        for phase in &log.phases {
            assert_eq!(phase.check(log.run.options.threads), Ok(()), "{phase:?}");
        }
    })
    .collect()
}

#[test]
fn every_backend_does_every_operation_of_each_family() {
    let algorithms = [Algorithm::MlDsa44, Algorithm::SlhDsaSha2_128f, Algorithm::Ed25519];
    let report = run(&options(algorithms), &mut ()).unwrap();
    assert_all_measured(&report, &algorithms);
    assert!(report.logs.is_empty());
}

#[test]
fn context_message_size_determinism_and_threads_change_no_verdict() {
    for (message_size, context_size) in [(0, 0), (1, 255), (100_000, 1)] {
        let options = options([Algorithm::MlDsa65]).with_message_size(message_size).unwrap();
        let options = options.with_context_size(context_size).unwrap().with_deterministic(true);
        let report = run(&options.with_threads(2).unwrap(), &mut ()).unwrap();
        assert_all_measured(&report, &[Algorithm::MlDsa65]);
        assert!(report.rows.iter().all(|row| row.threads == 2));
    }
}

#[test]
fn pure_ed25519_with_a_context_is_skipped_but_for_its_keys() {
    let options = options([Algorithm::Ed25519]).with_context_size(4).unwrap();
    let report = run(&options, &mut ()).unwrap();
    assert!(report.rows.iter().all(|row| row.identity.operation == "keygen"));
    let backends = ranked(Algorithm::Ed25519).count();
    assert_eq!((report.rows.len(), report.skipped.len()), (backends, 2 * backends));
    assert!(report.skipped.iter().all(|skipped| skipped.reason == "pure Ed25519 has no context"));
}

#[test]
fn the_log_holds_what_the_report_is_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let options = options([Algorithm::MlDsa44]).with_samples(true).with_log(folder.path());
    let report = run(&options, &mut ()).unwrap();
    let logs = trials(&report);
    assert_eq!(logs.len(), 2);
    assert!(logs.iter().all(Trial::is_complete));
    for row in &report.rows {
        let phases: Vec<_> = logs
            .iter()
            .flat_map(|log| &log.phases)
            .filter(|phase| {
                phase.backend == row.identity.backend && phase.operation == row.identity.operation
            })
            .collect();
        assert_eq!(phases.len(), 2);
        assert_eq!(phases.iter().map(|phase| phase.operations).sum::<u64>(), row.rounds);
        assert_eq!(phases.iter().filter_map(|phase| phase.min_ns).min(), Some(row.min_ns));
        assert_eq!(phases.iter().filter_map(|phase| phase.max_ns).max(), Some(row.max_ns));
        let elapsed: u64 = phases.iter().map(|phase| phase.elapsed_ns).sum();
        assert!((elapsed as f64 / row.rounds as f64 - row.mean_ns).abs() < 1e-6);
        for phase in phases {
            let samples = phase.samples_ns.as_ref().unwrap();
            assert_eq!(samples.len() as u64 * u64::from(phase.batch), phase.operations);
            assert_eq!(phase.backend_version, row.identity.backend_version);
            assert!(phase.elapsed_ns >= 10_000_000, "the time is used up: {}", phase.elapsed_ns);
        }
    }
    // A second run into the same folder goes on with the numbers.
    let again = run(&options.with_trials(1).unwrap(), &mut ()).unwrap();
    assert!(again.logs[0].ends_with("trial-3.jsonl"), "{:?}", again.logs);
    let other = trials(&again).remove(0);
    assert_ne!(other.run.run_id, logs[0].run.run_id);
}

#[test]
fn logs_of_several_threads_and_of_batches_agree_with_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let options =
        options([Algorithm::MlDsa44, Algorithm::Ed25519]).with_samples(true).with_log(folder.path());
    let report = run(&options.with_threads(2).unwrap(), &mut ()).unwrap();
    let phases: usize = trials(&report).iter().map(|log| log.phases.len()).sum();
    assert_eq!(phases, 2 * report.rows.len());
}

/// Says stop when Ed25519 is timed.
#[derive(Default)]
struct StopAtEd25519 {
    reached: bool,
}

impl Observer for StopAtEd25519 {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Timing(progress) = event {
            self.reached |= progress.identity.algorithm == "Ed25519";
        }
    }

    fn is_cancelled(&mut self) -> bool {
        self.reached
    }
}

#[test]
fn a_stopped_run_leaves_a_log_that_says_so_and_the_next_one_has_its_turn() {
    let folder = tempfile::tempdir().unwrap();
    let options = options([Algorithm::MlDsa44, Algorithm::Ed25519]).with_log(folder.path());
    assert!(matches!(run(&options, &mut StopAtEd25519::default()), Err(Error::Cancelled)));
    let log = read(BufReader::new(File::open(folder.path().join("trial-1.jsonl")).unwrap())).unwrap();
    assert!(!log.is_complete());
    assert_eq!(log.phases.len(), 3 * ranked(Algorithm::MlDsa44).count());
    assert!(log.phases.iter().all(|phase| phase.algorithm == "ML-DSA-44"));

    let short = options.with_operations([Operation::Verify]).unwrap();
    assert!(run(&short, &mut ()).unwrap().logs[0].ends_with("trial-2.jsonl"));
}
