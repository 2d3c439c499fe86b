#![cfg(test)]
//! What the parser of `openssl speed` promises of any bytes whatever: [`Log::unsoundness`] has the list.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use pqsig_audit::Severity;
use pqsig_audit::openssl_speed::{Log, Phase, parse};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// A recorded run: its name and its streams.
type Recorded = (String, Vec<u8>, Vec<u8>);

static RECORDED: LazyLock<Vec<Recorded>> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/logs");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .filter_map(|entry| {
            entry.unwrap().file_name().to_str()?.strip_suffix(".stdout.txt").map(str::to_owned)
        })
        .collect();
    names.sort();
    assert!(names.len() >= 21, "{names:?}");
    let read = |name: String| fs::read(folder.join(name)).unwrap();
    names
        .into_iter()
        .map(|name| (name.clone(), read(format!("{name}.stdout.txt")), read(format!("{name}.stderr.txt"))))
        .collect()
});

fn read(stdout: &[u8], stderr: &[u8]) -> Log {
    parse(Some(("out", stdout)), Some(("err", stderr)))
}

/// The phases as stderr has them.
fn timed(log: &Log) -> Vec<String> {
    let words = |phase: &Phase| {
        format!(
            "{} {} {:?} {:?} {:?}",
            phase.algorithm, phase.operation, phase.count, phase.elapsed_cs, phase.stderr_line
        )
    };
    log.phases.iter().map(words).collect()
}

#[test]
fn a_log_that_is_cut_at_any_byte_keeps_its_beginning_and_is_not_complete() {
    for (name, stdout, stderr) in RECORDED.iter() {
        let whole = parse(None, Some(("err", stderr)));
        for length in 0..stderr.len() {
            let cut = parse(None, Some(("err", &stderr[..length])));
            assert_eq!(cut.unsoundness(), None, "{name} {length}");
            assert!(timed(&whole).starts_with(&timed(&cut)), "{name} {length}");
            let broken = cut.findings.iter().find(|finding| finding.severity == Severity::Broken);
            assert_eq!(broken, None, "{name} {length}");
        }
        for length in 0..stdout.len() {
            let cut = read(&stdout[..length], stderr);
            assert_eq!(cut.unsoundness(), None, "{name} {length}");
            assert!(!cut.is_complete(), "{name} {length}");
            let broken = cut.findings.iter().find(|finding| finding.severity == Severity::Broken);
            assert_eq!(broken, None, "{name} {length}");
        }
    }
}

/// Every digit of a figure counts: none can be changed unnoticed, but where rounding hides it.
#[test]
fn a_changed_count_contradicts_the_table() {
    let mut changed = 0;
    for (name, stdout, stderr) in RECORDED.iter().filter(|(name, ..)| name.ends_with("-elapsed")) {
        let text = std::str::from_utf8(stderr).unwrap();
        for (at, _) in text.match_indices(" ops in ") {
            // The first digit of the count.
            let line = text[..at].rfind(": ").unwrap() + 2;
            let mut other = stderr.clone();
            other[line] = if other[line] == b'9' { b'8' } else { other[line] + 1 };
            let log = read(stdout, &other);
            let rules: Vec<_> = log.findings.iter().map(|finding| finding.rule).collect();
            assert_eq!(rules, ["rate-contradicts-count"], "{name} {line}");
            changed += 1;
        }
    }
    assert_eq!(changed, 3 * 18);
}

/// One thing that happens to a stream.
#[derive(Clone, Debug)]
enum Mutation {
    Flip(Index, u8),
    Remove(Index, usize),
    Insert(Index, &'static str),
    DuplicateLine(Index),
    SwapLines(Index, Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let word = select(vec![
        "inf",
        "nan",
        "-",
        "0.0",
        "-1",
        ",",
        "\0",
        "\n",
        "\r\n",
        " ",
        ":",
        "s",
        "+",
        "99999999999999999999",
        "\u{fffd}",
        "Doing ",
        "+F10:0:1.0:2.0:3.0\n",
        "+R19:1:ML-DSA-65:0.00\n",
        "Forked child 0\n",
        "version: 1\n",
    ]);
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Mutation::Flip(at, byte)),
        (any::<Index>(), 1..40usize).prop_map(|(at, length)| Mutation::Remove(at, length)),
        (any::<Index>(), word).prop_map(|(at, word)| Mutation::Insert(at, word)),
        any::<Index>().prop_map(Mutation::DuplicateLine),
        (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Mutation::SwapLines(a, b)),
    ]
}

fn mutate(bytes: &[u8], mutations: &[Mutation]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for mutation in mutations {
        if bytes.is_empty() {
            break;
        }
        match mutation {
            Mutation::Flip(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] ^= byte;
            }
            Mutation::Remove(at, length) => {
                let at = at.index(bytes.len());
                bytes.drain(at..(at + length).min(bytes.len()));
            }
            Mutation::Insert(at, word) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, word.bytes());
            }
            Mutation::DuplicateLine(at) => {
                let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
                let at = at.index(lines.len());
                lines.insert(at, lines[at]);
                bytes = lines.concat();
            }
            Mutation::SwapLines(a, b) => {
                let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
                let (a, b) = (a.index(lines.len()), b.index(lines.len()));
                lines.swap(a, b);
                bytes = lines.concat();
            }
        }
    }
    bytes
}

/// Lines from which a log could be made, in no order.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let all: Vec<Vec<u8>> = RECORDED
        .iter()
        .flat_map(|(_, stdout, stderr)| [stdout, stderr])
        .flat_map(|stream| stream.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec))
        .collect();
    vec(select(all), 0..40).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_make_a_sound_log(stdout in vec(any::<u8>(), 0..400), stderr in vec(any::<u8>(), 0..400)) {
        prop_assert_eq!(read(&stdout, &stderr).unsoundness(), None);
        prop_assert_eq!(parse(Some(("out", &stdout)), None).unsoundness(), None);
        prop_assert_eq!(parse(None, Some(("err", &stderr))).unsoundness(), None);
    }

    #[test]
    fn any_lines_of_logs_make_a_sound_log(stdout in lines(), stderr in lines()) {
        prop_assert_eq!(read(&stdout, &stderr).unsoundness(), None);
    }

    #[test]
    fn mutated_logs_are_sound(
        of in any::<Index>(),
        of_stdout in vec(mutation(), 0..4),
        of_stderr in vec(mutation(), 0..4),
    ) {
        let (_, stdout, stderr) = of.get(&RECORDED);
        let log = read(&mutate(stdout, &of_stdout), &mutate(stderr, &of_stderr));
        prop_assert_eq!(log.unsoundness(), None);
    }

    #[test]
    fn streams_of_different_runs_are_sound_and_not_complete(of in any::<Index>(), with in any::<Index>()) {
        let ((first, stdout, _), (second, _, stderr)) = (of.get(&RECORDED), with.get(&RECORDED));
        let log = read(stdout, stderr);
        prop_assert_eq!(log.unsoundness(), None);
        prop_assert!(first == second || !log.is_complete(), "{} with {}", first, second);
    }
}
