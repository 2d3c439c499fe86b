use crate::mock::agreeing_phase;
use crate::record::{Phase, Timeline};

/// Without what depends on the single samples.
fn without_samples() -> Phase {
    Phase { samples_ns: None, samples_dropped: None, ..agreeing_phase() }
}

/// Two threads in batches of three: six samples of 100 ns per operation, rounded, which took 899 ns per
/// thread, rounded down.
fn batched() -> Phase {
    Phase {
        operations: 18,
        elapsed_ns: 899,
        slices: 1,
        batch: 3,
        min_ns: Some(100),
        p50_ns: Some(100),
        p99_ns: Some(100),
        max_ns: Some(100),
        samples_ns: Some(vec![100; 6]),
        percentiles_ns: Some(vec![100; 101]),
        timeline: Some(Timeline { start_ns: vec![0], operations: vec![18], elapsed_ns: vec![899] }),
        ..agreeing_phase()
    }
}

fn failed() -> Phase {
    Phase {
        operations: 0,
        elapsed_ns: 0,
        slices: 0,
        min_ns: None,
        p50_ns: None,
        p99_ns: None,
        max_ns: None,
        failure: Some("no such key".to_owned()),
        samples_ns: Some(Vec::new()),
        percentiles_ns: None,
        timeline: None,
        ..agreeing_phase()
    }
}

fn at_once() -> Phase {
    let timeline = Timeline { start_ns: vec![9], operations: vec![0], elapsed_ns: vec![0] };
    Phase { slices: 1, timeline: Some(timeline), ..failed() }
}

#[test]
fn phases_that_agree_pass() {
    let first_version = Phase { percentiles_ns: None, timeline: None, ..agreeing_phase() };
    let dropped =
        Phase { samples_ns: Some(vec![1_400_000, 1_200_000]), samples_dropped: Some(1), ..agreeing_phase() };
    let timeless = Phase {
        elapsed_ns: 0,
        slices: 1,
        min_ns: Some(0),
        p50_ns: Some(0),
        p99_ns: Some(0),
        max_ns: Some(0),
        failure: Some("the clock did not move".to_owned()),
        samples_ns: Some(vec![0; 3]),
        percentiles_ns: Some(vec![0; 101]),
        timeline: Some(Timeline { start_ns: vec![9], operations: vec![3], elapsed_ns: vec![0] }),
        ..agreeing_phase()
    };
    let one_thread =
        [agreeing_phase(), without_samples(), first_version, dropped, timeless, failed(), at_once()];
    for phase in one_thread {
        assert_eq!(phase.check(1), Ok(()), "{phase:?}");
    }
    assert_eq!(batched().check(2), Ok(()));
}

/// The number of threads of a log that was edited may be anything.
#[test]
fn no_threads_count_as_one() {
    assert_eq!(agreeing_phase().check(0), agreeing_phase().check(1));
}

/// Edits a phase and expects the contradiction that is told first.
fn assert_contradiction(mut phase: Phase, edit: impl Fn(&mut Phase), expected: &str) {
    edit(&mut phase);
    assert_eq!(phase.check(1), Err(expected.to_owned()), "{phase:?}");
}

#[test]
fn counts_that_contradict_each_other_are_told() {
    let of = |phase, edit: fn(&mut Phase), expected: &str| assert_contradiction(phase, edit, expected);
    of(agreeing_phase(), |p| p.batch = 0, "batch is 0, at least 1 operation makes a sample");
    of(agreeing_phase(), |p| p.batch = 2, "operations is 3, which is no multiple of batch, 2");
    of(failed(), |p| p.failure = None, "operations is 0, but failure is null");
    of(without_samples(), |p| p.elapsed_ns = 0, "operations is 3, but elapsed_ns is 0 and failure is null");
    of(failed(), |p| p.elapsed_ns = 7, "operations is 0, but elapsed_ns is 7");
    of(agreeing_phase(), |p| p.slices = 0, "operations is 3, but slices is 0");
    let fewer = "slices is 4, which is more than the number of samples, 3";
    of(agreeing_phase(), |p| p.slices = 4, fewer);
    of(
        failed(),
        |p| p.slices = 2,
        "slices without the failed one is 1, which is more than the number of samples, 0",
    );
}

#[test]
fn quantiles_that_contradict_each_other_are_told() {
    let of = |phase, edit: fn(&mut Phase), expected: &str| assert_contradiction(phase, edit, expected);
    of(failed(), |p| p.p99_ns = Some(5), "operations is 0, but p99_ns is 5");
    of(agreeing_phase(), |p| p.p50_ns = None, "operations is 3, but p50_ns is null");
    let order = "min_ns is 1200001, which is more than p50_ns, 1200000";
    of(agreeing_phase(), |p| p.min_ns = Some(1_200_001), order);
    let order = "p50_ns is 2200000, which is more than p99_ns, 1400000";
    of(agreeing_phase(), |p| p.p50_ns = Some(2_200_000), order);
    let order = "p99_ns is 1400001, which is more than max_ns, 1400000";
    of(agreeing_phase(), |p| p.p99_ns = Some(1_400_001), order);
}

#[test]
fn a_time_that_its_samples_can_t_have_is_told() {
    let of = |phase, edit: fn(&mut Phase), expected: &str| assert_contradiction(phase, edit, expected);
    let short =
        "operations x min_ns is 3000000, which is more than the threads' time with its rounding, 2999999";
    of(without_samples(), |p| p.elapsed_ns = 2_999_999, short);
    let long =
        "the threads' time is 4200001, which is more than operations x max_ns with its rounding, 4200000";
    of(without_samples(), |p| p.elapsed_ns = 4_200_001, long);
    // Six samples that are each rounded by up to 1 ns, and the mean of two threads: 1794 to 1806 ns.
    let of_two = |elapsed_ns| {
        let timeline = Timeline { start_ns: vec![0], operations: vec![18], elapsed_ns: vec![elapsed_ns] };
        Phase { elapsed_ns, timeline: Some(timeline), ..batched() }.check(2)
    };
    for elapsed_ns in 897..=903 {
        assert_eq!(of_two(elapsed_ns), Ok(()), "{elapsed_ns}");
    }
    assert!(of_two(896).is_err() && of_two(904).is_err());
}

#[test]
fn percentiles_that_contradict_the_rest_are_told() {
    let of = |edit: fn(&mut Vec<u64>), expected: &str| {
        let edit = |phase: &mut Phase| phase.percentiles_ns.iter_mut().for_each(edit);
        assert_contradiction(without_samples(), edit, expected);
    };
    of(|p| p.truncate(100), "percentiles_ns has 100 values, not 101");
    of(|p| p.push(1_400_000), "percentiles_ns has 102 values, not 101");
    of(|p| p[0] += 1, "percentiles_ns[0] is 1000001, but min_ns is 1000000");
    of(|p| p[50] += 1, "percentiles_ns[50] is 1200001, but p50_ns is 1200000");
    of(|p| p[99] -= 1, "percentiles_ns[99] is 1399999, but p99_ns is 1400000");
    of(|p| p[100] += 1, "percentiles_ns[100] is 1400001, but max_ns is 1400000");
    of(|p| p[7] = 1_300_000, "percentiles_ns[7] is 1300000, which is more than percentiles_ns[8], 1000000");
    let edit = |phase: &mut Phase| phase.percentiles_ns = Some(vec![1; 101]);
    assert_contradiction(failed(), edit, "operations is 0, but percentiles_ns has 101 values");
}

#[test]
fn a_timeline_that_contradicts_the_rest_is_told() {
    let of = |edit: fn(&mut Timeline), expected: &str| {
        let edit = |phase: &mut Phase| phase.timeline.iter_mut().for_each(edit);
        assert_contradiction(without_samples(), edit, expected);
    };
    let one = "timeline.operations has 1 entries, but 2 slices make 2";
    of(|t| t.operations.truncate(1), one);
    of(|t| t.start_ns.push(9_999_999), "timeline.start_ns has 3 entries, but 2 slices make 2");
    of(|t| t.elapsed_ns.clear(), "timeline.elapsed_ns has 0 entries, but 2 slices make 2");
    of(|t| t.operations[0] = 3, "the sum of timeline.operations is 4, but operations is 3");
    of(|t| t.elapsed_ns[1] -= 1, "the sum of timeline.elapsed_ns is 3599999, but elapsed_ns is 3600000");
    let overlap = "the end of timeline entry 0 is 2500501, which is more than the start of entry 1, 2500000";
    of(|t| t.elapsed_ns = vec![2_500_001, 1_099_999], overlap);
    of(
        |t| t.elapsed_ns[0] = u64::MAX,
        "the sum of timeline.elapsed_ns is 18446744073710751615, but elapsed_ns is 3600000",
    );
    let edit = |phase: &mut Phase| phase.slices = 3;
    assert_contradiction(without_samples(), edit, "timeline.start_ns has 2 entries, but 3 slices make 3");
}

#[test]
fn samples_that_contradict_the_rest_are_told() {
    let of = |edit: fn(&mut Vec<u64>), expected: &str| {
        let edit = |phase: &mut Phase| phase.samples_ns.iter_mut().for_each(edit);
        assert_contradiction(agreeing_phase(), edit, expected);
    };
    of(|s| s.truncate(2), "batch x the number of samples is 2, but operations is 3");
    of(|s| s[0] = 900_000, "the least of samples_ns is 900000, but min_ns is 1000000");
    of(|s| s[1] += 1, "the greatest of samples_ns is 1400001, but max_ns is 1400000");
    let more = "batch x the sum of samples_ns is 3600001, which is more than the threads' time with its rounding, 3600000";
    of(|s| s[2] += 1, more);
    let less = "the threads' time is 3600000, which is more than batch x the sum of samples_ns with its rounding, 3599999";
    of(|s| s[2] -= 1, less);

    // Within a thousandth is within the promise.
    let quantile = |p50_ns| Phase { p50_ns: Some(p50_ns), percentiles_ns: None, ..agreeing_phase() };
    assert_eq!(quantile(1_201_200).check(1), Ok(()));
    let off = Err("p50_ns is 1201201, but that of samples_ns is 1200000".to_owned());
    assert_eq!(quantile(1_201_201).check(1), off);
    let edit = |phase: &mut Phase| phase.percentiles_ns.iter_mut().for_each(|p| p[34] = 1_000_000);
    let off = "percentiles_ns[34] is 1000000, but that of samples_ns is 1200000";
    assert_contradiction(agreeing_phase(), edit, off);
}

#[test]
fn samples_of_which_some_were_dropped_are_within_the_bounds() {
    let of = |samples: Vec<u64>| {
        Phase { samples_ns: Some(samples), samples_dropped: Some(1), ..agreeing_phase() }.check(1)
    };
    assert_eq!(of(vec![1_200_000, 1_300_000]), Ok(()));
    let low = "min_ns is 1000000, which is more than the least of samples_ns, 999999";
    assert_eq!(of(vec![999_999, 1_300_000]), Err(low.to_owned()));
    let high = "the greatest of samples_ns is 1400001, which is more than max_ns, 1400000";
    assert_eq!(of(vec![1_200_000, 1_400_001]), Err(high.to_owned()));
    let count = "batch x the number of samples is 2, but operations is 3";
    assert_eq!(of(vec![1_200_000]), Err(count.to_owned()));
}

#[test]
fn the_greatest_numbers_do_not_overflow() {
    let most = u64::MAX;
    let phase = Phase {
        operations: most,
        elapsed_ns: most,
        slices: u32::MAX,
        samples_ns: Some(vec![most; 3]),
        samples_dropped: Some(most),
        min_ns: Some(most),
        p50_ns: Some(most),
        p99_ns: Some(most),
        max_ns: Some(most),
        percentiles_ns: Some(vec![most; 101]),
        timeline: Some(Timeline {
            start_ns: vec![most; 2048],
            operations: vec![most; 2048],
            elapsed_ns: vec![most; 2048],
        }),
        ..agreeing_phase()
    };
    for batch in [0, 1, u32::MAX] {
        assert!(Phase { batch, ..phase.clone() }.check(u32::MAX).is_err());
        let bare = Phase { timeline: None, batch, ..phase.clone() };
        assert!(bare.check(u32::MAX).is_err());
    }
}
