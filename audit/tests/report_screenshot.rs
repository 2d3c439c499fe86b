//! The report as a browser shows it: at the width of a desktop and of a phone, dark and light, and on paper.

#![cfg(test)]

mod support;

use std::collections::BTreeSet;

use pqsig_audit::summarize::recompute;
use pqsig_audit::{Detail, report};
use serde_json::Value;

use support::browser::{Browser, Picture, Scheme};
use support::course::{fixture_with_course, large_log};

fn page() -> String {
    let fixture = fixture_with_course();
    report::page(&recompute(fixture.path(), Detail::Course).unwrap()).unwrap()
}

/// A page with more of everything: 16 algorithms by six backends.
fn large_page() -> String {
    let fixture = fixture_with_course();
    for trial in 1..=3 {
        fixture.write(&format!("trial-{trial}.jsonl"), &large_log(trial));
    }
    report::page(&recompute(fixture.path(), Detail::Course).unwrap()).unwrap()
}

/// The ground, the words, and the colours of the two backends: of style.css.
struct Palette {
    ground: [u8; 3],
    words: [u8; 3],
    series: [[u8; 3]; 2],
}

const LIGHT: Palette = Palette {
    ground: [0xff, 0xff, 0xff],
    words: [0x1b, 0x21, 0x28],
    series: [[0x0b, 0x63, 0xb5], [0xc2, 0x4e, 0x00]],
};
const DARK: Palette = Palette {
    ground: [0x14, 0x18, 0x1d],
    words: [0xe6, 0xea, 0xee],
    series: [[0x6f, 0xb3, 0xff], [0xff, 0x9a, 0x5c]],
};

#[test]
fn it_looks_right_in_both_schemes_on_a_desktop_and_a_phone() {
    let Some(browser) = Browser::find() else { return };
    let page = page();
    for (width, height) in [(1280, 6000), (400, 12_000)] {
        let light = browser.picture(&page, Scheme::Light, (width, height));
        let dark = browser.picture(&page, Scheme::Dark, (width, height));
        looks_right(&light, &LIGHT, &DARK);
        looks_right(&dark, &DARK, &LIGHT);
        assert_eq!((light.width, light.height), (width as usize, height as usize));
    }
}

fn looks_right(picture: &Picture, palette: &Palette, other: &Palette) {
    // The margins are empty: nothing is cut off at the edge.
    let row = |y: usize| &picture.pixels[y * picture.width..(y + 1) * picture.width];
    for y in 0..picture.height {
        assert_eq!((row(y)[2], row(y)[picture.width - 3]), (palette.ground, palette.ground), "row {y}");
    }
    let all = picture.pixels.len();
    let ground = picture.count(palette.ground);
    assert!(ground > all / 2 && ground < all * 99 / 100, "{ground} of {all} pixels are the ground");
    assert!(picture.count(palette.words) > 1000, "words");
    for color in palette.series {
        assert!(picture.count(color) > 2000, "{color:x?}: {}", picture.count(color));
    }
    // Every colour follows the scheme.
    for color in other.series {
        assert!(picture.count(color) == 0, "{color:x?} is of the other scheme");
    }
    let colors: BTreeSet<[u8; 3]> = picture.pixels.iter().copied().collect();
    assert!(colors.len() > 100, "{} colours", colors.len());
}

/// Measures what a picture does not tell, by a script that is added to the page for this purpose.
const PROBE: &str = r#"<script>
const box = (element) => element.getBoundingClientRect();
const root = document.documentElement;
const found = { width: innerWidth, overflow: root.scrollWidth - root.clientWidth, small: [], overlaps: [], outside: [], plots: 0 };
for (const svg of document.querySelectorAll("svg")) {
  found.plots += 1;
  const frame = box(svg);
  const words = [...svg.querySelectorAll("text")];
  for (const [at, word] of words.entries()) {
    const size = parseFloat(getComputedStyle(word).fontSize) * word.getScreenCTM().a;
    if (size < 11.9) found.small.push([word.textContent, size]);
    const a = box(word);
    // A letter's box has room above and below that nothing is drawn in.
    if (a.left < frame.left - 0.5 || a.right > frame.right + 0.5 || a.top < frame.top - 3 || a.bottom > frame.bottom + 3)
      found.outside.push([svg.querySelector("title").textContent, word.textContent]);
    for (const other of words.slice(at + 1)) {
      const b = box(other);
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 0.5 && high > 3) found.overlaps.push([svg.querySelector("title").textContent, word.textContent, other.textContent]);
    }
  }
}
for (const element of document.querySelectorAll("h1, h2, h3, p, li, figcaption, td, th, caption, pre"))
  if (parseFloat(getComputedStyle(element).fontSize) < 11.9) found.small.push([element.textContent, 0]);
parent.document.documentElement.setAttribute("data-found", JSON.stringify(found));
parent.document.body.textContent = "";
</script>"#;

/// In a frame of this width: a window can't be as narrow as a phone.
fn measured(browser: &Browser, page: &str, width: u32) -> Value {
    // The page itself forbids scripts.
    let (before, rest) = page.split_once("<meta http-equiv=\"Content-Security-Policy\"").unwrap();
    let (_, after) = rest.split_once('>').unwrap();
    let with_probe = format!("{before}{after}").replace("</body>", &format!("{PROBE}</body>"));
    let quoted = with_probe.replace('&', "&amp;").replace('"', "&quot;");
    let style = format!("width: {width}px; height: 800px; border: 0");
    let frame = format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><body><iframe style=\"{style}\" srcdoc=\"{quoted}\"></iframe>"
    );
    let document = browser.document(&frame, 1400);
    let (_, found) = document.split_once("data-found=\"").expect("the probe ran");
    let (found, _) = found.split_once("\">").unwrap();
    let found =
        found.replace("&quot;", "\"").replace("&nbsp;", " ").replace("&lt;", "<").replace("&gt;", ">");
    serde_json::from_str(&found.replace("&amp;", "&")).unwrap()
}

#[test]
fn nothing_overlaps_overflows_or_is_too_small_to_read() {
    let Some(browser) = Browser::find() else { return };
    for (page, least) in [(page(), 20), (large_page(), 100)] {
        for width in [400, 700, 1280] {
            let found = measured(&browser, &page, width);
            assert_eq!(found["width"], width, "the window");
            assert!(found["plots"].as_u64().unwrap() >= least);
            assert_eq!(found["overflow"], 0, "at {width}");
            for fault in ["small", "outside", "overlaps"] {
                let faults = found[fault].as_array().unwrap();
                let first: Vec<&Value> = faults.iter().take(10).collect();
                assert!(faults.is_empty(), "at {width}, {} {fault}: {first:#?}", faults.len());
            }
        }
    }
}

#[test]
fn it_can_be_printed() {
    let Some(browser) = Browser::find() else { return };
    let pdf = browser.print(&page());
    assert!(pdf.starts_with(b"%PDF-"));
    // A section begins a page each.
    let text = String::from_utf8_lossy(&pdf);
    let pages = text.matches("/Type /Page\n").count() + text.matches("/Type /Page/").count();
    assert!((9..40).contains(&pages), "{pages} pages");
}
