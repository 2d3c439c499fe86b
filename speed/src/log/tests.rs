use proptest::prelude::*;

use super::*;
use crate::clock::Precision;
use crate::host::{Host, HostState};
use crate::mock::agreeing_phase;
use crate::record::{OptionsRecord, Program, Schema};

fn run_line() -> Run {
    Run {
        schema: Schema,
        run_id: "1796124607000-42".to_owned(),
        trial: 1,
        trials: 2,
        started_unix_ms: 1_796_124_607_000,
        program: Program {
            name: "pqsig-speed".to_owned(),
            version: "0.1.0".to_owned(),
            debug_assertions: false,
            target: "x86_64-linux".to_owned(),
        },
        options: OptionsRecord {
            algorithms: vec!["ML-DSA-65".to_owned()],
            backends: vec!["openssl".to_owned()],
            operations: vec!["sign".to_owned()],
            duration_ns: 1_000_000_000,
            message_size_bytes: 32,
            context_size_bytes: 0,
            deterministic: true,
            threads: 1,
            keep_samples: true,
        },
        clock: Precision { step_ns: 20, read_ns: 22 },
        host: Host { cpu: Some("a \"quoted\" processor\n".to_owned()), ..Host::default() },
        before: HostState { load_1min: Some(0.25), ..HostState::default() },
    }
}

fn lines() -> Vec<Line> {
    let skipped = Skipped {
        algorithm: "ML-DSA-65".to_owned(),
        backend: "rustcrypto".to_owned(),
        operation: "sign".to_owned(),
        reason: "the backend does not support a context".to_owned(),
    };
    let end = End { phases: 1, failed: 0, elapsed_ns: 4_000_000, after: HostState::default() };
    vec![
        Line::Run(Box::new(run_line())),
        Line::Skipped(skipped),
        Line::Phase(agreeing_phase()),
        Line::End(end),
    ]
}

fn text(lines: &[Line]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Folder::open(folder.path()).unwrap().create().unwrap();
    for line in lines {
        writer.write(line).unwrap();
    }
    fs::read(writer.path()).unwrap()
}

fn reason(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

#[test]
fn what_is_written_is_read() {
    let lines = lines();
    let written = text(&lines);
    assert_eq!(written.split_inclusive(|byte| *byte == b'\n').count(), lines.len());
    let trial = read(written.as_slice()).unwrap();
    assert!(trial.is_complete());
    let Ending::Whole(end) = trial.ending else { panic!("{:?}", trial.ending) };
    let mut again = vec![Line::Run(Box::new(trial.run))];
    again.extend(trial.skipped.into_iter().map(Line::Skipped));
    again.extend(trial.phases.into_iter().map(Line::Phase));
    again.push(Line::End(end));
    assert_eq!(again, lines);
}

/// The names are the format: whoever changes one changes the schema.
#[test]
fn a_phase_has_the_documented_names() {
    let json: serde_json::Value = serde_json::to_value(Line::Phase(agreeing_phase())).unwrap();
    let mut names: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    let mut expected = [
        "type",
        "sequence",
        "algorithm",
        "backend",
        "backend_version",
        "provider",
        "operation",
        "operations",
        "elapsed_ns",
        "slices",
        "batch",
        "min_ns",
        "p50_ns",
        "p99_ns",
        "max_ns",
        "failure",
        "samples_ns",
        "samples_dropped",
        "percentiles_ns",
        "timeline",
    ];
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!(json["type"], "phase");
    let columns: Vec<_> = json["timeline"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(columns, ["elapsed_ns", "operations", "start_ns"]);

    let bare = Phase {
        samples_ns: None,
        samples_dropped: None,
        percentiles_ns: None,
        timeline: None,
        ..agreeing_phase()
    };
    let json = serde_json::to_value(Line::Phase(bare)).unwrap();
    let optional = ["samples_ns", "samples_dropped", "percentiles_ns", "timeline"];
    assert!(optional.iter().all(|name| json.get(name).is_none()));
}

#[test]
fn a_log_cut_at_any_byte_is_not_complete() {
    let whole = text(&lines());
    let first_line = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for cut in 0..whole.len() {
        match read(&whole[..cut]) {
            Ok(trial) => {
                assert!(cut >= first_line);
                assert!(matches!(trial.ending, Ending::Cut { .. }), "{cut}");
                let at_a_line = whole[cut - 1] == b'\n';
                assert_eq!(trial.ending, Ending::Cut { within_line: !at_a_line });
            }
            Err(error) => assert!(cut < first_line, "{cut}: {error}"),
        }
    }
}

#[test]
fn a_tail_of_zeros_is_a_cut_line() {
    let mut bytes = text(&lines()[..3]);
    bytes.extend_from_slice(&[0; 100]);
    let trial = read(bytes.as_slice()).unwrap();
    assert_eq!(trial.ending, Ending::Cut { within_line: true });
    assert_eq!(trial.phases.len(), 1);
}

#[test]
fn lines_may_end_as_on_windows() {
    let lines = text(&lines());
    let windows = String::from_utf8(lines.clone()).unwrap().replace('\n', "\r\n");
    assert_eq!(read(windows.as_bytes()).unwrap(), read(lines.as_slice()).unwrap());
    // A line that was cut between its two last bytes is cut.
    let cut = windows.trim_end_matches('\n');
    assert_eq!(read(cut.as_bytes()).unwrap().ending, Ending::Cut { within_line: true });
}

#[test]
fn nul_bytes_are_named() {
    let lines = lines();
    let mut damaged = text(&lines[..1]);
    damaged.extend_from_slice(&[0; 4096]);
    damaged.extend_from_slice(&text(&lines[2..]));
    assert_eq!(reason(&damaged), "line 2: NUL bytes: the file was damaged, as after a crash");
    assert_eq!(reason(&[0; 4096]), "line 1: NUL bytes: the file was damaged, as after a crash");
    let within = String::from_utf8(text(&lines)).unwrap().replace("OpenSSL 3", "OpenSSL\x003");
    assert!(reason(within.as_bytes()).starts_with("line 3: NUL bytes"));
}

/// The log's first line, then this byte for ever.
fn endless(byte: u8) -> impl BufRead {
    io::BufReader::new(io::Cursor::new(text(&lines()[..1])).chain(io::repeat(byte)))
}

#[test]
fn a_file_without_line_ends_is_not_read_into_memory() {
    let long = read(endless(b'1')).unwrap_err().to_string();
    assert_eq!(long, "line 2: longer than 64 MiB, which no line of a log is");
    let zeros = read(endless(0)).unwrap_err().to_string();
    assert!(zeros.starts_with("line 2: NUL bytes"), "{zeros}");
}

#[test]
fn a_log_has_no_endless_lines() {
    let one = text(&lines()[1..2]);
    let mut many = text(&lines()[..1]);
    many.extend(one.repeat(usize::try_from(MAX_LINES).unwrap() - 1));
    assert_eq!(read(many.as_slice()).unwrap().skipped.len() as u64, MAX_LINES - 1);
    many.extend(one);
    assert_eq!(reason(&many), "line 65537: a log has at most 65536 lines");
}

#[test]
fn phases_are_shown_as_they_are_read() {
    let mut lines = lines();
    lines.insert(3, Line::Phase(Phase { sequence: 1, ..agreeing_phase() }));
    let Some(Line::End(end)) = lines.last_mut() else { panic!("the end") };
    end.phases = 2;
    let mut seen = Vec::new();
    let trial = read_with(text(&lines).as_slice(), |run, phase| {
        assert_eq!(*run, run_line());
        seen.push((phase.sequence, phase.samples_ns.take().map(|samples| samples.len())));
    });
    let trial = trial.unwrap();
    assert_eq!(seen, [(0, Some(3)), (1, Some(3))]);
    assert!(trial.is_complete() && trial.phases.iter().all(|phase| phase.samples_ns.is_none()));
}

#[test]
fn logs_of_the_first_version_are_read() {
    let mut lines = lines();
    let old = Phase { percentiles_ns: None, timeline: None, ..agreeing_phase() };
    lines[2] = Line::Phase(old.clone());
    let mut written = String::from_utf8(text(&lines)).unwrap();
    for new in ["\"smt\":null,", "\"cpu_base_mhz\":null,", "\"caches\":[],", ",\"power_source\":null"] {
        assert!(written.contains(new), "{new}");
        written = written.replace(new, "");
    }
    let trial = read(written.as_bytes()).unwrap();
    assert_eq!(trial.phases, [old]);
    assert_eq!(trial.run, run_line());
}

#[test]
fn an_interrupted_log_says_why() {
    let mut lines = lines();
    lines[3] = Line::Interrupted(Interrupted { reason: "the run was interrupted".to_owned() });
    let trial = read(text(&lines).as_slice()).unwrap();
    assert!(!trial.is_complete());
    assert!(matches!(trial.ending, Ending::Interrupted(why) if why.reason == "the run was interrupted"));
}

#[test]
fn an_edited_log_is_refused_with_its_line() {
    let lines = lines();
    let [run, skipped, phase, end] = lines.as_slice() else { panic!("four lines") };
    let of = |lines: &[&Line]| text(&lines.iter().copied().cloned().collect::<Vec<_>>());

    assert!(reason(b"").contains("`run` line"));
    assert!(reason(&of(&[phase, end])).starts_with("line 1: "));
    assert!(reason(&of(&[run, run])).starts_with("line 2: a second `run` line"));
    // A phase was taken out, or written twice.
    assert!(reason(&of(&[run, skipped, end])).starts_with("line 3: the `end` line counts"));
    assert!(reason(&of(&[run, phase, phase, end])).starts_with("line 4: the `end` line counts"));
    assert!(reason(&of(&[run, phase, end, phase])).starts_with("line 4: a line after the end"));
    let mut torn_after_end = of(&[run, phase, end]);
    torn_after_end.extend_from_slice(b"{");
    assert!(reason(&torn_after_end).starts_with("line 4: a line after the end"));
    let mut garbage = of(&[run]);
    garbage.extend_from_slice(b"garbage\n");
    garbage.extend_from_slice(&of(&[phase]));
    assert!(reason(&garbage).starts_with("line 2: "));
}

#[test]
fn another_schema_is_refused_by_name() {
    let other = String::from_utf8(text(&lines())).unwrap().replace("pqsig-trial/1", "pqsig-trial/2");
    let reason = reason(other.as_bytes());
    assert!(reason.contains("pqsig-trial/2") && reason.contains("pqsig-trial/1"), "{reason}");
}

#[test]
fn fields_of_later_versions_are_skipped() {
    let later =
        String::from_utf8(text(&lines())).unwrap().replace("\"slices\"", "\"novelty\":[1],\"slices\"");
    assert!(read(later.as_bytes()).unwrap().is_complete());
}

#[test]
fn numbers_go_on_after_the_greatest_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let logs = Folder::open(folder.path()).unwrap();
    assert_eq!(logs.create().unwrap().path(), folder.path().join("trial-1.jsonl"));
    fs::write(folder.path().join("trial-7.jsonl"), "precious").unwrap();
    for other in ["trial-9.stdout.txt", "trial-x.jsonl", "trial-.jsonl", "samples.csv"] {
        fs::write(folder.path().join(other), "").unwrap();
    }
    assert_eq!(logs.create().unwrap().path(), folder.path().join("trial-8.jsonl"));
    assert_eq!(logs.create().unwrap().path(), folder.path().join("trial-9.jsonl"));
    assert_eq!(fs::read(folder.path().join("trial-7.jsonl")).unwrap(), b"precious");
}

#[test]
fn a_log_of_a_given_number_is_created_once() {
    let folder = tempfile::tempdir().unwrap();
    let logs = Folder::open(folder.path()).unwrap();
    let path = folder.path().join("trial-5.jsonl");
    assert_eq!(logs.create_numbered(5).unwrap().path(), path);
    fs::write(&path, "precious").unwrap();
    let Err(error @ Error::LogExists { .. }) = logs.create_numbered(5) else { panic!("it exists") };
    assert!(error.to_string().contains("trial-5.jsonl"), "{error}");
    assert_eq!((error.code(), error.remedy().is_some()), ("pqsig::speed::log_exists", true));
    assert_eq!(fs::read(&path).unwrap(), b"precious");
}

#[test]
fn a_missing_folder_is_created_and_a_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b");
    Folder::open(&deep).unwrap().create().unwrap();
    assert!(deep.join("trial-1.jsonl").exists());

    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let Err(Error::Log { path, .. }) = Folder::open(&file) else { panic!("a file is no folder") };
    assert_eq!(path, file);
}

fn some_line() -> impl Strategy<Value = Vec<u8>> {
    let whole: Vec<Vec<u8>> = lines().iter().map(|line| serde_json::to_vec(line).unwrap()).collect();
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..80),
        prop::sample::select(whole.clone()),
        // A line with one byte changed.
        (prop::sample::select(whole), any::<prop::sample::Index>(), any::<u8>()).prop_map(
            |(mut line, at, byte)| {
                let at = at.index(line.len());
                line[at] = byte;
                line
            }
        ),
    ]
}

proptest! {
    /// Whatever the lines are, reading them ends with a trial or an error; and a trial that passes for whole
    /// has an end that counts its phases.
    #[test]
    fn no_lines_make_the_reader_panic(lines in prop::collection::vec(some_line(), 0..6), cut in 0usize..40) {
        let mut bytes = lines.join(&b'\n');
        bytes.push(b'\n');
        bytes.truncate(bytes.len().saturating_sub(cut));
        if let Ok(Trial { phases, ending: Ending::Whole(end), .. }) = read(bytes.as_slice()) {
            prop_assert_eq!(phases.len(), end.phases as usize);
        }
    }

    #[test]
    fn any_phase_survives_the_way_through_a_log(
        numbers in any::<[u32; 3]>(),
        operations in 0u64..1 << 53,
        quantiles in prop::option::of(0u64..1 << 53),
        text in ".*",
        samples in prop::option::of(prop::collection::vec(any::<u64>(), 0..20)),
    ) {
        let phase = Phase {
            sequence: numbers[0],
            slices: numbers[1],
            batch: numbers[2],
            operations,
            min_ns: quantiles,
            provider: Some(text.clone()),
            failure: Some(text),
            samples_ns: samples,
            ..agreeing_phase()
        };
        let line = Line::Phase(phase);
        let json = serde_json::to_vec(&line).unwrap();
        prop_assert!(!json.contains(&b'\n'));
        prop_assert_eq!(serde_json::from_slice::<Line>(&json).unwrap(), line);
    }
}
