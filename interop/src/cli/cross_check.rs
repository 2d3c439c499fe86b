//! The program's main work: a run, printed and saved.

use pqsig::Algorithm;

use super::arguments::{Format, RunArguments};
use super::files::Output;
use super::progress::Progress;
use super::{Misuse, Outcome, complain, gathered, print};
use crate::gather::Gathered;
use crate::known::Deviation;
use crate::record::Run;
use crate::report::terminal::Style;
use crate::report::{csv, json, junit, table, tally};
use crate::run::{self, Options};

pub(super) fn run(arguments: &RunArguments) -> Result<Outcome, Misuse> {
    let named = arguments.algorithms()?;
    let wanted = arguments.peers.wanted()?;
    let outputs = outputs(arguments)?;
    let gathered = gathered(&wanted)?;
    let options = Options {
        algorithms: algorithms(named, &gathered)?,
        depth: arguments.depth(),
        peers: gathered.peers,
        skipped: gathered.skipped,
        vectors: !arguments.no_vectors,
        whole_acvp: arguments.acvp.clone(),
        threads: arguments.threads,
        reproducers: Some(arguments.reproducers.clone()),
    };
    let progress = Progress::new();
    let mut run = run::run(&options, &progress)?;
    drop(progress);
    let gone = gathered.known.mark(&mut run);

    for (output, format) in outputs {
        output.finish(&written(&run, format)?)?;
    }
    print(&written(&run, arguments.format)?)?;
    for deviation in &gone {
        let Deviation { peer, version, check, case, .. } = deviation;
        complain(&format!(
            "a known deviation is gone, take it off the list: {peer} ({version}), {}: {case}",
            check.name()
        ));
    }
    Ok(Outcome::clean_if(tally::agrees(&run) && gathered.missing.is_empty() && gone.is_empty()))
}

/// The files to be written, begun, each with what it will hold.
fn outputs(arguments: &RunArguments) -> Result<Vec<(Output, Format)>, Misuse> {
    let wanted =
        [(&arguments.out, Format::Json), (&arguments.csv, Format::Csv), (&arguments.junit, Format::Junit)];
    let mut outputs: Vec<(Output, Format)> = Vec::new();
    for (path, format) in wanted {
        let Some(path) = path else { continue };
        if outputs.iter().any(|(output, _)| output.path() == path) {
            return Err(Misuse::new(format!("two reports can't be one file: {}", path.display()))
                .with_hint("give --out, --csv and --junit a file each"));
        }
        outputs.push((Output::begin(path)?, format));
    }
    Ok(outputs)
}

/// The algorithms to run: those that were named, each of which somebody must know; else all that somebody knows.
fn algorithms(named: Vec<Algorithm>, gathered: &Gathered) -> Result<Vec<Algorithm>, Misuse> {
    let is_known =
        |algorithm: &Algorithm| gathered.peers.iter().any(|peer| peer.ability(*algorithm).is_some());
    let algorithms = if named.is_empty() { Algorithm::all().filter(is_known).collect() } else { named };
    let unknown: Vec<&str> = algorithms
        .iter()
        .filter(|algorithm| !is_known(algorithm))
        .map(|algorithm| algorithm.name())
        .collect();
    if algorithms.is_empty() || !unknown.is_empty() {
        let what = if unknown.is_empty() { "any algorithm".to_owned() } else { unknown.join(", ") };
        let asked: Vec<&str> = gathered.peers.iter().map(|peer| peer.name()).collect();
        return Err(Misuse::new(format!("nobody of those asked knows {what}: {}", asked.join(", ")))
            .with_hint("name other algorithms, or other peers with --backend and --adapter"));
    }
    Ok(algorithms)
}

fn written(run: &Run, format: Format) -> Result<String, Misuse> {
    Ok(match format {
        Format::Table => table::render(run, Style::of_stdout()),
        Format::Json => json::to_string(run)?,
        Format::Csv => {
            csv::to_string(run).map_err(|error| Misuse::new(format!("can't write CSV: {error}")))?
        }
        Format::Junit => {
            junit::to_string(run).map_err(|error| Misuse::new(format!("can't write JUnit XML: {error}")))?
        }
    })
}
