# Makes samples.csv and summary.csv again from the raw logs, and says which were exact already.
#
#     nu scripts/summarize.nu                     every run under audit/evidence
#     nu scripts/summarize.nu generated/my-run
#     nu scripts/summarize.nu --check             writes nothing
#
# The same logs give the same bytes, everywhere: after a whole pass, `git diff --exit-code audit/evidence` finds nothing.

use support/audit-program.nu [ask summarized]
use support/folders.nu [evidence shown-path]

# Print a table with a row per run. The exit status is 1 if something is wrong with a run, or if --check found another
# file than follows from the logs; 2 if a folder can't be read.
def main [
  ...folders: path # the runs (default: those under audit/evidence)
  --check # write nothing: name the first row and column that differ
]: nothing -> nothing {
  let runs = if ($folders | is-empty) { evidence } else { $folders } | each { shown-path }
  if ($runs | is-empty) {
    error make --unspanned {msg: "there is no run under audit/evidence", help: "nu scripts/summarize.nu DIR takes another folder"}
  }
  let asked = ask summarize ...$runs ...(if $check { [--check] } else { [] })
  if ($asked.words != "") {
    print --stderr $asked.words
  }
  if ($asked.answer | is-not-empty) {
    let width = if (is-terminal --stdout) { (term size).columns } else { 110 }
    let fates = $asked.answer | summarized --check=$check | select folder samples_csv summary_csv
    print ($fates | rename folder "samples.csv" "summary.csv" | table --index false --width $width)
  }
  exit $asked.exit_code
}
