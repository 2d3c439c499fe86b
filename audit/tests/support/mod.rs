//! Small runs to test with, and the program.

#![allow(dead_code, reason = "each test file uses its part")]

pub(crate) mod browser;
pub(crate) mod course;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

/// A run in a temporary folder: three trials of `openssl speed` and of pqsig's backends `aws-lc` and
/// `openssl`, on ML-DSA-65 and Ed25519. Its figures are round, and differ by 1% from trial to trial.
pub(crate) struct Fixture {
    pub(crate) folder: tempfile::TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let fixture = Fixture { folder: tempfile::tempdir().unwrap() };
        for trial in 1..=3 {
            fixture.write(&format!("trial-{trial}.jsonl"), &pqsig_log(trial));
            let (stdout, stderr) = openssl_logs(trial);
            fixture.write(&format!("trial-{trial}.stdout.txt"), &stdout);
            fixture.write(&format!("trial-{trial}.stderr.txt"), &stderr);
        }
        fixture
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).unwrap();
    }

    /// Changes a file by replacing text, which must be in it.
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name} lacks `{from}`:\n{text}");
        self.write(name, &text.replacen(from, to, 1));
    }

    /// Runs the program with a subcommand and this folder.
    pub(crate) fn audit(&self, arguments: &[&str]) -> Said {
        let mut words: Vec<&str> = arguments.to_vec();
        words.push(self.path().to_str().unwrap());
        audit(&words)
    }

    /// Names of the files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// What the program said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Said {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub(crate) fn audit(arguments: &[&str]) -> Said {
    program().args(arguments).output().unwrap().into()
}

pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_pqsig-audit"))
}

/// Signing, verifying and generating by both backends: algorithm, backend, operation, ns per operation.
const PHASES: [(&str, &str, &str, u64); 11] = [
    ("ML-DSA-65", "aws-lc", "keygen", 60_000),
    ("ML-DSA-65", "openssl", "keygen", 210_000),
    ("ML-DSA-65", "aws-lc", "sign", 200_000),
    ("ML-DSA-65", "openssl", "sign", 1_170_000),
    ("ML-DSA-65", "aws-lc", "verify", 65_000),
    ("ML-DSA-65", "openssl", "verify", 220_000),
    ("Ed25519", "aws-lc", "sign", 15_000),
    ("Ed25519", "openssl", "sign", 45_000),
    ("Ed25519", "openssl", "verify", 120_000),
    ("Ed25519", "aws-lc", "keygen", 15_000),
    ("Ed25519", "openssl", "keygen", 46_000),
];

/// A second of each phase. Signing times of ML-DSA are spread as by rejection, the others within a tenth.
pub(crate) fn pqsig_log(trial: u32) -> String {
    let mut lines = vec![run_line(trial)];
    for (sequence, (algorithm, backend, operation, ns)) in PHASES.into_iter().enumerate() {
        let mean = ns + ns * u64::from(trial - 1) / 100;
        let operations = 1_000_000_000 / mean;
        let spread = if algorithm.starts_with("ML-DSA") && operation == "sign" { 4 } else { 1 };
        lines.push(json!({
            "type": "phase",
            "sequence": sequence,
            "algorithm": algorithm,
            "backend": backend,
            "backend_version": version(algorithm, backend),
            "provider": null,
            "operation": operation,
            "operations": operations,
            "elapsed_ns": operations * mean,
            "slices": 10,
            "batch": 1,
            "min_ns": mean / 2,
            "p50_ns": mean * 9 / 10,
            "p99_ns": mean + mean * spread,
            "max_ns": mean + 2 * mean * spread,
            "failure": null,
        }));
    }
    let end = json!({
        "type": "end", "phases": PHASES.len(), "failed": 0, "elapsed_ns": 12_000_000_000_u64, "after": state(),
    });
    lines.push(end);
    lines.into_iter().flat_map(|line| [line.to_string(), "\n".to_owned()]).collect()
}

/// A backend may have a version per family of algorithms.
fn version(algorithm: &str, backend: &str) -> &'static str {
    match (algorithm, backend) {
        (_, "openssl") => "OpenSSL 3.6.3 9 Jun 2026",
        ("Ed25519", _) => "AWS-LC 1.62, curve25519",
        _ => "AWS-LC 1.62",
    }
}

fn run_line(trial: u32) -> Value {
    json!({
        "type": "run",
        "schema": "pqsig-trial/1",
        "run_id": "1796124607000-42",
        "trial": trial,
        "trials": 3,
        "started_unix_ms": 1_796_124_607_000_u64 + 20_000 * u64::from(trial),
        "program": {
            "name": "pqsig-speed", "version": "0.1.0", "debug_assertions": false, "target": "x86_64-linux",
        },
        "options": {
            "algorithms": ["ML-DSA-65", "Ed25519"],
            "backends": ["aws-lc", "openssl"],
            "operations": ["keygen", "sign", "verify"],
            "duration_ns": 1_000_000_000,
            "message_size_bytes": 32,
            "context_size_bytes": 0,
            "deterministic": false,
            "threads": 1,
            "keep_samples": false,
        },
        "clock": { "step_ns": 20, "read_ns": 22 },
        "host": {
            "cpu": "Example CPU 1", "architecture": "x86_64", "cpu_features": ["avx2"], "physical_cores": 2,
            "logical_cores": 2, "cpu_max_mhz": null, "turbo": null, "memory_bytes": 8_000_000_000_u64,
            "os": "Linux", "kernel": "6.1", "virtualization": null, "clock_source": "tsc",
        },
        "before": state(),
    })
}

fn state() -> Value {
    json!({
        "cpu_mhz": 2600, "governor": null, "load_1min": 0.1, "load_5min": 0.1, "load_15min": 0.1,
        "memory_available_bytes": 7_000_000_000_u64, "cpu_steal_ms": 0, "cpu_busy_ms": 1000,
        "temperature_celsius": null,
    })
}

/// stdout and stderr of `openssl speed -elapsed -seconds 1 ML-DSA-65`.
pub(crate) fn openssl_logs(trial: u32) -> (String, String) {
    let (keygen, sign, verify) = (4700 - trial * 47, 850 - trial * 8, 4500 - trial * 45);
    let stderr = format!(
        "You have chosen to measure elapsed time instead of user CPU time.\n\
         Doing ML-DSA-65 keygen ops for 1s: {keygen} ML-DSA-65 signature keygen ops in 1.00s\n\
         Doing ML-DSA-65 signs ops for 1s: {sign} ML-DSA-65 signature sign ops in 1.00s\n\
         Doing ML-DSA-65 verify ops for 1s: {verify} ML-DSA-65 signature verify ops in 1.00s\n"
    );
    let time = |count: u32| format!("{:>8.6}s", 1.0 / f64::from(count));
    let rate = |count: u32| format!("{:>9.1}", f64::from(count));
    let stdout = format!(
        "version: 3.6.3\n\
         built on: Tue Dec  1 12:00:00 2026 UTC\n\
         options: bn(64,64)\n\
         compiler: gcc -O2\n\
         CPUINFO: OPENSSL_ia32cap=0xfffa3203478bffff:0x415f46f1bf0007ab\n\
         {:31}keygen     signs    verify keygens/s    sign/s  verify/s\n\
         {:>27} {} {} {} {} {} {}\n",
        "",
        "ML-DSA-65",
        time(keygen),
        time(sign),
        time(verify),
        rate(keygen),
        rate(sign),
        rate(verify),
    );
    (stdout, stderr)
}
