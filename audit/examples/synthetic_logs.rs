//! Writes trial logs of a run that never took place, as large as asked for and always the same: what
//! `nu scripts/bench.nu --only audit` summarizes.
//!
//! `synthetic_logs FOLDER LOGS` writes FOLDER/trial-1.jsonl and so on. A log has 54 phases of 56 samples each, with
//! everything that a real one has, and agrees with itself as a real one does ([`Phase::check`]). The last line
//! on stdout says in JSON what was written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use pqsig_speed::Operation;
use pqsig_speed::clock::Precision;
use pqsig_speed::host::{Host, HostState};
use pqsig_speed::record::{End, Line, OptionsRecord, Phase, Program, Run, Schema, Skipped, Timeline};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

/// Each with the time of one signature by the fastest backend, in ns.
const ALGORITHMS: [(&str, u64); 6] = [
    ("ML-DSA-44", 150_000),
    ("ML-DSA-65", 206_000),
    ("ML-DSA-87", 260_000),
    ("SLH-DSA-SHA2-128s", 190_000_000),
    ("SLH-DSA-SHA2-128f", 9_900_000),
    ("SLH-DSA-SHA2-256f", 36_000_000),
];
const BACKENDS: [&str; 4] = ["openssl", "rustcrypto", "fips204", "fips205"];
const SLICES: usize = 14;
const SAMPLES_PER_SLICE: usize = 4;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, logs) = match arguments.as_slice() {
        [folder, logs] => (PathBuf::from(folder), logs.parse()),
        _ => (PathBuf::new(), "".parse()),
    };
    let Ok(logs) = logs else {
        eprintln!("usage: synthetic_logs FOLDER LOGS");
        return ExitCode::from(2);
    };
    match write_all(&folder, logs) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn write_all(folder: &Path, logs: u32) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let (mut samples, mut bytes) = (0, 0);
    for trial in 1..=logs {
        let path = folder.join(format!("trial-{trial}.jsonl"));
        samples += write_log(&path, trial, logs)?;
        bytes += fs::metadata(&path)?.len();
    }
    println!("{{\"logs\":{logs},\"samples\":{samples},\"bytes\":{bytes}}}");
    Ok(())
}

/// Writes one log and counts its samples.
fn write_log(path: &Path, trial: u32, trials: u32) -> io::Result<usize> {
    let mut writer = BufWriter::new(File::create(path)?);
    // A stream of its own for each trial: more logs leave the first ones as they were.
    let mut random = ChaCha8Rng::seed_from_u64(trial.into());
    append(&mut writer, &Line::Run(Box::new(run(trial, trials))))?;
    for (algorithm, _) in ALGORITHMS {
        for backend in BACKENDS.into_iter().filter(|backend| !has(backend, algorithm)) {
            for operation in Operation::ALL {
                append(&mut writer, &Line::Skipped(skipped(algorithm, backend, operation)))?;
            }
        }
    }
    let (mut samples, mut now_ns, mut sequence) = (0, 0, 0);
    for (algorithm, sign_ns) in ALGORITHMS {
        for (place, backend) in (1..).zip(BACKENDS.into_iter().filter(|backend| has(backend, algorithm))) {
            for operation in Operation::ALL {
                let phase = phase(
                    sequence,
                    (algorithm, backend, operation),
                    sign_ns * place,
                    &mut now_ns,
                    &mut random,
                );
                phase.check(1).map_err(io::Error::other)?;
                samples += phase.samples_ns.as_ref().map_or(0, Vec::len);
                sequence += 1;
                append(&mut writer, &Line::Phase(phase))?;
            }
        }
    }
    let end = End { phases: sequence, failed: 0, elapsed_ns: now_ns, after: HostState::default() };
    append(&mut writer, &Line::End(end))?;
    writer.flush()?;
    Ok(samples)
}

fn append(writer: &mut impl io::Write, line: &Line) -> io::Result<()> {
    serde_json::to_writer(&mut *writer, line)?;
    writer.write_all(b"\n")
}

fn has(backend: &str, algorithm: &str) -> bool {
    match backend {
        "fips204" => algorithm.starts_with("ML-DSA"),
        "fips205" => algorithm.starts_with("SLH-DSA"),
        _ => true,
    }
}

fn run(trial: u32, trials: u32) -> Run {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Run {
        schema: Schema,
        run_id: "synthetic".to_owned(),
        trial,
        trials,
        started_unix_ms: 1_764_547_200_000 + u64::from(trial) * 60_000,
        program: Program {
            name: "pqsig-speed".to_owned(),
            version: "0.1.0".to_owned(),
            debug_assertions: false,
            target: "x86_64-linux".to_owned(),
        },
        options: OptionsRecord {
            algorithms: names(&ALGORITHMS.map(|(name, _)| name)),
            backends: names(&BACKENDS),
            operations: names(&Operation::ALL.map(Operation::name)),
            duration_ns: 1_000_000_000,
            message_size_bytes: 32,
            context_size_bytes: 0,
            deterministic: false,
            threads: 1,
            keep_samples: true,
        },
        clock: Precision { step_ns: 25, read_ns: 25 },
        host: Host {
            cpu: Some("Synthetic CPU @ 2.00GHz".to_owned()),
            architecture: "x86_64".to_owned(),
            logical_cores: Some(2),
            ..Host::default()
        },
        before: HostState::default(),
    }
}

fn skipped(algorithm: &str, backend: &str, operation: Operation) -> Skipped {
    Skipped {
        algorithm: algorithm.to_owned(),
        backend: backend.to_owned(),
        operation: operation.name().to_owned(),
        reason: format!("{backend} does not have {algorithm}"),
    }
}

/// A phase that takes its time from `now_ns` on.
fn phase(
    sequence: u32,
    (algorithm, backend, operation): (&str, &str, Operation),
    sign_ns: u64,
    now_ns: &mut u64,
    random: &mut ChaCha8Rng,
) -> Phase {
    let samples: Vec<u64> = (0..SLICES * SAMPLES_PER_SLICE)
        .map(|_| sample_ns(algorithm.starts_with("ML-DSA"), operation, sign_ns, random))
        .collect();
    let mut timeline = Timeline::default();
    for slice in samples.chunks(SAMPLES_PER_SLICE) {
        let elapsed_ns = slice.iter().sum();
        timeline.start_ns.push(*now_ns);
        timeline.operations.push(slice.len() as u64);
        timeline.elapsed_ns.push(elapsed_ns);
        *now_ns += elapsed_ns + 1000;
    }
    let mut sorted = samples.clone();
    sorted.sort_unstable();
    let percentiles = percentiles(&sorted);
    Phase {
        sequence,
        algorithm: algorithm.to_owned(),
        backend: backend.to_owned(),
        backend_version: format!("{backend} of no version"),
        provider: (backend == "openssl").then(|| "default".to_owned()),
        operation: operation.name().to_owned(),
        operations: samples.len() as u64,
        elapsed_ns: samples.iter().sum(),
        slices: u32::try_from(SLICES).unwrap_or(u32::MAX),
        batch: 1,
        min_ns: percentiles.first().copied(),
        p50_ns: percentiles.get(50).copied(),
        p99_ns: percentiles.get(99).copied(),
        max_ns: percentiles.last().copied(),
        failure: None,
        samples_ns: Some(samples),
        samples_dropped: None,
        percentiles_ns: Some(percentiles),
        timeline: Some(timeline),
    }
}

/// ML-DSA signs again until a signature fits; everything else takes the same time but for a few percent.
fn sample_ns(repeats: bool, operation: Operation, sign_ns: u64, random: &mut ChaCha8Rng) -> u64 {
    let mut draw = |bound: u32| u64::from(random.next_u32() % bound);
    let mut repetitions = 4;
    let base_ns = match operation {
        Operation::Keygen => sign_ns / 4,
        Operation::Verify => sign_ns / 3,
        Operation::Sign => {
            while repeats && draw(4) != 0 && repetitions < 100 {
                repetitions += 3;
            }
            sign_ns
        }
    };
    base_ns * repetitions / 4 + base_ns / 1000 * draw(40)
}

/// The 0th to the 100th, nearest rank.
fn percentiles(sorted: &[u64]) -> Vec<u64> {
    let rank = |percent: usize| (percent * sorted.len()).div_ceil(100).max(1);
    (0..=100).filter_map(|percent| sorted.get(rank(percent) - 1).copied()).collect()
}
