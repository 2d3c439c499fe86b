//! One line of a log, parsed without the detour that serde takes for tagged enums: it keeps the whole line as
//! a tree, 32 bytes per number, before it knows what the line is.

use serde::Deserialize;
use serde::de::Error as _;

use crate::record::Line;

/// How the lines that are long begin, as this crate writes them.
const PHASE: &str = "{\"type\":\"phase\",";

/// What a line is; the rest of it is passed over.
#[derive(Deserialize)]
struct Tag {
    #[serde(rename = "type")]
    kind: Kind,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Run,
    Skipped,
    Phase,
    End,
    Interrupted,
}

/// Parses a line, with or without its end.
pub(super) fn line(text: &[u8]) -> serde_json::Result<Line> {
    match sure_phase(text) {
        Some(text) => serde_json::from_str(text).map(Line::Phase),
        None => any_line(text),
    }
}

/// The text of a line that says that it is a phase, and says so only once. A name may also be written with
/// escapes, so a line with a backslash is not sure.
fn sure_phase(text: &[u8]) -> Option<&str> {
    let text = str::from_utf8(text).ok()?;
    let rest = text.strip_prefix(PHASE)?;
    (!rest.contains('\\') && !rest.contains("\"type\"")).then_some(text)
}

/// The longest line that is no phase, in bytes: the lists of the others have no limits of their own.
const MAX_OTHER: usize = 1 << 20;

/// Reads the line twice: first for what it is.
fn any_line(text: &[u8]) -> serde_json::Result<Line> {
    let Tag { kind } = serde_json::from_slice(text)?;
    if text.len() > MAX_OTHER && !matches!(kind, Kind::Phase) {
        return Err(serde_json::Error::custom("longer than 1 MiB, which only a phase may be"));
    }
    Ok(match kind {
        Kind::Run => Line::Run(serde_json::from_slice(text)?),
        Kind::Skipped => Line::Skipped(serde_json::from_slice(text)?),
        Kind::Phase => Line::Phase(serde_json::from_slice(text)?),
        Kind::End => Line::End(serde_json::from_slice(text)?),
        Kind::Interrupted => Line::Interrupted(serde_json::from_slice(text)?),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::mock::agreeing_phase;

    fn phase_line() -> String {
        serde_json::to_string(&Line::Phase(agreeing_phase())).unwrap()
    }

    #[test]
    fn what_this_crate_writes_takes_the_fast_way() {
        assert!(sure_phase(phase_line().as_bytes()).is_some());
        assert_eq!(line(phase_line().as_bytes()).unwrap(), Line::Phase(agreeing_phase()));
    }

    #[test]
    fn a_second_type_is_an_error_however_it_is_written() {
        for second in [r#""type":"phase""#, r#""type" : "end""#, r#""\u0074ype":"phase""#] {
            let twice = phase_line().replace("\"slices\"", &format!("{second},\"slices\""));
            let error = line(twice.as_bytes()).unwrap_err().to_string();
            assert!(error.contains("duplicate field `type`"), "{error}");
        }
    }

    #[test]
    fn the_order_of_the_fields_does_not_matter() {
        let sorted: serde_json::Value = serde_json::from_str(&phase_line()).unwrap();
        let sorted = sorted.to_string();
        assert!(sure_phase(sorted.as_bytes()).is_none());
        assert_eq!(line(sorted.as_bytes()).unwrap(), Line::Phase(agreeing_phase()));
    }

    #[test]
    fn a_phase_of_more_samples_than_are_kept_is_refused() {
        let many = |count| {
            let mut phase = agreeing_phase();
            phase.samples_ns = Some(vec![1; count]);
            serde_json::to_vec(&Line::Phase(phase)).unwrap()
        };
        assert!(line(&many(crate::MAX_KEPT_SAMPLES)).is_ok());
        let error = line(&many(crate::MAX_KEPT_SAMPLES + 1)).unwrap_err().to_string();
        assert!(error.contains("1048577") && error.contains("at most 1048576 numbers"), "{error}");
    }

    #[test]
    fn a_line_that_is_no_phase_is_short() {
        let of = |length: usize| {
            let reason = "x".repeat(length);
            let text = format!("{{\"type\":\"interrupted\",\"reason\":\"{reason}\"}}");
            line(text.as_bytes()).map_err(|error| error.to_string())
        };
        assert!(of(MAX_OTHER - 100).is_ok());
        assert_eq!(of(MAX_OTHER).unwrap_err(), "longer than 1 MiB, which only a phase may be");
    }

    /// A phase's line with a part replaced: by nothing, by bytes, or by what could confuse a parser.
    fn some_line() -> impl Strategy<Value = Vec<u8>> {
        let pieces = [
            "",
            "\\",
            "\"",
            ",",
            "\"type\":\"phase\",",
            "\"\\u0074ype\":\"end\",",
            "\"novelty\":[{\"a\":null}],",
            "\"slices\":7,",
            "\r\n",
            "-",
            "1e3",
            "18446744073709551616",
        ];
        let piece = prop_oneof![
            prop::sample::select(pieces.map(|piece| piece.as_bytes().to_vec()).to_vec()),
            prop::collection::vec(any::<u8>(), 0..4),
        ];
        (any::<prop::sample::Index>(), 0usize..3, piece, any::<bool>()).prop_map(
            |(at, removed, piece, at_field)| {
                let mut line = phase_line().into_bytes();
                let mut at = at.index(line.len());
                if at_field {
                    at += line[at..].iter().position(|byte| *byte == b',').map_or(0, |comma| comma + 1);
                }
                let end = if at_field { at } else { (at + removed).min(line.len()) };
                line.splice(at..end, piece);
                line
            },
        )
    }

    proptest! {
        #[test]
        fn the_fast_way_and_the_general_one_agree(text in some_line()) {
            // What is wrong with a line that is wrong twice depends on the way, and nothing else does.
            let fast = line(&text).ok();
            prop_assert_eq!(&fast, &any_line(&text).ok());
            // What serde itself makes of the enum is the format's definition.
            prop_assert_eq!(&fast, &serde_json::from_slice::<Line>(&text).ok());
        }
    }
}
