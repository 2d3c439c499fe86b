//! Comparisons of runs, and how often their intervals are right.

#![cfg(test)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the figures are made up, and far from the limits"
)]
#![expect(clippy::float_cmp, reason = "a ratio of equals is 1, and a golden figure does not change")]

use pqsig_audit::compare::{Basis, Block, Series, TrialFigure, Verdict, compare, ratio, render_text, series};
use pqsig_audit::{Detail, Key, Run, Source};
use proptest::prelude::{ProptestConfig, Strategy, any, prop, prop_assert, prop_assert_eq, proptest};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::{Value, json};

use made::{Folder, phase};

mod made;

fn key() -> Key {
    Key {
        source: Source::PqsigSpeed,
        algorithm: "ML-DSA-65".to_owned(),
        backend: "openssl".to_owned(),
        operation: "sign".to_owned(),
    }
}

/// Noise with these standard deviations of the logarithm.
#[derive(Clone, Copy)]
struct Noise {
    between_trials: f64,
    within_trials: f64,
}

/// Times as a machine with lognormal noise would show them.
struct Machine(ChaCha8Rng);

impl Machine {
    /// By Box and Muller.
    fn lognormal(&mut self, deviation: f64) -> f64 {
        let (radius, angle) = (self.0.next_u32(), self.0.next_u32());
        let unit = |number: u32| (f64::from(number) + 0.5) / 2f64.powi(32);
        let normal = (-2.0 * unit(radius).ln()).sqrt() * (std::f64::consts::TAU * unit(angle)).cos();
        (deviation * normal).exp()
    }

    fn series(&mut self, ns_per_op: f64, trials: u32, slices: u32, noise: Noise) -> Series {
        let trial = |trial| {
            let mean_ns = ns_per_op * self.lognormal(noise.between_trials);
            let blocks: Vec<Block> = (0..slices).map(|_| self.slice(mean_ns, noise.within_trials)).collect();
            let operations: u64 = blocks.iter().map(|block| block.operations).sum();
            let elapsed_ns: u64 = blocks.iter().map(|block| block.elapsed_ns).sum();
            let ms_per_op = elapsed_ns as f64 / operations as f64 / 1e6;
            TrialFigure { trial, ms_per_op, blocks, rounding_pct: 0.0 }
        };
        Series { key: key(), trials: (1..=trials).map(trial).collect() }
    }

    /// 100 ms of operations.
    fn slice(&mut self, mean_ns: f64, deviation: f64) -> Block {
        let ns = mean_ns * self.lognormal(deviation);
        let operations = (1e8 / ns).ceil();
        Block { operations: operations as u64, elapsed_ns: (operations * ns) as u64 }
    }
}

/// The ten thousand resamples of each comparison are what takes the time: some seconds for all.
#[test]
fn nineteen_of_twenty_intervals_cover_the_truth_and_a_fifth_is_seen() {
    let mut machine = Machine(ChaCha8Rng::from_seed([5; 32]));
    for (between_trials, within_trials) in [(0.02, 0.03), (0.03, 0.01), (0.0, 0.04)] {
        let noise = Noise { between_trials, within_trials };
        let (mut covered, mut detected) = (0, 0);
        for _ in 0..300 {
            let [a, same] = [(); 2].map(|()| machine.series(200_000.0, 3, 10, noise));
            let slower = machine.series(240_000.0, 3, 10, noise);
            let interval = ratio(&a, &same).unwrap();
            covered += u32::from(interval.low <= 1.0 && 1.0 <= interval.high);
            let interval = ratio(&slower, &same).unwrap();
            detected += u32::from(interval.low > 1.0);
        }
        assert!(covered >= 279, "{covered} of 300 with {between_trials} and {within_trials}");
        assert!(detected >= 270, "{detected} of 300 with {between_trials} and {within_trials}");
    }
}

#[test]
fn without_slices_and_with_unlike_numbers_of_trials_the_intervals_are_right_too() {
    let mut machine = Machine(ChaCha8Rng::from_seed([6; 32]));
    let noise = Noise { between_trials: 0.03, within_trials: 0.0 };
    for (trials_a, trials_b, slices) in [(3, 3, 1), (2, 6, 1), (3, 5, 10), (1, 1, 20)] {
        // One trial can't show what changes from trial to trial.
        let noise = if trials_a == 1 { Noise { between_trials: 0.0, within_trials: 0.03 } } else { noise };
        let covered = (0..200)
            .filter(|_| {
                let a = machine.series(200_000.0, trials_a, slices, noise);
                let interval = ratio(&a, &machine.series(200_000.0, trials_b, slices, noise)).unwrap();
                interval.low <= 1.0 && 1.0 <= interval.high
            })
            .count();
        assert!(covered >= 184, "{covered} of 200 with {trials_a} and {trials_b} trials");
    }
}

/// Whoever recomputes an interval, wherever, must get the same text.
#[test]
fn an_interval_never_changes() {
    let trial = |trial, slices: [u64; 3]| TrialFigure {
        trial,
        ms_per_op: slices.iter().sum::<u64>() as f64 / 3e8,
        blocks: slices.map(|elapsed_ns| Block { operations: 100, elapsed_ns }).to_vec(),
        rounding_pct: 0.0,
    };
    let a = Series {
        key: key(),
        trials: vec![trial(1, [90, 100, 110].map(|ms| ms * 1_000_000)), trial(2, [101_000_000; 3])],
    };
    let b = Series {
        key: key(),
        trials: vec![trial(1, [80, 81, 82].map(|ms| ms * 1_000_000)), trial(2, [84_000_000; 3])],
    };
    let interval = ratio(&a, &b).unwrap();
    assert_eq!((interval.ratio, interval.low, interval.high), (1.218_182, 0.964_151_7, 1.514_861));
}

fn any_series() -> impl Strategy<Value = Series> {
    let block = (1..10_000u64, 1..1_000_000_000_000u64)
        .prop_map(|(operations, elapsed_ns)| Block { operations, elapsed_ns });
    let trial = (prop::collection::vec(block, 0..6), 1e-9..1e9, 0.0..120.0).prop_map(
        |(blocks, ms_per_op, rounding_pct)| TrialFigure { trial: 1, ms_per_op, blocks, rounding_pct },
    );
    prop::collection::vec(trial, 0..5).prop_map(|trials| Series { key: key(), trials })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_interval_holds_its_ratio_and_swapping_the_sides_inverts_it(a in any_series(), b in any_series()) {
        let interval = ratio(&a, &b);
        prop_assert_eq!(interval, ratio(&a, &b));
        prop_assert_eq!(interval.is_none(), a.trials.is_empty() || b.trials.is_empty());
        if let Some(interval) = interval {
            prop_assert!(0.0 < interval.low && interval.low <= interval.ratio, "{:?}", interval);
            prop_assert!(interval.ratio <= interval.high && interval.high.is_finite(), "{:?}", interval);
            let swapped = ratio(&b, &a).unwrap();
            for (one, other) in [
                (interval.ratio, swapped.ratio),
                (interval.low, swapped.high),
                (interval.high, swapped.low),
            ] {
                // Both have seven digits.
                prop_assert!((one * other - 1.0).abs() < 1.1e-6, "{:?} {:?}", interval, swapped);
            }
        }
    }

    #[test]
    fn a_series_against_itself_covers_1(a in any_series()) {
        if let Some(interval) = ratio(&a, &a) {
            prop_assert!(interval.ratio == 1.0 && interval.low <= 1.0 && interval.high >= 1.0);
        }
    }

    #[test]
    fn text_stays_text(bytes in any::<[u8; 24]>()) {
        let name: String = String::from_utf8_lossy(&bytes).into_owned();
        let folder = Folder::of(&[vec![phase(&name, &name, &name, &SLICES)]]);
        let run = folder.read();
        let text = render_text(&compare(&run, &run));
        prop_assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{}", text);
    }
}

const SLICES: [(u64, u64); 4] = [(50, 100_000_000), (52, 100_500_000), (49, 99_900_000), (50, 101_000_000)];

/// The same slices, each this much slower.
fn slower(percent: u64) -> Vec<(u64, u64)> {
    SLICES.map(|(operations, elapsed_ns)| (operations, elapsed_ns / 100 * (100 + percent))).to_vec()
}

fn trials(percent: u64) -> Vec<Vec<Value>> {
    let trial = |noise| {
        vec![
            phase("ML-DSA-65", "openssl", "sign", &slower(percent + noise)),
            phase("ML-DSA-65", "openssl", "verify", &slower(noise)),
        ]
    };
    vec![trial(0), trial(1), trial(2)]
}

#[test]
fn a_run_against_itself_shows_no_difference() {
    let run = Folder::of(&trials(0)).read();
    assert_eq!(run.findings, []);
    let comparison = compare(&run, &run);
    assert_eq!(comparison.refusals, [""; 0]);
    assert_eq!((comparison.rows.len(), comparison.only_in_a.len(), comparison.only_in_b.len()), (2, 0, 0));
    for row in &comparison.rows {
        assert_eq!((row.interval.ratio, row.verdict, row.basis), (1.0, Verdict::NoDifference, Basis::Trials));
        assert!(row.interval.low < 1.0 && row.interval.high > 1.0, "{row:?}");
    }
}

#[test]
fn what_is_slower_by_half_is_called_so_from_both_sides() {
    let (a, b) = (Folder::of(&trials(50)).read(), Folder::of(&trials(0)).read());
    let [there, back] = [compare(&a, &b), compare(&b, &a)];
    let verdicts = |comparison: &pqsig_audit::compare::Comparison| {
        comparison.rows.iter().map(|row| row.verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(&there), [Verdict::BFaster, Verdict::NoDifference]);
    assert_eq!(verdicts(&back), [Verdict::AFaster, Verdict::NoDifference]);
    assert!((there.rows[0].interval.ratio - 1.5).abs() < 0.01, "{there:?}");
    assert_eq!((there.rows[0].trials_a, there.rows[0].trials_b), (3, 3));
    let text = render_text(&there);
    assert!(text.contains("\nML-DSA-65 (pqsig-speed)\n  openssl sign"), "{text}");
    assert!(text.contains("b faster\n"), "{text}");
}

/// What `compare` says against a run and the same run with one field changed in all trials.
fn refusals(pointer: &str, value: &Value) -> Vec<String> {
    let run = |change: bool| {
        Folder::changed(&trials(0), |_, line| {
            if change && line["type"] == "run" {
                *line.pointer_mut(pointer).unwrap() = value.clone();
            }
        })
        .read()
    };
    compare(&run(false), &run(true)).refusals
}

#[test]
fn runs_under_other_conditions_are_refused_each_for_its_reason() {
    for (pointer, value, refusal) in [
        ("/host/cpu", json!("Model 2"), "CPU: \"Model 1\" in a, \"Model 2\" in b"),
        ("/host/cpu", json!(null), "CPU: \"Model 1\" in a, unknown in b"),
        ("/host/architecture", json!("aarch64"), "architecture: \"x86_64\" in a, \"aarch64\" in b"),
        ("/options/deterministic", json!(true), "signing: \"hedged\" in a, \"deterministic\" in b"),
        ("/options/message_size_bytes", json!(64), "message size in bytes: 32 in a, 64 in b"),
        ("/options/context_size_bytes", json!(7), "context size in bytes: 0 in a, 7 in b"),
        ("/program/debug_assertions", json!(true), "debug assertions: false in a, true in b"),
    ] {
        assert_eq!(refusals(pointer, &value), [refusal], "{pointer}");
    }
    let threads = refusals("/options/threads", &json!(2));
    assert_eq!(threads, ["threads: 1 in a, 2 in b"]);
    for pointer in ["/host/kernel", "/run_id", "/program/version"] {
        assert_eq!(refusals(pointer, &json!("another")), [""; 0], "{pointer}");
    }
    // A refusal does not keep the rows away: --force shows them.
    let other = Folder::changed(&trials(0), |_, line| {
        if line["type"] == "run" {
            line["host"]["cpu"] = json!("Model 2");
        }
    });
    assert_eq!(compare(&Folder::of(&trials(0)).read(), &other.read()).rows.len(), 2);
}

#[test]
fn other_versions_are_what_one_compares() {
    let newer = Folder::changed(&trials(0), |_, line| {
        if line["type"] == "phase" {
            line["backend_version"] = json!("2.0");
        }
    });
    let comparison = compare(&Folder::of(&trials(0)).read(), &newer.read());
    assert_eq!(comparison.refusals, [""; 0]);
    let versions = (comparison.rows[0].version_a.as_deref(), comparison.rows[0].version_b.as_deref());
    assert_eq!(versions, (Some("1.0"), Some("2.0")));
    assert!(render_text(&comparison).contains("    a: 1.0\n    b: 2.0\n"));
}

#[test]
fn without_several_trials_slices_are_the_unit_and_the_row_says_so() {
    let (one, three) = (Folder::of(&trials(0)[..1]).read(), Folder::of(&trials(50)).read());
    let row = &compare(&one, &three).rows[0];
    assert_eq!((row.basis, row.verdict, row.trials_a, row.trials_b), (Basis::Slices, Verdict::AFaster, 1, 3));
    let text = render_text(&compare(&one, &three));
    assert!(
        text.contains("    trials: 1 in a, 3 in b; the interval rests on slices of one trial\n"),
        "{text}"
    );
}

#[test]
fn one_average_shows_nothing_however_large_the_difference() {
    let without_slices = |percent| {
        Folder::changed(&trials(percent)[..1], |_, line| {
            line.as_object_mut().unwrap().remove("timeline");
        })
        .read()
    };
    let row = &compare(&without_slices(0), &without_slices(400)).rows[0];
    assert_eq!((row.basis, row.verdict), (Basis::Average, Verdict::Unknown));
    assert_eq!((row.interval.low, row.interval.high), (row.interval.ratio, row.interval.ratio));
    assert_eq!(row.verdict.to_string(), "unknown: a side has but one average");
    // Three averages do.
    let three = Folder::of(&trials(400));
    let run = Run::read(three.path(), Detail::Figures).unwrap();
    assert_eq!(compare(&run, &run).rows[0].basis, Basis::Trials);
    assert_eq!(compare(&without_slices(0), &run).rows[0].verdict, Verdict::Unknown);
}

#[test]
fn what_only_one_side_has_is_named_and_failed_phases_are_left_out() {
    let fewer = Folder::changed(&trials(0), |_, line| {
        if line["operation"] == "verify" {
            line["failure"] = json!("broke");
        }
        if line["type"] == "end" {
            line["failed"] = json!(1);
        }
    });
    let comparison = compare(&Folder::of(&trials(0)).read(), &fewer.read());
    assert_eq!(comparison.rows.len(), 1);
    let names: Vec<String> = comparison.only_in_a.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["ML-DSA-65 openssl verify (pqsig-speed)"]);
    assert_eq!(comparison.only_in_b, []);
}

#[test]
fn a_series_has_the_time_of_one_thread() {
    let folder = Folder::changed(&trials(0)[..1], |_, line| {
        if line["type"] == "run" {
            line["options"]["threads"] = json!(2);
        } else if line["type"] == "phase" {
            // Twice the threads take twice the time of one.
            line["min_ns"] = json!(1);
            line["max_ns"] = json!(1_000_000_000);
        }
    });
    let series = series(&folder.read());
    let [sign, _] = series.as_slice() else { panic!("{series:?}") };
    assert_eq!(sign.key, key());
    let trial = &sign.trials[0];
    assert_eq!(trial.blocks[0], Block { operations: 50, elapsed_ns: 200_000_000 });
    let operations: u64 = trial.blocks.iter().map(|block| block.operations).sum();
    let elapsed_ns: u64 = trial.blocks.iter().map(|block| block.elapsed_ns).sum();
    assert!((elapsed_ns as f64 / operations as f64 / 1e6 / trial.ms_per_op - 1.0).abs() < 1e-6, "{trial:?}");
}

/// A folder with recorded logs of `openssl speed` and a host.json.
fn openssl(log: &str) -> Run {
    let folder = Folder::empty();
    let logs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs");
    for stream in ["stdout", "stderr"] {
        let text = std::fs::read_to_string(logs.join(format!("{log}.{stream}.txt"))).unwrap();
        folder.write(&format!("trial-1.{stream}.txt"), &text);
    }
    folder.write("host.json", &made::host_json(&made::state(0), &made::state(9)));
    folder.read()
}

#[test]
fn clocks_and_processes_of_openssl_speed_are_held_against_each_other() {
    let elapsed = openssl("3.6.3-elapsed");
    assert_eq!(compare(&elapsed, &elapsed).refusals, [""; 0]);
    assert_eq!(compare(&elapsed, &openssl("3.5.5-elapsed")).refusals, [""; 0]);
    assert_eq!(
        compare(&elapsed, &openssl("3.6.3-cpu")).refusals,
        ["clock of openssl speed: Elapsed in a, CpuTime in b"]
    );
    let multi = compare(&elapsed, &openssl("3.6.3-multi")).refusals;
    assert!(
        multi.iter().any(|refusal| refusal.starts_with("-multi of openssl speed: 1 in a, ")),
        "{multi:?}"
    );
    let rows = compare(&elapsed, &openssl("3.5.5-elapsed")).rows;
    assert!(!rows.is_empty() && rows.iter().all(|row| row.verdict == Verdict::Unknown), "{rows:?}");
    // The times in the log are whole hundredths of a second.
    assert!(rows.iter().all(|row| row.interval.low < row.interval.ratio), "{rows:?}");
}

#[test]
fn a_comparison_is_json_for_programs() {
    let run = Folder::of(&trials(0)[..1]).read();
    let value = serde_json::to_value(compare(&run, &run)).unwrap();
    let row = &value["rows"][0];
    for (field, expected) in [
        ("source", json!("pqsig-speed")),
        ("algorithm", json!("ML-DSA-65")),
        ("backend", json!("openssl")),
        ("operation", json!("sign")),
        ("ratio", json!(1.0)),
        ("trials_a", json!(1)),
        ("version_b", json!("1.0")),
        ("interval_rests_on", json!("slices of one trial")),
        ("verdict", json!("no difference shown")),
    ] {
        assert_eq!(row[field], expected, "{field}");
    }
    assert!(row["low"].as_f64() < row["high"].as_f64(), "{row}");
    for field in ["refusals", "only_in_a", "only_in_b"] {
        assert_eq!(value[field], json!([]), "{field}");
    }
}
