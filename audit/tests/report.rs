//! The report as a document: whole, self-contained, the same each time, and proof against hostile logs.

#![cfg(test)]

mod support;

use pqsig_audit::summarize::{Recomputed, recompute};
use pqsig_audit::{Detail, plausibility, report};
use roxmltree::{Document, Node, ParsingOptions};

use support::Fixture;
use support::course::fixture_with_course;

fn recomputed(fixture: &Fixture) -> Recomputed {
    recompute(fixture.path(), Detail::Course).unwrap()
}

fn page(fixture: &Fixture) -> String {
    report::page(&recomputed(fixture)).unwrap()
}

/// The page as XML, which is stricter than any browser: each element is closed where it has to be. Only HTML's
/// `meta` has no end.
fn xml(page: &str) -> String {
    let mut parts = page.split("<meta ");
    let mut xml = parts.next().unwrap().to_owned();
    for part in parts {
        let (attributes, rest) = part.split_once('>').unwrap();
        xml.extend(["<meta ", attributes, "/>", rest]);
    }
    xml
}

fn with_document<T>(page: &str, look: impl FnOnce(&Document<'_>) -> T) -> T {
    let xml = xml(page);
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    look(&Document::parse_with_options(&xml, options).unwrap_or_else(|error| panic!("{error}")))
}

fn elements<'a>(document: &'a Document<'_>, name: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.root().descendants().filter(move |node| node.has_tag_name(name))
}

/// All words of an element, with one space where there are several.
fn text(node: Node<'_, '_>) -> String {
    let pieces: String = node.descendants().filter_map(|node| node.is_text().then(|| node.text())?).collect();
    pieces.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_page_is_well_formed_and_has_every_section() {
    let page = page(&fixture_with_course());
    assert!(page.starts_with("<!DOCTYPE html><html lang=\"en\">"), "{}", &page[..60]);
    with_document(&page, |document| {
        let titles: Vec<String> = elements(document, "h2").map(text).collect();
        assert_eq!(
            titles,
            [
                "What was run where",
                "Findings",
                "Summary",
                "Distribution of signing times",
                "Times of each operation",
                "Backends compared",
                "Time against signature size",
                "Drift over the run",
                "How to recompute this",
            ]
        );
    });
}

#[test]
fn nothing_is_loaded_and_nothing_is_run() {
    let page = page(&fixture_with_course());
    for loads in ["http:", "https:", "url(", "@import", "src=", "javascript:"] {
        assert!(!page.contains(loads), "{loads}");
    }
    with_document(&page, |document| {
        for element in document.root().descendants().filter(Node::is_element) {
            let name = element.tag_name().name();
            let active =
                ["script", "link", "img", "iframe", "object", "embed", "image", "use", "foreignObject", "a"];
            if name == "a" {
                assert!(element.attribute("href").unwrap().starts_with('#'));
            } else {
                assert!(!active.contains(&name), "{name}");
            }
            assert!(element.attributes().all(|attribute| !attribute.name().starts_with("on")), "{name}");
        }
    });
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let fixture = fixture_with_course();
    assert!(page(&fixture) == page(&fixture));
}

#[test]
fn links_lead_somewhere_and_names_are_there_once() {
    let page = page(&fixture_with_course());
    with_document(&page, |document| {
        let mut ids: Vec<&str> =
            document.root().descendants().filter_map(|node| node.attribute("id")).collect();
        for link in elements(document, "a") {
            let target = &link.attribute("href").unwrap()[1..];
            assert!(ids.contains(&target), "{target}");
        }
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    });
}

#[test]
fn plots_and_tables_say_what_they_are() {
    let page = page(&fixture_with_course());
    with_document(&page, |document| {
        assert!(elements(document, "svg").count() >= 20);
        for svg in elements(document, "svg") {
            assert_eq!(svg.attribute("role"), Some("img"));
            let first: Vec<&str> = svg.children().take(2).map(|node| node.tag_name().name()).collect();
            assert_eq!(first, ["title", "desc"]);
            assert!(svg.children().take(2).all(|node| !text(node).is_empty()));
        }
        for table in elements(document, "table") {
            let caption = table.children().find(Node::is_element).unwrap();
            assert!(caption.has_tag_name("caption") && !text(caption).is_empty());
            let cells = table.descendants().filter(|node| node.has_tag_name("th"));
            assert!(cells.into_iter().all(|cell| cell.attribute("scope").is_some()));
        }
    });
}

#[test]
fn every_row_of_the_summary_is_in_the_table() {
    let fixture = fixture_with_course();
    let recomputed = recomputed(&fixture);
    let page = report::page(&recomputed).unwrap();
    with_document(&page, |document| {
        let section =
            elements(document, "section").find(|node| node.attribute("id") == Some("summary")).unwrap();
        let mut shown: Vec<String> = Vec::new();
        for body in section.descendants().filter(|node| node.has_tag_name("tbody")) {
            let mut rows = body.children().filter(Node::is_element).map(text);
            let algorithm = rows.next().unwrap();
            shown.extend(rows.map(|row| format!("{algorithm} {row}")));
        }
        assert_eq!(shown.len(), recomputed.rows.len());
        for row in &recomputed.rows {
            let backend = match row.key.source.name() {
                "openssl-speed" => "openssl speed",
                _ => row.key.backend.as_str(),
            };
            let start = format!("{} {}{backend}{} ", row.key.algorithm, row.key.operation, row.trials);
            let found = shown.iter().filter(|row| row.starts_with(start.trim_end())).count();
            assert_eq!(found, 1, "{start} in {shown:#?}");
        }
        // The median of 1.17, 1.1817 and 1.1934 ms; the mean of 200 us is written in us.
        let signing = shown.iter().find(|row| row.starts_with("ML-DSA-65 signopenssl3")).unwrap();
        assert!(
            signing.contains("1.182 ms") && signing.contains("1.170 ms") && signing.contains("1.193 ms"),
            "{signing}"
        );
        assert!(shown.iter().any(|row| row.contains("202.0 µs")), "{shown:#?}");
    });
}

#[test]
fn each_series_is_drawn_in_each_plot_of_its_operation() {
    let page = page(&fixture_with_course());
    with_document(&page, |document| {
        let plots = |section: &str| -> Vec<(String, usize, String)> {
            let section =
                elements(document, "section").find(|node| node.attribute("id") == Some(section)).unwrap();
            let figures = section.descendants().filter(|node| node.has_tag_name("figure"));
            figures
                .map(|figure| {
                    let child =
                        |name: &str| figure.descendants().find(|node| node.has_tag_name(name)).unwrap();
                    let curves = figure.descendants().filter(|node| {
                        node.attribute("class").is_some_and(|class| class.contains("line c"))
                            && node.attribute("class").is_some_and(|class| class.contains(" k"))
                    });
                    (text(child("figcaption")), curves.count(), text(child("desc")))
                })
                .collect()
        };
        let distributions = plots("distributions");
        // A curve and its line in the legend, for each of two backends.
        let captions: Vec<(&str, usize)> =
            distributions.iter().map(|(name, curves, _)| (name.as_str(), *curves)).collect();
        assert_eq!(captions, [("ML-DSA-65 sign", 4), ("Ed25519 sign", 4)]);
        assert_eq!(plots("operations").len(), 6);
        // Verifying Ed25519 is timed by one backend, and by `openssl speed` not at all.
        assert_eq!(plots("backends").len(), 5);
        assert_eq!(plots("course").len(), 6);
        let sizes = plots("sizes");
        assert_eq!(sizes.len(), 2);
        assert!(sizes[0].2.contains("ML-DSA-65: 202 µs by aws-lc, 3309 bytes"), "{}", sizes[0].2);
        assert!(sizes[1].2.contains("Ed25519: 121 µs by openssl, 64 bytes"), "{}", sizes[1].2);
        // 1.17 ms by 0.2 ms in each trial.
        let (_, _, signing) =
            plots("backends").into_iter().find(|(name, ..)| name == "ML-DSA-65 sign").unwrap();
        assert!(signing.starts_with("aws-lc ×0.171 ("), "{signing}");
        assert!(signing.contains("openssl speed ×"), "{signing}");
        // The trials' means differ from the mean of all by 1% each way.
        let (_, _, drift) =
            plots("course").into_iter().find(|(name, ..)| name.starts_with("ML-DSA-65 sign")).unwrap();
        assert!(drift.contains("aws-lc: −1.0% to +1.0%"), "{drift}");
    });
}

#[test]
fn logs_without_percentiles_or_course_say_so() {
    let page = page(&Fixture::new());
    assert!(page.contains("No log has percentiles of single operations"));
    assert!(page.contains("each dot is a whole trial"));
    let without = page_of_openssl_alone();
    assert!(without.contains("No log has percentiles of single operations"));
    assert!(without.contains("No operation was timed by two backends"));
    assert!(without.contains("Only pqsig"));
    with_document(&without, |_| ());
}

fn page_of_openssl_alone() -> String {
    let fixture = Fixture::new();
    for trial in 1..=3 {
        std::fs::remove_file(fixture.file(&format!("trial-{trial}.jsonl"))).unwrap();
    }
    page(&fixture)
}

#[test]
fn findings_of_the_run_and_of_its_figures_are_shown() {
    let fixture = fixture_with_course();
    let recomputed_before = recomputed(&fixture);
    let implausible = plausibility::check(&recomputed_before.run).len();
    std::fs::remove_file(fixture.file("trial-2.jsonl")).unwrap();
    let recomputed = recomputed(&fixture);
    assert!(recomputed.run.findings.iter().any(|finding| finding.rule == "missing-log"));
    let page = report::page(&recomputed).unwrap();
    assert!(page.contains("The run is not complete") && page.contains("missing-log"));
    let all = recomputed.run.findings.len() + plausibility::check(&recomputed.run).len();
    with_document(&page, |document| {
        let section =
            elements(document, "section").find(|node| node.attribute("id") == Some("findings")).unwrap();
        let rows =
            section.descendants().filter(|node| node.has_tag_name("tbody")).flat_map(|body| body.children());
        assert_eq!(rows.count(), all, "{implausible} before");
    });
}

#[test]
fn hostile_names_are_words() {
    let fixture = fixture_with_course();
    let hostile = "<script>alert(1)</script>\"'&\u{202e}\u{0}--></style><svg onload=x>";
    for trial in 1..=3 {
        let name = format!("trial-{trial}.jsonl");
        let quoted = serde_json::to_string(hostile).unwrap();
        for (from, to) in [
            ("\"backend\":\"aws-lc\"", format!("\"backend\":{quoted}")),
            ("\"backend_version\":\"AWS-LC 1.62\"", format!("\"backend_version\":{quoted}")),
            ("\"algorithm\":\"Ed25519\"", format!("\"algorithm\":{quoted}")),
            ("\"cpu\":\"Example CPU 1\"", format!("\"cpu\":{quoted}")),
            ("\"operation\":\"verify\"", format!("\"operation\":{quoted}")),
            ("\"backends\":[\"aws-lc\"", format!("\"backends\":[{quoted}")),
        ] {
            let text = fixture.read(&name);
            assert!(text.contains(from), "{from}");
            fixture.write(&name, &text.replace(from, &to));
        }
    }
    fixture.write("openssl.txt", hostile);
    let page = page(&fixture);
    assert!(!page.contains("<script") && !page.contains("<svg onload") && !page.contains("--></style>"));
    assert!(!page.contains('\u{202e}') && !page.contains('\u{0}'));
    with_document(&page, |document| {
        let seen = hostile.replace(['\u{202e}', '\u{0}'], "\u{fffd}");
        let captions: Vec<String> = elements(document, "figcaption").map(text).collect();
        assert!(captions.iter().any(|caption| caption.contains(&seen)), "{captions:#?}");
    });
}

#[test]
fn a_long_name_has_bounded_length() {
    let fixture = fixture_with_course();
    let long = "x".repeat(100_000);
    for trial in 1..=3 {
        let name = format!("trial-{trial}.jsonl");
        fixture.write(&name, &fixture.read(&name).replace("\"aws-lc\"", &format!("\"{long}\"")));
    }
    let page = page(&fixture);
    assert!(page.contains("xxx…"));
    assert!(!page.contains(&"x".repeat(201)));
}

/// The size that the largest sensible run makes: all algorithms by six backends, three operations, three trials of
/// which each phase has the most slices a log may have.
#[test]
fn a_large_run_makes_a_page_of_bounded_size() {
    let fixture = Fixture::new();
    for trial in 1..=3 {
        for kind in ["stdout.txt", "stderr.txt"] {
            std::fs::remove_file(fixture.file(&format!("trial-{trial}.{kind}"))).unwrap();
        }
        fixture.write(&format!("trial-{trial}.jsonl"), &support::course::large_log(trial));
    }
    let recomputed = recomputed(&fixture);
    assert_eq!(recomputed.rows.len(), support::course::LARGE_SERIES);
    let page = report::page(&recomputed).unwrap();
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    with_document(&page, |document| assert!(elements(document, "svg").count() >= 16 * 9));
}

/// A thousand algorithms are a table of a thousand algorithms, and as many plots as a browser can show.
#[test]
fn a_hostile_number_of_algorithms_is_curtailed() {
    let fixture = Fixture::new();
    for trial in 2..=3 {
        for kind in ["jsonl", "stdout.txt", "stderr.txt"] {
            std::fs::remove_file(fixture.file(&format!("trial-{trial}.{kind}"))).unwrap();
        }
    }
    let log = support::course::log_of(
        1,
        (0..1000).map(|number| (format!("algorithm-{number:04}"), "b".to_owned())),
        2,
    );
    fixture.write("trial-1.jsonl", &log);
    let page = page(&fixture);
    assert!(page.contains("Plots show the first 96 operations"), "{}", page.len());
    with_document(&page, |document| assert!(elements(document, "svg").count() < 400));
    assert!(page.contains("algorithm-0999") && page.len() < 4_000_000, "{}", page.len());
}
