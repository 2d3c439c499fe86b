//! Runs whose logs have percentiles and a course in time, for what stands on them.

use serde_json::{Value, json};

use super::Fixture;

/// The fixture with percentiles and a timeline in each phase of pqsig's logs.
pub(crate) fn fixture_with_course() -> Fixture {
    let fixture = Fixture::new();
    for trial in 1..=3 {
        let name = format!("trial-{trial}.jsonl");
        let lines = fixture.read(&name);
        let lines = lines.lines().map(|line| with_course(serde_json::from_str(line).unwrap()));
        fixture.write(&name, &join(lines.map(|line| line.to_string())));
    }
    fixture
}

/// A file of these lines.
fn join(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().flat_map(|line| [line, "\n".to_owned()]).collect()
}

/// A phase's line with what later versions add; other lines as they are.
fn with_course(mut line: Value) -> Value {
    if line["type"] != "phase" {
        return line;
    }
    let number = |name: &str| line[name].as_u64().unwrap();
    let (operations, elapsed, slices) = (number("operations"), number("elapsed_ns"), number("slices"));
    let known =
        [(0, number("min_ns")), (50, number("p50_ns")), (99, number("p99_ns")), (100, number("max_ns"))];
    // Phases of one algorithm take turns slice by slice.
    let turn = number("sequence") * elapsed / slices;
    // All slices but the last have the same share.
    let shares = |total: u64| {
        let share = total / slices;
        let mut shares = vec![share; usize::try_from(slices).unwrap()];
        *shares.last_mut().unwrap() += total - share * slices;
        shares
    };
    let starts: Vec<u64> = (0..slices).map(|slice| turn + slice * 11 * elapsed / slices).collect();
    let timeline =
        json!({ "start_ns": starts, "operations": shares(operations), "elapsed_ns": shares(elapsed) });
    line["percentiles_ns"] = json!(percentiles(&known));
    line["timeline"] = timeline;
    line
}

/// Straight lines between the percentiles that are known.
fn percentiles(known: &[(u64, u64)]) -> Vec<u64> {
    let between = |percent: u64| {
        let pair = known.windows(2).find(|pair| percent <= pair[1].0).unwrap();
        let ((from, low), (to, high)) = (pair[0], pair[1]);
        low + (high - low) * (percent - from) / (to - from)
    };
    (0..=100).map(between).collect()
}

/// What [`large_log`] times: algorithms x backends x operations.
pub(crate) const LARGE_SERIES: usize = 16 * 6 * 3;

/// A log of every algorithm by six backends, whose phases have as many slices as fit.
pub(crate) fn large_log(trial: u32) -> String {
    let backends = ["aws-lc", "fips204", "fips205", "libcrux", "openssl", "rustcrypto"];
    let algorithms: Vec<&str> = pqsig::Algorithm::all().map(pqsig::Algorithm::name).take(16).collect();
    let pairs = algorithms.iter().flat_map(|algorithm| {
        backends.iter().map(move |backend| ((*algorithm).to_owned(), (*backend).to_owned()))
    });
    log_of(trial, pairs.collect::<Vec<_>>(), 4096)
}

/// A log of three operations by these algorithms and backends, each in so many slices of one operation.
pub(crate) fn log_of(trial: u32, pairs: impl IntoIterator<Item = (String, String)>, slices: u64) -> String {
    let short = super::pqsig_log(trial);
    let mut lines: Vec<String> = short.lines().take(1).map(str::to_owned).collect();
    let mut sequence = 0_u64;
    for (algorithm, backend) in pairs {
        for operation in ["keygen", "sign", "verify"] {
            // Slices that differ, as they do: a third of the mean from the least to the greatest.
            let elapsed: Vec<u64> = (0..slices).map(|slice| 100_000 + slice * 7919 % 33_331).collect();
            let starts: Vec<u64> = (0..slices).map(|slice| (sequence * slices + slice) * 200_000).collect();
            let (least, greatest) = (*elapsed.iter().min().unwrap(), *elapsed.iter().max().unwrap());
            let known = [(0, least), (50, 116_000), (99, greatest - 1), (100, greatest)];
            let phase = json!({
                "type": "phase", "sequence": sequence, "algorithm": algorithm, "backend": backend,
                "backend_version": "1", "provider": null, "operation": operation, "operations": slices,
                "elapsed_ns": elapsed.iter().sum::<u64>(), "slices": slices, "batch": 1,
                "min_ns": least, "p50_ns": 116_000, "p99_ns": greatest - 1, "max_ns": greatest, "failure": null,
                "percentiles_ns": percentiles(&known),
                "timeline": {
                    "start_ns": starts, "operations": vec![1_u64; elapsed.len()], "elapsed_ns": elapsed,
                },
            });
            lines.push(phase.to_string());
            sequence += 1;
        }
    }
    let mut end: Value = serde_json::from_str(short.lines().last().unwrap()).unwrap();
    end["phases"] = json!(sequence);
    lines.push(end.to_string());
    join(lines)
}
