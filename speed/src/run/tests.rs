use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use pqsig::Algorithm;
use proptest::prelude::*;

use super::*;
use crate::log::{Ending, Trial, read};
use crate::mock::{Script, ScriptSource, Tick};
use crate::workload::{Failure, NotReady, Source};
use crate::{Note, Operation, Row};

const MS: u64 = 1_000_000;

fn options(duration_ms: u64, trials: u32) -> Options {
    let options = Options::new([Algorithm::Ed25519]).unwrap();
    options.with_duration(Duration::from_millis(duration_ms)).unwrap().with_trials(trials).unwrap()
}

fn group(sources: impl IntoIterator<Item = ScriptSource>) -> Vec<Box<dyn Source>> {
    sources.into_iter().map(|source| Box::new(source) as Box<dyn Source>).collect()
}

fn source(clock: &Tick, backend: &str, durations_ns: &[u64]) -> ScriptSource {
    ScriptSource::new(clock, backend, "sign", Script::cycle(durations_ns))
}

/// Runs one group of sources.
fn execute_group(
    clock: &Tick,
    options: &Options,
    sources: impl IntoIterator<Item = ScriptSource>,
    observer: &mut dyn Observer,
) -> Result<Report, Error> {
    let plan = Plan { groups: vec![group(sources)], skipped: Vec::new() };
    let folder = options.log.as_deref().map(Folder::open).transpose()?;
    execute(clock, options, options.trials_to_make()?, plan, Journal::new(folder), observer)
}

/// Writes down what it is told, and says stop after some slices.
#[derive(Default)]
struct Witness {
    timed: Vec<String>,
    remaining: Vec<Duration>,
    failed: Vec<String>,
    prepared: usize,
    stop_after_slices: Option<usize>,
}

impl Observer for Witness {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Timing(progress) => {
                self.timed.push(progress.identity.backend.clone());
                self.remaining.push(progress.remaining);
            }
            Event::Failed { identity, reason } => self.failed.push(format!("{identity}: {reason}")),
            Event::Preparing(_) => self.prepared += 1,
            Event::Waiting => {}
        }
    }

    fn is_cancelled(&mut self) -> bool {
        self.stop_after_slices.is_some_and(|slices| self.timed.len() >= slices)
    }
}

/// Reads a log, whose phases must agree with themselves.
fn trial(path: &Path) -> Trial {
    let trial = read(BufReader::new(File::open(path).unwrap())).unwrap();
    for phase in &trial.phases {
        assert_eq!(phase.check(trial.run.options.threads), Ok(()), "{phase:?}");
    }
    trial
}

fn by_backend<'a>(report: &'a Report, backend: &str) -> &'a Row {
    report.rows.iter().find(|row| row.identity.backend == backend).unwrap()
}

#[test]
fn slices_of_a_trial_go_forwards_and_backwards_in_turn() {
    let clock = Tick::default();
    let sources = ["a", "b", "c"].map(|backend| source(&clock, backend, &[MS]));
    let mut witness = Witness::default();
    execute_group(&clock, &options(400, 2), sources, &mut witness).unwrap();
    assert_eq!(witness.timed[..12].concat(), "abccbaabccba");
    assert_eq!(witness.timed[12..].concat(), "cbaabccbaabc");
    assert_eq!(witness.prepared, 3);
}

#[test]
fn drift_meets_all_backends_alike() {
    let clock = Tick::default();
    let sources =
        ["a", "b"].map(|name| ScriptSource::new(&clock, name, "sign", Script::cycle([MS]).drifting(500)));
    let report = execute_group(&clock, &options(4000, 1), sources, &mut ()).unwrap();
    let (a, b) = (by_backend(&report, "a"), by_backend(&report, "b"));
    assert!(a.max_ns > 4 * a.min_ns, "the drift is to be felt: {} to {}", a.min_ns, a.max_ns);
    assert!((a.mean_ns / b.mean_ns - 1.0).abs() < 0.01, "{} and {}", a.mean_ns, b.mean_ns);
}

#[test]
fn figures_are_those_of_the_known_durations() {
    let clock = Tick::default();
    // 98 operations of 1 ms, one of 2 ms and one of 10 ms: 110 ms.
    let mut durations = vec![MS; 100];
    durations[49] = 10 * MS;
    durations[98] = 2 * MS;
    let report =
        execute_group(&clock, &options(1100, 3), [source(&clock, "a", &durations)], &mut ()).unwrap();
    let row = &report.rows[0];
    assert_eq!((row.rounds, row.trials, row.batch, row.threads), (3000, 3, 1, 1));
    assert!((row.mean_ns - 1.1e6).abs() < 1e-3, "{}", row.mean_ns);
    assert!((row.ops_per_second - 1e9 / 1.1e6).abs() < 1e-6, "{}", row.ops_per_second);
    assert_eq!((row.min_ns, row.max_ns), (MS, 10 * MS));
    assert!(row.p50_ns.abs_diff(MS) <= MS / 1000, "{}", row.p50_ns);
    assert!(row.p99_ns.abs_diff(2 * MS) <= 2 * MS / 1000, "{}", row.p99_ns);
    assert_eq!(row.spread_pct, Some(0.0));
    assert_eq!(row.provider.as_deref(), Some("mock"));
    assert_eq!(row.notes, []);
    assert_eq!(row.samples_ns, None);
}

#[test]
fn every_trial_has_the_same_inputs() {
    let clock = Tick::default();
    let script = Script::cycle([MS]);
    let seen = script.seen();
    let sources = [ScriptSource::new(&clock, "a", "sign", script)];
    execute_group(&clock, &options(20, 2), sources, &mut ()).unwrap();
    let seen = seen.lock().unwrap().clone();
    // Warming up takes two operations, a tenth of the time, and its second time one sample too.
    let trial: Vec<u64> = (0..20).collect();
    assert_eq!(seen.len(), 2 + 20 + 2 + 20);
    assert_eq!(seen[2..22], trial);
    assert_eq!(seen[24..], trial);
}

#[test]
fn an_operation_longer_than_the_time_is_timed_once_per_trial() {
    let clock = Tick::default();
    let sources = [source(&clock, "slow", &[5000 * MS]), source(&clock, "fast", &[MS])];
    let mut witness = Witness::default();
    let report = execute_group(&clock, &options(1000, 2), sources, &mut witness).unwrap();
    let row = by_backend(&report, "slow");
    assert_eq!((row.rounds, row.p99_ns), (2, 5000 * MS));
    assert_eq!(row.notes, [Note::OneOperation, Note::FewSamples { samples: 2 }]);
    assert_eq!(by_backend(&report, "fast").rounds, 2000);
    assert_eq!(witness.timed.iter().filter(|name| *name == "slow").count(), 2);
}

#[test]
fn an_operation_longer_than_a_slice_keeps_to_the_time() {
    let clock = Tick::default();
    let sources = [source(&clock, "slow", &[300 * MS]), source(&clock, "fast", &[MS])];
    let mut witness = Witness::default();
    let report = execute_group(&clock, &options(1000, 1), sources, &mut witness).unwrap();
    // The fourth operation begins at 900 ms.
    assert_eq!(by_backend(&report, "slow").rounds, 4);
    assert_eq!(witness.timed.iter().filter(|name| *name == "slow").count(), 4);
    assert_eq!(witness.timed.iter().filter(|name| *name == "fast").count(), 10);
}

#[test]
fn operations_under_the_clocks_step_are_timed_in_batches() {
    let clock = Tick::with_step(1000, 50);
    let script = Script::cycle([10_000]);
    let sources = [ScriptSource::new(&clock, "a", "sign", script)];
    let report = execute_group(&clock, &options(10, 1), sources, &mut ()).unwrap();
    assert_eq!(report.clock.step_ns, 1000);
    let row = &report.rows[0];
    // 100 steps are 100 us: ten operations.
    assert_eq!(row.batch, 10);
    assert!(row.notes.contains(&Note::Batches { size: 10 }));
    assert_eq!(row.rounds % 10, 0);
    assert!((row.mean_ns - 10_000.0).abs() < 100.0, "{}", row.mean_ns);
}

#[test]
fn operations_that_take_no_time_are_a_failure_and_no_infinite_rate() {
    let clock = Tick::default();
    let report = execute_group(&clock, &options(10, 1), [source(&clock, "a", &[0])], &mut ()).unwrap();
    assert!(report.rows.is_empty());
    assert!(report.failures[0].reason.contains("the clock did not move"), "{}", report.failures[0]);
}

#[test]
fn a_failing_phase_is_given_up_and_the_others_go_on() {
    let clock = Tick::default();
    let folder = tempfile::tempdir().unwrap();
    let script = Script::cycle([MS]).failing_at(150);
    let sources = [ScriptSource::new(&clock, "bad", "sign", script), source(&clock, "good", &[MS])];
    let mut witness = Witness::default();
    let options = options(200, 2).with_log(folder.path());
    let report = execute_group(&clock, &options, sources, &mut witness).unwrap();

    assert_eq!(report.rows.len(), 1);
    assert_eq!(by_backend(&report, "good").rounds, 400);
    assert_eq!(report.failures.len(), 1);
    assert_eq!(report.failures[0].to_string(), "MOCK-1 bad sign: operation 150 fails");
    assert_eq!(witness.failed, ["MOCK-1 bad sign: operation 150 fails"]);

    let first = trial(&report.logs[0]);
    assert_eq!(first.phases[0].failure.as_deref(), Some("operation 150 fails"));
    assert_eq!((first.phases[0].operations, first.phases[0].elapsed_ns), (150, 150 * MS));
    assert_eq!(first.phases[1].failure, None);
    let Ending::Whole(end) = &first.ending else { panic!("{:?}", first.ending) };
    assert_eq!((end.phases, end.failed), (2, 1));

    let second = trial(&report.logs[1]);
    assert_eq!(second.phases.len(), 1);
    assert_eq!(second.skipped[0].reason, "failed in trial 1: operation 150 fails");
}

#[test]
fn a_phase_that_fails_later_keeps_the_trials_before() {
    let clock = Tick::default();
    let folder = tempfile::tempdir().unwrap();
    // One operation to warm up and ten to measure, one to warm up again, and five of the next ten.
    let script = Script::cycle([MS]).failing_after(1 + 10 + 1 + 5);
    let options = options(10, 3).with_log(folder.path());
    let sources = [ScriptSource::new(&clock, "a", "sign", script)];
    let report = execute_group(&clock, &options, sources, &mut ()).unwrap();
    let row = &report.rows[0];
    assert_eq!((row.rounds, row.trials), (10, 1));
    assert_eq!(row.notes, [Note::FewSamples { samples: 10 }, Note::Incomplete]);
    assert_eq!(report.failures[0].reason, "fails after 17 operations");
    let logs: Vec<Trial> = report.logs.iter().map(|path| trial(path)).collect();
    assert_eq!((logs[0].phases[0].operations, &logs[0].phases[0].failure), (10, &None));
    assert_eq!(logs[1].phases[0].operations, 5);
    assert!(logs[1].phases[0].failure.is_some());
    assert_eq!(logs[2].skipped[0].reason, "failed in trial 2: fails after 17 operations");
}

#[test]
fn what_can_t_be_made_ready_is_a_failure() {
    let clock = Tick::default();
    let broken = NotReady::Failed(Failure::new("no such key"));
    let sources = [source(&clock, "a", &[MS]).never_ready(broken), source(&clock, "b", &[MS])];
    let report = execute_group(&clock, &options(10, 1), sources, &mut ()).unwrap();
    assert_eq!(report.failures[0].to_string(), "MOCK-1 a sign: no such key");
    assert_eq!(report.rows.len(), 1);
}

#[test]
fn cancelling_ends_the_run_before_the_next_slice_and_the_log_says_so() {
    let clock = Tick::default();
    let folder = tempfile::tempdir().unwrap();
    let groups = ["a", "b"].map(|name| group([source(&clock, name, &[MS])]));
    let plan = Plan { groups: groups.into(), skipped: Vec::new() };
    // Two slices of the first group, then one of the second.
    let mut witness = Witness { stop_after_slices: Some(3), ..Witness::default() };
    let journal = Journal::new(Some(Folder::open(folder.path()).unwrap()));
    let outcome = execute(&clock, &options(200, 2), 1..=2, plan, journal, &mut witness);
    assert!(matches!(outcome, Err(Error::Cancelled)));
    assert_eq!(witness.timed.concat(), "aab");

    let log = trial(&folder.path().join("trial-1.jsonl"));
    assert!(!log.is_complete());
    assert!(matches!(&log.ending, Ending::Interrupted(why) if why.reason == "the run was interrupted"));
    assert_eq!(log.phases.len(), 1);
    assert_eq!(log.phases[0].backend, "a");
    assert!(!folder.path().join("trial-2.jsonl").exists());
}

#[test]
fn cancelling_while_keys_are_made_ends_the_run() {
    let clock = Tick::default();
    let sources = [source(&clock, "a", &[MS]).never_ready(NotReady::Cancelled)];
    assert!(matches!(execute_group(&clock, &options(10, 1), sources, &mut ()), Err(Error::Cancelled)));
}

#[test]
fn the_time_left_shrinks_to_the_last_slice() {
    let clock = Tick::default();
    let sources = [source(&clock, "a", &[MS]), source(&clock, "b", &[500 * MS])];
    let mut witness = Witness::default();
    execute_group(&clock, &options(200, 2), sources, &mut witness).unwrap();
    // Two trials of 200 ms, and of one operation of 500 ms.
    assert_eq!(witness.remaining[0], Duration::from_millis(2 * 200 + 2 * 500));
    assert!(witness.remaining.is_sorted_by(|earlier, later| earlier > later), "{:?}", witness.remaining);
    assert_eq!(witness.remaining.last(), Some(&Duration::from_millis(100)));
}

#[test]
fn samples_are_kept_in_their_order_if_asked_for() {
    let clock = Tick::default();
    let folder = tempfile::tempdir().unwrap();
    let options = options(6, 2).with_samples(true).with_log(folder.path());
    let sources = [source(&clock, "a", &[MS, 2 * MS])];
    let report = execute_group(&clock, &options, sources, &mut ()).unwrap();
    let one_trial = [MS, 2 * MS, MS, 2 * MS];
    assert_eq!(report.rows[0].samples_ns.as_deref(), Some([one_trial, one_trial].concat().as_slice()));
    for path in &report.logs {
        let phase = &trial(path).phases[0];
        assert_eq!(phase.samples_ns.as_deref(), Some(one_trial.as_slice()));
        assert_eq!((phase.samples_dropped, phase.operations, phase.elapsed_ns), (Some(0), 4, 6 * MS));
    }
}

#[test]
fn the_timeline_tells_when_each_slice_began() {
    let clock = Tick::default();
    let folder = tempfile::tempdir().unwrap();
    // The run begins at a time of its own; the trial's time begins with the trial.
    clock.advance(77 * MS);
    let sources = ["a", "b"].map(|backend| source(&clock, backend, &[10 * MS]));
    let options = options(200, 1).with_log(folder.path());
    let report = execute_group(&clock, &options, sources, &mut ()).unwrap();
    let log = trial(&report.logs[0]);
    // Each warms up for 20 ms. Then a, b, b, a.
    let expected = [("a", [40, 340]), ("b", [140, 240])];
    for (phase, (backend, starts)) in log.phases.iter().zip(expected) {
        let timeline = phase.timeline.as_ref().unwrap();
        assert_eq!(phase.backend, backend);
        assert_eq!(timeline.start_ns, starts.map(|ms| ms * MS));
        assert_eq!((&timeline.operations, &timeline.elapsed_ns), (&vec![10; 2], &vec![100 * MS; 2]));
        assert_eq!(phase.percentiles_ns, Some(vec![10 * MS; 101]));
    }
}

#[test]
fn a_second_trial_has_a_timeline_of_its_own() {
    let clock = Tick::default();
    let folder = tempfile::tempdir().unwrap();
    let options = options(200, 2).with_log(folder.path());
    let report = execute_group(&clock, &options, [source(&clock, "a", &[10 * MS])], &mut ()).unwrap();
    let timelines: Vec<_> =
        report.logs.iter().map(|path| trial(path).phases[0].timeline.clone().unwrap()).collect();
    assert_eq!(timelines[0], timelines[1]);
    assert_eq!(timelines[0].start_ns, [20 * MS, 120 * MS]);
}

#[test]
fn one_trial_of_several_is_that_trial() {
    let clock = Tick::default();
    let folder = tempfile::tempdir().unwrap();
    let options = options(200, 3).with_log(folder.path());
    let sources = || ["a", "b"].map(|backend| source(&clock, backend, &[MS]));
    let only = |number| {
        let mut witness = Witness::default();
        let options = options.clone().with_only_trial(number);
        let report = execute_group(&clock, &options, sources(), &mut witness);
        report.map(|report| (report, witness))
    };
    // In an order that is none, as a script that resumes may.
    for (number, order) in [(2, "baab"), (3, "abba"), (1, "abba")] {
        let (report, witness) = only(number).unwrap();
        assert_eq!((witness.timed.concat().as_str(), witness.prepared), (order, 2), "trial {number}");
        assert_eq!(witness.remaining[0], Duration::from_millis(400));
        assert_eq!(report.logs, [folder.path().join(format!("trial-{number}.jsonl"))]);
        let log = trial(&report.logs[0]);
        assert!(log.is_complete());
        assert_eq!((log.run.trial, log.run.trials), (number, 3));
        let row = by_backend(&report, "b");
        assert_eq!((row.trials, row.rounds, row.spread_pct), (1, 200, None));
    }
    let before = std::fs::read(folder.path().join("trial-2.jsonl")).unwrap();
    assert!(matches!(only(2), Err(Error::LogExists { .. })));
    assert_eq!(std::fs::read(folder.path().join("trial-2.jsonl")).unwrap(), before);
}

#[test]
fn what_can_t_be_made_ready_fails_in_the_trial_that_was_made() {
    let clock = Tick::default();
    let broken = NotReady::Failed(Failure::new("no such key"));
    let mut phase = Phase::new(Box::new(source(&clock, "a", &[MS]).never_ready(broken)), false);
    with_team(&clock, 1, |team| phase.prepare(2, team, Precision::measure(&clock), MS, &mut ()).unwrap())
        .unwrap();
    assert_eq!(phase.skipped().unwrap().reason, "failed in trial 2: no such key");
}

#[test]
fn a_trial_that_there_is_not_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("logs");
    for number in [0, 4] {
        let options = options(10, 3).with_log(&logs).with_only_trial(number);
        assert!(matches!(run(&options, &mut ()), Err(Error::TrialOutOfRange { trials: 3, .. })));
    }
    assert!(!logs.exists());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the operations take, however many threads there are and whatever fails: what is written
    /// agrees with itself.
    #[test]
    fn every_log_agrees_with_itself(
        durations_ns in prop::collection::vec(0u64..3 * MS, 1..12),
        step_ns in prop::sample::select(vec![1u64, 100, 4000]),
        threads in 1usize..4,
        duration_ms in 1u64..400,
        failing_after in prop::option::of(0usize..2000),
        keep in any::<bool>(),
    ) {
        // Reading the clock moves it, or operations of no length would never fill a slice.
        let clock = Tick::with_step(step_ns, 30);
        let folder = tempfile::tempdir().unwrap();
        let script = Script::cycle(durations_ns);
        let script = match failing_after {
            Some(operations) => script.failing_after(operations),
            None => script,
        };
        let options = options(duration_ms, 2).with_samples(keep).with_log(folder.path());
        let options = options.with_threads(threads).unwrap();
        let sources = [ScriptSource::new(&clock, "a", "sign", script), source(&clock, "b", &[MS])];
        let report = execute_group(&clock, &options, sources, &mut ()).unwrap();
        let logs: Vec<Trial> = report.logs.iter().map(|path| trial(path)).collect();
        prop_assert_eq!(logs.len(), 2);
        for phase in logs.iter().flat_map(|log| &log.phases) {
            prop_assert_eq!(phase.percentiles_ns.is_some(), phase.operations > 0);
            prop_assert_eq!(phase.timeline.is_some(), phase.slices > 0);
        }
    }
}

#[test]
fn a_log_names_what_was_skipped_and_how_it_was_asked() {
    let clock = Tick::default();
    let folder = tempfile::tempdir().unwrap();
    let skipped =
        Unmeasured { identity: source(&clock, "b", &[MS]).identity().clone(), reason: "can't".to_owned() };
    let plan = Plan { groups: vec![group([source(&clock, "a", &[MS])])], skipped: vec![skipped.clone()] };
    let journal = Journal::new(Some(Folder::open(folder.path()).unwrap()));
    let options = options(10, 2).with_message_size(99).unwrap().with_deterministic(true);
    let report = execute(&clock, &options, 1..=2, plan, journal, &mut ()).unwrap();
    assert_eq!(report.skipped, [skipped]);
    assert_eq!(report.logs.len(), 2);

    let logs: Vec<Trial> = report.logs.iter().map(|path| trial(path)).collect();
    for (log, number) in logs.iter().zip(1..) {
        assert!(log.is_complete());
        assert_eq!((log.run.trial, log.run.trials), (number, 2));
        assert_eq!(log.run.run_id, logs[0].run.run_id);
        assert_eq!(log.run.options.message_size_bytes, 99);
        assert!(log.run.options.deterministic);
        assert_eq!((log.skipped[0].backend.as_str(), log.skipped[0].reason.as_str()), ("b", "can't"));
    }
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]
fn threads_work_at_the_same_time_and_share_the_inputs() {
    let clock = Tick::default();
    let script = Script::cycle([MS]);
    let seen = script.seen();
    let folder = tempfile::tempdir().unwrap();
    let options = options(20, 1).with_threads(3).unwrap().with_log(folder.path());
    let sources = [ScriptSource::new(&clock, "a", "sign", script)];
    let report = execute_group(&clock, &options, sources, &mut ()).unwrap();
    let row = &report.rows[0];
    assert_eq!(row.threads, 3);
    // Three operations at the same time move the one mock clock by up to three milliseconds.
    assert!(row.rounds >= 20 && row.min_ns >= MS, "{row:?}");
    assert!((row.ops_per_second * row.mean_ns / 3e9 - 1.0).abs() < 1e-9, "{row:?}");
    let phase = &trial(&report.logs[0]).phases[0];
    let rate = phase.operations as f64 / phase.elapsed_ns as f64 * 1e9;
    assert!((rate / row.ops_per_second - 1.0).abs() < 1e-6, "{phase:?}");
    assert!((0..6).all(|index| seen.lock().unwrap().contains(&index)));
}

#[test]
fn a_folder_that_can_t_be_written_is_told_before_anything_is_timed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    File::create(&file).unwrap();
    let options = Options::new([Algorithm::Ed25519]).unwrap().with_log(file.join("below"));
    let mut witness = Witness::default();
    let Err(error @ Error::Log { .. }) = run(&options, &mut witness) else { panic!("a file is no folder") };
    assert!(error.to_string().contains("below"), "{error}");
    assert!(error.remedy().is_some());
    assert_eq!((witness.prepared, witness.timed.len()), (0, 0));
}

#[test]
fn a_context_that_nothing_takes_leaves_nothing_to_time() {
    let options = Options::new([Algorithm::Ed25519]).unwrap().with_context_size(8).unwrap();
    let options = options.with_operations([Operation::Sign, Operation::Verify]).unwrap();
    let Err(Error::NothingToTime { reasons }) = run(&options, &mut ()) else {
        panic!("Ed25519 has no context")
    };
    assert_eq!(reasons.len(), 2 * pqsig::backend::ranking::ranked(Algorithm::Ed25519).count());
    assert!(reasons.iter().all(|reason| reason.contains("pure Ed25519 has no context")), "{reasons:?}");
}
