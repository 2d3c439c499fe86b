//! Run folders that are made up, written as pqsig and OpenSSL write them.

use std::fs;
use std::path::Path;

use pqsig_audit::{Detail, Run};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A phase whose slices take these ns, with this many operations each.
pub(crate) fn phase(algorithm: &str, backend: &str, operation: &str, slices: &[(u64, u64)]) -> Value {
    let operations: u64 = slices.iter().map(|(operations, _)| operations).sum();
    let elapsed_ns: u64 = slices.iter().map(|(_, elapsed_ns)| elapsed_ns).sum();
    let mean_ns = elapsed_ns / operations;
    let starts = slices.iter().scan(0, |next, (_, elapsed_ns)| {
        let start = *next;
        *next += elapsed_ns;
        Some(start)
    });
    json!({
        "type": "phase", "sequence": 0, "algorithm": algorithm, "backend": backend,
        "backend_version": "1.0", "provider": null, "operation": operation,
        "operations": operations, "elapsed_ns": elapsed_ns, "slices": slices.len(), "batch": 1,
        "min_ns": mean_ns / 4, "p50_ns": mean_ns * 4 / 5, "p99_ns": mean_ns * 4, "max_ns": mean_ns * 5,
        "failure": null,
        "timeline": {
            "start_ns": starts.collect::<Vec<u64>>(),
            "operations": slices.iter().map(|(operations, _)| operations).collect::<Vec<_>>(),
            "elapsed_ns": slices.iter().map(|(_, elapsed_ns)| elapsed_ns).collect::<Vec<_>>(),
        }
    })
}

/// A folder with runs of pqsig's trials: each list of phases is a trial.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn empty() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn of(trials: &[Vec<Value>]) -> Self {
        Folder::changed(trials, |_, _| {})
    }

    /// `change` gets every line of every trial, with the trial's number.
    pub(crate) fn changed(trials: &[Vec<Value>], mut change: impl FnMut(u32, &mut Value)) -> Self {
        let folder = Folder::empty();
        let count = u32::try_from(trials.len()).unwrap();
        for (phases, number) in trials.iter().zip(1..) {
            let mut lines = vec![head(number, count)];
            lines.extend(phases.iter().cloned());
            lines.push(end(phases.len()));
            for line in &mut lines {
                change(number, line);
            }
            let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
            folder.write(&format!("trial-{number}.jsonl"), &format!("{}\n", lines.join("\n")));
        }
        folder
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn read(&self) -> Run {
        Run::read(self.path(), Detail::Course).unwrap()
    }
}

fn head(number: u32, trials: u32) -> Value {
    json!({
        "type": "run", "schema": "pqsig-trial/1", "run_id": "1796140800000-1", "trial": number,
        "trials": trials, "started_unix_ms": 1_796_140_800_000_u64 + 60_000 * u64::from(number),
        "program": {
            "name": "pqsig-speed", "version": "0.1.0", "debug_assertions": false, "target": "x86_64-linux"
        },
        "options": {
            "algorithms": [], "backends": [], "operations": [], "duration_ns": 1_000_000_000,
            "message_size_bytes": 32, "context_size_bytes": 0, "deterministic": false, "threads": 1,
            "keep_samples": false
        },
        "clock": {"step_ns": 30, "read_ns": 25},
        "host": host(),
        "before": state(0)
    })
}

fn end(phases: usize) -> Value {
    json!({"type": "end", "phases": phases, "failed": 0, "elapsed_ns": 20_000_000_000_u64, "after": state(20_000)})
}

/// The machine that everything is made up for.
pub(crate) fn host() -> Value {
    json!({
        "cpu": "Model 1", "architecture": "x86_64", "cpu_features": [], "physical_cores": 4,
        "logical_cores": 8, "cpu_max_mhz": null, "turbo": null, "memory_bytes": 16_000_000_000_u64,
        "os": "Linux 6", "kernel": "6.1", "virtualization": "kvm", "clock_source": "tsc"
    })
}

/// Its state when it has been busy for so many ms more.
pub(crate) fn state(busy_ms: u64) -> Value {
    json!({
        "cpu_mhz": 3000, "governor": "performance", "load_1min": 0.5, "load_5min": 0.5, "load_15min": 0.5,
        "memory_available_bytes": 8_000_000_000_u64, "cpu_steal_ms": 100, "cpu_busy_ms": 1_000_000 + busy_ms,
        "temperature_celsius": 60.0, "power_source": "mains"
    })
}

/// A host.json.
pub(crate) fn host_json(before: &Value, after: &Value) -> String {
    let snapshot =
        |unix_ms: u64, state: &Value| json!({"taken_unix_ms": unix_ms, "host": host(), "state": state});
    json!({
        "schema": "pqsig-host/1",
        "before": snapshot(1_796_140_800_000, before),
        "after": snapshot(1_796_141_800_000, after)
    })
    .to_string()
}
