# From trial logs to a summary: pqsig-audit with pandas and plain Nushell beside it.

use ../support/folders.nu [evidence open-csv]
use ../support/programs.nu [audit-path example-path root]
use peak.nu peak-and-time
use rows.nu row

# How often each program summarizes the logs.
const summaries = 3

# How long `pqsig-audit summarize` takes for many logs, and how much memory, with pandas and plain Nushell beside it
# on the same logs; and how long for the one run that people have.
export def summarize-logs [logs: int]: nothing -> table {
  let python = python-with-pandas
  let program = audit-path
  let folder = mktemp --directory --tmpdir "pqsig-bench.XXXXXX"
  try {
    let runs = $folder | path join runs
    let written = ^(example-path synthetic_logs) $runs $logs | from json
    let what = $"($written.logs) logs, ($written.samples) samples, ($written.bytes // 1_000_000) MB"
    print --stderr $"  ($what)"
    let scripts = $root | path join scripts bench
    let out = {|name| $folder | path join $"($name).csv" }
    # Each as a command of its own, with its start.
    let commands = {
      pqsig-audit: [$program summarize $runs]
      pandas: [$python ($scripts | path join aggregate.py) $runs (do $out pandas)]
      nushell: [$nu.current-exe --no-config-file ($scripts | path join aggregate.nu) $runs (do $out nushell)]
    }
    let times = time-in-turns $commands
    for name in [pandas nushell] {
      same-summary ($runs | path join summary.csv) (do $out $name) $name
    }
    let time = $times | get pqsig-audit
    let rows = [
      (row $"($what): pqsig-audit summarize, time" $time --below 5sec)
      ...([pandas nushell] | each {|name|
        let ratio = ($times | get $name) / $time | math round --precision 2
        row $"($what): time in ($name) by pqsig-audit's" $ratio --at-least 1
      })
    ]
    # After the turns: what watches the memory takes time, too.
    rm ($runs | path join samples.csv) ($runs | path join summary.csv)
    let peak = peak-and-time $program [summarize $runs] | get peak
    let memory = if $peak == null { [] } else {
      [(row $"($what): pqsig-audit summarize, memory" $peak --below 1GiB)]
    }
    let single = summarize-one-run $program (one-run $folder)
    rm --recursive $folder
    $rows ++ $memory ++ $single
  } catch {|error|
    rm --recursive --force $folder
    error make --unspanned {msg: $error.rendered}
  }
}

# A Python of its own, under target, with the pandas that requirements.txt pins.
def python-with-pandas []: nothing -> path {
  let pins = $root | path join scripts bench requirements.txt
  let home = $env.CARGO_TARGET_DIR? | default ($root | path join target) | path expand | path join bench pandas
  let stamp = $home | path join requirements.txt
  let python = $home | path join bin python
  if not ($stamp | path exists) or (open --raw $stamp) != (open --raw $pins) {
    print --stderr "  setting up pandas"
    mkdir ($home | path dirname)
    ^python3 -m venv --clear $home
    # Wheels only: nothing of a package is run while it is installed.
    ^$python -I -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: --requirement $pins
    # Written last, so that a set-up that broke off is done again.
    cp $pins $stamp
  }
  $python
}

# The median time of each command. A B C, then C B A: what drifts evenly cancels.
def time-in-turns [commands: record]: nothing -> record {
  let names = $commands | columns
  let times = 1..$summaries | each {|turn|
    print --stderr $"  turn ($turn) of ($summaries)"
    let order = if $turn mod 2 == 1 { $names } else { $names | reverse }
    $order | each {|name| {name: $name, time: (time-of ($commands | get $name))} }
  } | flatten
  $names | reduce --fold {} {|name, medians|
    $medians | insert $name ($times | where name == $name | get time | math median)
  }
}

def time-of [command: list<string>]: nothing -> duration {
  let started = date now
  let result = do { ^($command | first) ...($command | skip 1) } | complete
  let time = (date now) - $started
  if $result.exit_code != 0 {
    error make --unspanned {msg: $"($command | first 2 | str join ' ') failed", help: $result.stderr}
  }
  $time
}

# Refuses to compare programs that do not do the same. Each rounds to seven digits in its own way.
export def same-summary [expected: path, found: path, name: string]: nothing -> nothing {
  let key = [source algorithm backend operation]
  let tables = [$expected $found] | each { open-csv $in | sort-by source algorithm backend operation }
  let differences = $tables.0 | zip $tables.1 | where {|pair|
    ($pair.0 | select ...$key trials) != ($pair.1 | select ...$key trials) or (
      [median_ms min_ms max_ms median_ops_per_s standard_error_pct] | any {|column|
        let figures = [0 1] | each {|side| $pair | get $side | get $column | default 0 | into float }
        ($figures.0 - $figures.1 | math abs) > 2e-6 * ($figures.0 | math abs)
      }
    )
  }
  if ($tables.0 | length) != ($tables.1 | length) or ($tables.0 | is-empty) or ($differences | is-not-empty) {
    error make --unspanned {
      msg: $"($name) makes another summary than pqsig-audit"
      help: ($differences | first 1 | to nuon)
    }
  }
}

# A copy of a checked-in run.
def one-run [folder: path]: nothing -> path {
  let one = $folder | path join one
  cp --recursive (evidence | first) $one
  $one
}

def summarize-one-run [program: path, run: path]: nothing -> table {
  let command = [$program summarize $run]
  # The first reads the program from the disk, and writes the files.
  time-of $command
  let time = 1..20 | each { time-of $command } | math median
  [(row "one run: pqsig-audit summarize, median of 20" $time --below 100ms)]
}
