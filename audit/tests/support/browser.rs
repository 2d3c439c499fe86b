//! A headless browser, to look at pages with.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What such browsers are called, in the order in which they are looked for.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// How long a page may take, on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_mins(2);

/// A browser of Chromium's family.
pub(crate) struct Browser {
    program: PathBuf,
    /// Its settings and whatever it writes; new each time, so that no run depends on another.
    folder: tempfile::TempDir,
}

/// What a page looks like.
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Red, green and blue of each pixel, row by row.
    pub(crate) pixels: Vec<[u8; 3]>,
}

/// What the reader prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Dark,
    Light,
}

impl Browser {
    /// The one that `PQSIG_BROWSER` names, or else the first on the path. Without one there is nothing to test
    /// with, which only counts as passing where nobody promised one: with `CI` set, it is a failure.
    pub(crate) fn find() -> Option<Self> {
        let named = std::env::var_os("PQSIG_BROWSER").map(PathBuf::from);
        let Some(program) = named.or_else(on_path) else {
            assert!(
                std::env::var_os("CI").is_none(),
                "no browser: install Chromium, or name one in PQSIG_BROWSER"
            );
            eprintln!("skipped: no browser. Install Chromium, or name one in PQSIG_BROWSER.");
            return None;
        };
        Some(Browser { program, folder: tempfile::tempdir().unwrap() })
    }

    /// A picture of a page in a window of this size.
    pub(crate) fn picture(&self, page: &str, scheme: Scheme, (width, height): (u32, u32)) -> Picture {
        let file = self.folder.path().join("picture.png");
        let scheme = match scheme {
            Scheme::Dark => "--blink-settings=preferredColorScheme=0",
            Scheme::Light => "--blink-settings=preferredColorScheme=1",
        };
        let size = format!("--window-size={width},{height}");
        self.run(page, &[scheme, &size, "--hide-scrollbars", &format!("--screenshot={}", file.display())]);
        Picture::read(&file)
    }

    /// The document as it is after its scripts, in a window of this width.
    pub(crate) fn document(&self, page: &str, width: u32) -> String {
        self.run(page, &[&format!("--window-size={width},800"), "--hide-scrollbars", "--dump-dom"])
    }

    /// The page as it is printed, as PDF.
    pub(crate) fn print(&self, page: &str) -> Vec<u8> {
        let file = self.folder.path().join("page.pdf");
        self.run(page, &["--no-pdf-header-footer", &format!("--print-to-pdf={}", file.display())]);
        fs::read(file).unwrap()
    }

    fn run(&self, page: &str, flags: &[&str]) -> String {
        let folder = self.folder.path();
        let (file, said) = (folder.join("page.html"), folder.join("stdout.txt"));
        fs::write(&file, page).unwrap();
        let mut child = Command::new(&self.program)
            .args([
                "--headless",
                // Root has no sandbox to be in, and the page is ours.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--force-device-scale-factor=1",
            ])
            .arg(format!("--user-data-dir={}", folder.join("profile").display()))
            .args(flags)
            .arg(format!("file://{}", file.display()))
            .stdout(Stdio::from(File::create(&said).unwrap()))
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", self.program.display()));
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if begun.elapsed() > PATIENCE {
                child.kill().unwrap();
                panic!("the browser takes longer than {PATIENCE:?}");
            }
            thread::sleep(Duration::from_millis(20));
        };
        assert!(status.success(), "the browser: {status}");
        fs::read_to_string(said).unwrap()
    }
}

fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file()))
}

impl Picture {
    fn read(file: &Path) -> Self {
        let mut decoder = png::Decoder::new(BufReader::new(File::open(file).unwrap()));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let samples = info.color_type.samples();
        assert!(samples >= 3, "{:?}", info.color_type);
        let pixels =
            bytes[..info.buffer_size()].chunks_exact(samples).map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        let (width, height) = (info.width as usize, info.height as usize);
        Picture { width, height, pixels: pixels.collect() }
    }

    /// How many pixels have this colour.
    pub(crate) fn count(&self, color: [u8; 3]) -> usize {
        self.pixels.iter().filter(|pixel| **pixel == color).count()
    }
}
