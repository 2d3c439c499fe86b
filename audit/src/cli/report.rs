//! `pqsig-audit report`

use super::arguments::ReportArguments;
use super::output::{Outcome, print};
use crate::run::Detail;
use crate::summarize::recompute;
use crate::{Error, files, report};

/// A report shows what is wrong with a run as well, so nothing of that keeps it from being written.
pub(super) fn run(arguments: &ReportArguments) -> Result<Outcome, Error> {
    let recomputed = recompute(&arguments.folder, Detail::Course)?;
    let page = report::page(&recomputed)?;
    let path = arguments.out.clone().unwrap_or_else(|| arguments.folder.join("report.html"));
    files::write(&path, page.as_bytes())?;
    print(&format!("{}\n", path.display()))?;
    Ok(Outcome::Clean)
}
