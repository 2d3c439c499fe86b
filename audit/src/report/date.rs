//! Moments as people write them.

/// A moment in ms since 1970-01-01 UTC: `2026-12-01 17:57:58 UTC`. Without leap seconds, as the system's clock.
pub(crate) fn utc(unix_ms: u64) -> String {
    let seconds = unix_ms / 1000;
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Year, month and day of the Gregorian calendar for a number of days since 1970-01-01.
///
/// Years begin in March here, so that a leap day is the last day of its year; 400 of them are an era of 146,097
/// days.
fn civil(days: u64) -> (u64, u64, u64) {
    /// From 0000-03-01 to 1970-01-01.
    const BEFORE_1970: u64 = 719_468;
    const ERA: u64 = 146_097;
    let days = days + BEFORE_1970;
    let of_era = days % ERA;
    // Every 4 years has a day more, every 100 one less, and the last day of the era one more.
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / (ERA - 1)) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // March to July have 153 days, as have August to December.
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let (month, next) =
        if month_from_march < 10 { (month_from_march + 3, 0) } else { (month_from_march - 9, 1) };
    (days / ERA * 400 + year_of_era + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments_are_right() {
        // `date -u -d @N`
        assert_eq!(utc(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(utc(951_782_400_000), "2000-02-29 00:00:00 UTC");
        assert_eq!(utc(1_709_251_199_999), "2024-02-29 23:59:59 UTC");
        assert_eq!(utc(4_107_542_400_000), "2100-03-01 00:00:00 UTC");
        assert_eq!(utc(1_796_147_878_690), "2026-12-01 17:57:58 UTC");
    }

    #[test]
    fn each_day_follows_the_day_before() {
        let mut before = civil(0);
        for day in 1..200_000 {
            let (year, month, of_month) = civil(day);
            let next = match before {
                (y, 12, 31) => (y + 1, 1, 1),
                (y, m, _) if of_month == 1 => (y, m + 1, 1),
                (y, m, d) => (y, m, d + 1),
            };
            assert_eq!((year, month, of_month), next);
            before = (year, month, of_month);
        }
        // 547 years and a half, with 133 leap days.
        assert_eq!(before, (2517, 7, 31));
    }

    #[test]
    fn no_moment_is_too_late() {
        assert!(utc(u64::MAX).ends_with("UTC"));
    }
}
