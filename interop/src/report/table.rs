//! A run as people read it: who was asked, a table of counts, what is open, what is wrong, and one line that says it all.

use std::collections::{BTreeMap, BTreeSet};

use pqsig::{Algorithm, Family};

use super::tally::{self, Sign, Tallies, Tally};
use super::terminal::{Emphasis, Item, Matrix, Style, counted, heading, paragraph, verdict, words};
use super::{findings, policies, vectors};
use crate::peer::{Identity, Kind};
use crate::record::{Depth, Run, Skipped};

/// Digits of a digest that tell builds apart; the saved run has all of them.
const DIGEST_DIGITS: usize = 12;

/// The whole report. It ends with a paragraph that begins with `agreement:` or `disagreement:`.
#[must_use]
pub fn render(run: &Run, style: Style) -> String {
    let tallies = Tallies::new(run);
    let peers: Vec<&Identity> = run.peers.iter().collect();
    let mut sections = vec![known(&peers, style)];
    for family in Family::ALL {
        sections.extend(matrix(run, &tallies, family).map(|matrix| rendered(matrix, style)));
    }
    sections.extend(legend(&tallies, style));
    sections.extend(skipped(&run.skipped, style));
    sections.extend(not_made(run, style));
    sections.extend(policies::section(run, style));
    sections.extend(vectors::section(run, style));
    sections.extend(findings::known(run, style));
    sections.extend(findings::section(run, style));
    sections.push(conclusion(run, &tallies, style));
    sections.join("\n")
}

/// Who can be asked, and who can't and why.
#[must_use]
pub fn who(peers: &[&Identity], skipped: &[Skipped], style: Style) -> String {
    let known = (!peers.is_empty()).then(|| known(peers, style));
    let sections: Vec<_> = known.into_iter().chain(self::skipped(skipped, style)).collect();
    if sections.is_empty() { paragraph("", "nobody", style) } else { sections.join("\n") }
}

/// Peers, with what they know and in which build.
fn known(peers: &[&Identity], style: Style) -> String {
    let row = |peer: &&Identity| {
        let build = match &peer.artifacts[..] {
            [] => "unknown".to_owned(),
            [first, rest @ ..] => {
                let digest: String = first.sha256.chars().take(DIGEST_DIGITS).collect();
                if rest.is_empty() { digest } else { format!("{digest} +{}", rest.len()) }
            }
        };
        let version = distinct(peer.versions.values());
        [peer.name.clone(), knows(peer), version, distinct(peer.lineages.values()), build]
            .map(|text| Item::new(text, Emphasis::Plain))
            .to_vec()
    };
    let rows = peers.iter().map(row).collect();
    words(&["peer", "knows", "version", "lineage", "SHA-256"], rows, style)
}

/// The algorithms that a peer has: a family's name where it has all of it.
fn knows(peer: &Identity) -> String {
    let has = |algorithm: &Algorithm| peer.versions.contains_key(algorithm.name());
    let mut known = Vec::new();
    for family in Family::ALL {
        let all: Vec<_> = Algorithm::all().filter(|algorithm| algorithm.family() == family).collect();
        if all.iter().all(has) {
            known.push(family.name());
        } else {
            known.extend(all.into_iter().filter(has).map(Algorithm::name));
        }
    }
    known.join(", ")
}

fn distinct<'a>(texts: impl Iterator<Item = &'a String>) -> String {
    texts.map(String::as_str).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
}

/// The counts of a family: an algorithm's sum, and below it each check's; a column per peer that has any of the
/// family. `None` if nothing was asked about the family.
fn matrix(run: &Run, tallies: &Tallies, family: Family) -> Option<Matrix> {
    let algorithms: Vec<_> = tallies.algorithms().into_iter().filter(|a| a.family() == family).collect();
    if algorithms.is_empty() {
        return None;
    }
    let took_part = |peer: &&Identity| {
        let answered = |algorithm: &Algorithm| !tallies.of_algorithm(*algorithm, &peer.name).is_empty();
        algorithms.iter().any(|a| peer.versions.contains_key(a.name()) || answered(a))
    };
    let columns: Vec<&str> = run.peers.iter().filter(took_part).map(|peer| peer.name.as_str()).collect();
    let item = |tally: Tally, otherwise: Emphasis| {
        Item::new(tally.to_string(), if tally.is_bad() { Emphasis::Bad } else { otherwise })
    };
    let mut rows = Vec::new();
    for algorithm in algorithms {
        let sums = columns.iter().map(|peer| item(tallies.of_algorithm(algorithm, peer), Emphasis::Strong));
        rows.push((Item::new(algorithm.name(), Emphasis::Strong), sums.collect()));
        for check in tallies.checks(algorithm) {
            let cells =
                columns.iter().map(|peer| item(tallies.cell(algorithm, check, peer), Emphasis::Plain));
            rows.push((Item::new(format!("  {}", check.name()), Emphasis::Plain), cells.collect()));
        }
    }
    Some(Matrix { columns: columns.into_iter().map(str::to_owned).collect(), rows })
}

/// A sum is the widest figure of its column: where a table would have to be folded for its sums, it has none.
fn rendered(mut matrix: Matrix, style: Style) -> String {
    if !matrix.fits(style) {
        for (_, items) in matrix.rows.iter_mut().filter(|(label, _)| label.emphasis == Emphasis::Strong) {
            items.clear();
        }
    }
    matrix.render(style)
}

/// What the signs mean, of those that occur.
fn legend(tallies: &Tallies, style: Style) -> Option<String> {
    let occurring: BTreeSet<Sign> = tallies.total().signs().collect();
    let meanings: Vec<_> =
        occurring.iter().map(|sign| format!("{} {}", sign.symbol(), sign.meaning())).collect();
    (!meanings.is_empty()).then(|| paragraph("", &meanings.join(", "), style))
}

/// Who was to be asked and could not be had.
fn skipped(skipped: &[Skipped], style: Style) -> Option<String> {
    if skipped.is_empty() {
        return None;
    }
    let lines = skipped.iter().map(|peer| paragraph("- ", &format!("{}: {}", peer.peer, peer.why), style));
    Some(heading("Skipped", style) + &lines.collect::<String>())
}

/// Hostile cases that no signature at hand could be made into, by reason.
fn not_made(run: &Run, style: Style) -> Option<String> {
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for case in &run.not_made {
        reasons.entry(&case.why).or_default().push(&case.id);
    }
    let lines = reasons.iter().map(|(why, ids)| {
        let more = if ids.len() > 1 { format!(" and {} more", ids.len() - 1) } else { String::new() };
        paragraph("- ", &format!("{why}: {}{more}", ids[0]), style)
    });
    (!reasons.is_empty()).then(|| heading("Cases that could not be made", style) + &lines.collect::<String>())
}

/// The last paragraph.
fn conclusion(run: &Run, tallies: &Tallies, style: Style) -> String {
    let total = tallies.total();
    let adapters = run.peers.iter().filter(|peer| peer.kind == Kind::Adapter).count();
    let mut parts = vec![
        counted(run.cases.len(), "case"),
        counted(run.peers.len() - adapters, "implementation in process"),
    ];
    let mut add = |count: u64, what: &str| {
        if count > 0 {
            parts.push(counted(count, what));
        }
    };
    add(adapters as u64, "adapter");
    add(tallies.algorithms().len() as u64, "algorithm");
    add(total.accepted, "positive accepted");
    add(total.rejected, "negative rejected");
    add(total.same, "answer the same in every byte");
    add(total.vectors, "vector passed");
    add(total.open, "answer left open");
    add(total.unsupported, "question unsupported or not run");
    add(total.failed, "failure");
    add(total.known, "deviation known");
    add(total.disputed, "answer disputed");
    add(total.wrong, "answer wrong");
    add(run.not_made.len() as u64, "case not made");
    add(run.skipped.len() as u64, "peer skipped");
    let depth = match run.depth {
        Depth::Quick => "quick",
        Depth::Full => "full",
    };
    #[expect(clippy::cast_precision_loss, reason = "a run takes less than 2^52 ms")]
    parts.push(format!("{depth} run in {:.1} s", run.elapsed_ms as f64 / 1000.0));
    let parts = parts.join(", ");

    if tally::agrees(run) {
        return verdict("agreement:", Emphasis::Strong, &parts, style);
    }
    let found = match tally::news(run).count() {
        _ if total.is_empty() => "nothing was answered".to_owned(),
        found => counted(found, "finding"),
    };
    verdict("disagreement:", Emphasis::Bad, &format!("{found} in {parts}"), style)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Verdict;
    use crate::report::fixture;

    const STYLE: Style = Style { width: 80, colour: false };

    #[test]
    fn an_agreeing_run() {
        let expected = "\
peer        knows            version             lineage         SHA-256
rustcrypto  ML-DSA, Ed25519  RustCrypto 1.0      RustCrypto      abababababab
openssl     ML-DSA, Ed25519  OpenSSL 1.0         OpenSSL         abababababab
aws-lc      ML-DSA, Ed25519  mldsa-native 1.0    mldsa-native    abababababab
fips205     SLH-DSA          integritychain 1.0  integritychain  abababababab

                  rustcrypto            openssl       aws-lc
ML-DSA-65      +2 -1 =1 ✓210  +2 -1 =1 ✓200 ·10  +1 -1 =1 ·1
  public-keys             =1                 =1           =1
  exchange                +2                 +2        +1 ·1
  hostile                 -1                 -1           -1
  vectors               ✓210           ✓200 ·10            –

            rustcrypto     openssl  aws-lc
Ed25519          +1 ~1  +1 ✓151 ~1   +1 ~1
  exchange          +1          +1      +1
  hostile           ~1          ~1      ~1
  vectors            –        ✓151       –

+ valid and accepted, - invalid and rejected, = same bytes, ✓ vectors passed, ~
left open by the standard, · unsupported or not run

Skipped
- noble: node is not on the PATH

Cases that could not be made
- the signature has one hint: ML-DSA-65/hostile/hint out of order/pure by aws-lc

Left open by the standards
- Ed25519: accepted by aws-lc, openssl; rejected by rustcrypto
  small-order public key

Vectors
                            rustcrypto   openssl
wycheproof ed25519                   –      ✓151
wycheproof mldsa_65_verify        ✓210  ✓200 ·10

wycheproof: 561 passed, 0 failed, 10 not run, on 2 peers
- 10 not run: no internal interface (openssl)

agreement: 6 cases, 4 implementations in process, 2 algorithms, 8 positives
accepted, 3 negatives rejected, 3 answers the same in every byte, 561 vectors
passed, 3 answers left open, 11 questions unsupported or not run, 1 case not
made, 1 peer skipped, quick run in 1.2 s
";
        assert_eq!(render(&fixture::agreeing(), STYLE), expected);
    }

    #[test]
    fn a_narrow_table_has_no_sums() {
        let text = render(&fixture::agreeing(), Style { width: 56, colour: false });
        let expected = "
               rustcrypto   openssl  aws-lc
ML-DSA-65
  public-keys          =1        =1      =1
";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn every_width_shows_every_peer_and_count() {
        for width in [40, 60, 80, 120, 200] {
            let text = render(&fixture::disagreeing(), Style { width, colour: false });
            for needed in
                ["ML-DSA-65", "mine", "✗", "noble: node is not on the PATH", "disagreement: 3 findings in"]
            {
                assert!(text.contains(needed), "{width}: {needed}: {text}");
            }
            // Only what can't be broken is longer than a line: the replay command's path.
            let fits = |line: &&str| line.chars().count() <= usize::from(width);
            assert!(
                text.lines().filter(|line| !line.contains('/')).all(|line| fits(&line)),
                "{width}: {text}"
            );
        }
    }

    #[test]
    fn what_is_known_is_agreement() {
        let text = render(&fixture::knowing(), STYLE);
        assert!(text.contains("Known deviations\n- mine: "), "{text}");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains("agreement: 10 cases, ") && words.contains(", 4 deviations known, "),
            "{text}"
        );
        assert!(text.contains("* known deviation"), "{text}");
    }

    #[test]
    fn what_broke_is_not_agreement() {
        let run = fixture::with_answers(fixture::agreeing(), "openssl", Verdict::Failed);
        let text = render(&run, STYLE);
        assert!(text.contains("!4"), "{text}");
        assert!(text.contains("disagreement: 0 findings in 6 cases"), "{text}");
    }

    #[test]
    fn nothing_asked_is_not_agreement() {
        let mut run = fixture::agreeing();
        run.cases.clear();
        run.vectors.clear();
        assert!(render(&run, STYLE).contains("disagreement: nothing was answered in 0 cases"));
    }
}
