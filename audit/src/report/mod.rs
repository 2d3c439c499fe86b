//! The report: one HTML file that shows a run to people who would rather look than read.
//!
//! It loads nothing and runs nothing: style sheet and plots stand in the file. The plots' colours are the style
//! sheet's, so that they follow the reader's choice of dark and light, and are printed dark on white. The same run
//! gives the same bytes on every platform: no clock, no random names, and logarithms from libm.

mod date;
mod facts;
mod figures;
mod findings;
mod machine;
mod page;
mod plots;
mod pool;
mod sections;
mod table;
mod units;

pub use page::page;

/// A text from a log as the page shows it: of bounded length, and without characters that act instead of being
/// seen (controls, and marks that turn the direction of writing around). Escaping is maud's.
fn clean(text: &str) -> String {
    shortened(text, 200)
}

/// As [`clean`], for longer texts.
fn shortened(text: &str, most: usize) -> String {
    let mut seen: String =
        text.chars().take(most).map(|letter| if acts(letter) { '\u{fffd}' } else { letter }).collect();
    if text.chars().nth(most).is_some() {
        seen.push('…');
    }
    seen
}

fn acts(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_is_replaced() {
        assert_eq!(clean("a\0b\u{202e}c\nd\u{7f}"), "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}");
        assert_eq!(clean("ML-DSA-65 µ 签"), "ML-DSA-65 µ 签");
    }

    #[test]
    fn what_is_long_is_shortened() {
        assert_eq!(clean(&"é".repeat(300)).chars().count(), 201);
        assert_eq!(clean(&"é".repeat(200)).chars().count(), 200);
    }
}
