//! A phase: one operation of one algorithm.

use super::figure::float;

/// One operation of one algorithm, timed.
///
/// With `-multi N`, N processes do it at the same time, and the figures are of all of them together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Phase {
    /// The algorithm.
    /// - Signatures and KEMs are called as OpenSSL calls them: `ML-DSA-65`, `SLH-DSA-SHA2-128s`, `ML-KEM-768`.
    /// - `Ed25519`, `Ed448`, `SM2`, `X25519`, `X448`; `RSA-2048`, `DSA-2048`, `FFDH-2048`.
    /// - `ECDSA-nistp256`, `ECDH-nistp256`: with the curves' names of 3.x, also where 4.0 prints `prime256v1`.
    ///   3.x's stderr only has their size: without stdout's row, and with `-mr`, it stays at `ECDSA-256`, and a
    ///   second curve of that size is `ECDSA-256#2`.
    /// - RSA as a KEM is `RSASVE-2048` (`rsa2048` in the log); RSA and DSA among the `-signature-algorithms`
    ///   stay `rsa2048` and `dsa2048`, as they are timed apart from `RSA-2048`.
    pub algorithm: String,
    /// `keygen`, `sign`, `verify`, `encaps`, `decaps`, `derive`, `encrypt` or `decrypt`.
    pub operation: String,
    /// How many operations, in all processes; at least 1. `None` without stderr.
    pub count: Option<u64>,
    /// In what time, in hundredths of a second, as stderr prints it; at least 1. Of several processes: the
    /// time that the count takes at the sum of their rates, rounded to hundredths.
    pub elapsed_cs: Option<u64>,
    /// How many processes: 1 without `-multi`.
    pub processes: u32,
    /// stdout's operations per second, of all processes together.
    pub printed_rate: Option<Printed>,
    /// stdout's time per operation in s. Of several processes: 1 over the sum of their rates, which is not how
    /// long one of them takes. `None` where it is printed as 0.0000 (four decimals are too few for Ed25519).
    pub printed_time: Option<Printed>,
    /// stderr's line with the result, from 1. Of several processes: the last one's.
    pub stderr_line: Option<u64>,
    /// stdout's line with the row.
    pub stdout_line: Option<u64>,
}

/// A positive number as it was printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// What the text says.
    pub value: f64,
    /// How many decimals the text has.
    pub decimals: u8,
}

impl Printed {
    /// How far the number can be from the one that was rounded to it: half of its last decimal.
    #[must_use]
    pub fn bound(self) -> f64 {
        0.5 * 10f64.powi(-i32::from(self.decimals))
    }

    /// That, relative to the number.
    fn relative_bound(self) -> f64 {
        self.bound() / self.value
    }
}

impl Phase {
    /// How long one operation takes in one process, on average, in ms.
    #[must_use]
    pub fn ms_per_op(&self) -> Option<f64> {
        Some(1e3 * f64::from(self.processes.max(1)) / self.ops_per_s()?)
    }

    /// Operations per second, in all processes together: count over time, or without stderr what stdout prints,
    /// as a rate or as a time, whichever it rounds less (`1.9/s` is rounded to 3 %, `0.520000s` to 0.0001 %).
    #[must_use]
    pub fn ops_per_s(&self) -> Option<f64> {
        match self.figure()? {
            Figure::Counted { count, elapsed_cs } => Some(100.0 * float(count) / float(elapsed_cs)),
            Figure::Rate(rate) => Some(rate.value),
            Figure::Time(time) => Some(1.0 / time.value),
        }
    }

    /// How far these two can be off, in percent either way, because the log rounds. The times in stderr are
    /// rounded to hundredths of a second; that of several processes is rounded once more.
    #[must_use]
    pub fn rounding_pct(&self) -> Option<f64> {
        match self.figure()? {
            Figure::Counted { elapsed_cs, .. } => {
                let roundings = if self.processes > 1 { 2.0 } else { 1.0 };
                Some(100.0 * roundings * 0.5 / float(elapsed_cs))
            }
            Figure::Rate(printed) | Figure::Time(printed) => Some(100.0 * printed.relative_bound()),
        }
    }

    fn figure(&self) -> Option<Figure> {
        if let (Some(count), Some(elapsed_cs)) = (self.count, self.elapsed_cs) {
            return Some(Figure::Counted { count, elapsed_cs });
        }
        match (self.printed_rate, self.printed_time) {
            (Some(rate), Some(time)) if time.relative_bound() < rate.relative_bound() => {
                Some(Figure::Time(time))
            }
            (Some(rate), _) => Some(Figure::Rate(rate)),
            (None, Some(time)) => Some(Figure::Time(time)),
            (None, None) => None,
        }
    }
}

/// What a phase's figures follow from.
enum Figure {
    Counted { count: u64, elapsed_cs: u64 },
    Rate(Printed),
    Time(Printed),
}
