# Commands of the program pqsig-audit that take and return tables.
#
#     use scripts/audit.nu *
#     audit summarize generated/my-run
#     audit compare generated/a generated/b | where verdict != "none shown"
#     audit plausibility audit/evidence/linux-x86_64
#     audit report generated/my-run | start $in
#
# A run is a folder of logs, such as `nu scripts/run.nu` makes. The program is the one that PQSIG_AUDIT names, else the
# one that cargo builds.

use support/audit-program.nu [ask run-program summarized]
use support/folders.nu [all-runs shown-path]

# Make samples.csv and summary.csv of runs from their raw logs.
#
# Returns a row per run: what became of both files (exact, written, rewritten; with --check exact, missing or
# different), and what is wrong with the logs. A run whose logs contradict themselves, or are not whole, is an error, and
# so is a difference with --check.
@example "Make the files of one run" { audit summarize generated/my-run }
@example "Are those of every run what follows from its logs?" { audit summarize ...(ls audit/evidence | where type == dir).name --check }
@example "The figures themselves" { open (audit summarize generated/my-run | get 0.folder | path join summary.csv) }
@search-terms csv median recompute
export def "audit summarize" [
  ...folders: path@run-folders # the runs
  --check # write nothing: fail at the first row and column that differ
  --allow-incomplete # summarize what is there of a run that is not whole
]: nothing -> table<folder: string, trials: int, samples: int, incomplete: bool, samples_csv: string, summary_csv: string, differences: list<string>, findings: table> {
  if ($folders | is-empty) {
    error make --unspanned {msg: "no run is named", help: "such as: audit summarize generated/my-run"}
  }
  let switches = [
    ...(if $check { [--check] } else { [] })
    ...(if $allow_incomplete { [--allow-incomplete] } else { [] })
  ]
  mut rows = []
  # One by one, so that an error points at the folder at fault.
  for run in $folders {
    let asked = ask summarize $run ...$switches
    if $asked.exit_code != 0 {
      refuse $"($run | shown-path) can't be vouched for" $asked (metadata $run).span
    }
    $rows ++= ($asked.answer | summarized --check=$check --allow-incomplete=$allow_incomplete)
  }
  $rows
}

# Hold two runs against each other: how many times longer does an operation take in the one than in the other?
#
# Returns a row per operation that both have timed: the ratio of the times, with a 95% confidence interval from low to
# high, and what follows. Runs on different processors, in different modes or of different messages are not comparable:
# that is an error, unless forced.
@example "What became slower or faster?" { audit compare generated/before generated/after | where verdict =~ faster }
@example "In spite of another processor" { audit compare generated/laptop generated/server --force }
@search-terms ratio bootstrap confidence interval regression
export def "audit compare" [
  a: path@run-folders # the one run
  b: path@run-folders # the other
  --force (-f) # compare what was measured under other conditions all the same
]: nothing -> table {
  let asked = ask compare $a $b ...(if $force { [--force] } else { [] })
  if $asked.exit_code != 0 {
    refuse $"($a | shown-path) and ($b | shown-path) can't be compared" $asked (metadata $b).span
  }
  # What a narrow terminal cuts off should be what matters least.
  $asked.answer.rows | move ratio low high verdict --after operation
}

# Flag what can't be: figures that contradict each other, the algorithm or the machine.
#
# Returns a row per finding; an empty table says that nothing is implausible.
@example "Is there anything to doubt?" { audit plausibility generated/my-run }
@example "What somebody published, as JSON of the schema pqsig-claims/1" { audit plausibility --claims [claims.json] }
@search-terms findings doubt claims
export def "audit plausibility" [
  ...folders: path@run-folders # the runs
  --claims: list<path> = [] # files with published figures
]: nothing -> table<of: string, severity: string, rule: string, place: string, message: string> {
  if ($folders | is-empty) and ($claims | is-empty) {
    error make --unspanned {msg: "neither a run nor claims are named", help: "such as: audit plausibility generated/my-run"}
  }
  let sources = ($folders | each { {path: $in, flag: []} }) ++ ($claims | each { {path: $in, flag: [--claims]} })
  mut rows = []
  for source in $sources {
    let asked = ask plausibility ...$source.flag $source.path
    if $asked.answer == null {
      refuse $"($source.path | shown-path) can't be judged" $asked (metadata $source.path).span
    }
    $rows ++= ($asked.answer | each {|one| $one.findings | insert of $one.of | move of --first } | flatten)
  }
  $rows
}

# Write one HTML file that shows a run, and return its path.
@example "Write and open it" { audit report generated/my-run | start $in }
@example "Somewhere else" { audit report audit/evidence/linux-x86_64 --out report.html }
@search-terms html plot ecdf
export def "audit report" [
  folder: path@run-folders # the run
  --out (-o): path # where to write the report (default: report.html in the run's folder)
]: nothing -> path {
  let target = $out | default ($folder | path join report.html)
  let asked = run-program report $folder --out $target
  if $asked.exit_code != 0 {
    refuse $"no report can be made of ($folder | shown-path)" $asked (metadata $folder).span
  }
  $target
}

# What the Tab key offers: the runs that are here.
def run-folders []: nothing -> list<record<value: string, description: string>> {
  all-runs | each {|folder|
    let logs = glob ($folder | path join "trial-*") | length
    {value: ($folder | shown-path), description: $"($logs) logs"}
  }
}

# The program's own words, at the argument at fault.
def refuse [words: string, asked: record, span: record]: nothing -> error {
  let lines = $asked.words | lines | each { str replace --regex '^error: ' '' }
  error make {
    msg: $words
    label: {text: ($lines | first | default "the program gives no reason"), span: $span}
    help: ($lines | skip 1 | append "pqsig-audit --help tells more" | str join "\n")
  }
}
