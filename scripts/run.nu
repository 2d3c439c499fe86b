# A run: `openssl speed` and `pqsig speed` on the same algorithms, in trials that follow one another. Its raw logs
# stay as they come; samples.csv, summary.csv and report.html are made from them.
#
#     nu scripts/run.nu                                        about 5 minutes
#     nu scripts/run.nu --trials 5 --algorithms ML-DSA,Ed25519
#     nu scripts/run.nu --resume                               goes on with the run that was interrupted
#
# Needs what scripts/quickstart.sh needs, and builds what is not built. It writes into the run's folder and into
# target, nowhere else. The machine should have nothing else to do meanwhile.

use support/audit-program.nu [ask run-program tell]
use support/folders.nu [is-evidence open-csv shown-path]
use support/logs.nu [set-aside unfinished]
use support/plan.nu [estimates new-plan old-plan openssl-arguments pqsig-command]
use support/programs.nu [audit-path check-nu in-plugin openssl-path plugin-path root]
use support/progress.nu under-way
use support/shown.nu fitted

# How many digits the printed table has after the point.
const decimals = 4

# Make a run and print its summary as a table.
#
# The folder gets, for each trial, trial-N.stdout.txt and trial-N.stderr.txt of `openssl speed` and trial-N.jsonl of
# `pqsig speed`; host.json (the machine before and after), openssl.txt (`openssl version -a`), run.json (what was
# asked for), samples.csv, summary.csv and report.html. Figures that can hardly be true are named on stderr. The exit
# status is 1 if the run is not whole, 130 if it was interrupted.
def --env main [
  --trials: int # how often all of it is timed, 1 to 1000 (default: 3)
  --seconds: int # what each operation of each algorithm gets in a trial, 1 to 3600 (default: 1)
  --algorithms: string # names, families or all, such as ML-DSA,Ed25519 (default: ML-DSA-65 and -87, and four of SLH-DSA)
  --backends: string # which of pqsig's backends, such as openssl,aws-lc (default: every one)
  --out: path # the run's folder, new or empty (default: generated/run-DATE-TIME)
  --resume # go on with the run in --out, or else with the latest one under generated
  --deterministic # pqsig signs without randomness: every backend does the same work
  --samples # keep the times of single operations in pqsig's logs
]: nothing -> table {
  check-range trials $trials 1000
  check-range seconds $seconds 3600
  check-nu
  let folder = if $resume { $out | default { latest } | old-folder } else { $out | default { fresh-name } | new-folder }
  let given = {
    trials: $trials
    seconds: $seconds
    algorithms: $algorithms
    backends: $backends
    deterministic: (if $deterministic { true })
    samples: (if $samples { true })
  }

  # Named once, so that later calls do not build again.
  $env.PQSIG_PLUGIN = plugin-path
  $env.PQSIG_AUDIT = audit-path
  let openssl = openssl-path
  let offered = in-plugin $env.PQSIG_PLUGIN "pqsig algorithms | select name oid family backends"
  let programs = programs-of-this-run $openssl
  let plan = if $resume { old-plan $folder $given $offered } else { new-plan $given $offered }

  if $resume { go-on $folder $plan $programs } else { begin $folder $plan $programs }
  try {
    make-trials $folder $plan $openssl (estimates $plan $offered)
    tell host --after ($folder | path join host.json)
  } catch {|error|
    let stopped = $error | is-interruption
    let what = if $stopped { "was interrupted" } else { $"is not finished: ($error.msg)" }
    print --stderr $"the run in ($folder | shown-path) ($what)" ...($error | remedy)
    print --stderr $"to go on with it: nu scripts/run.nu --resume --out ($folder | shown-path | to nuon)"
    exit (if $stopped { 130 } else { 1 })
  }
  # The times of fast operations would else be shown as 0.03 ms.
  $env.config.float_precision = $decimals
  $env.config.table.index_mode = "never"
  conclude $folder
}

def check-range [name: string, value: oneof<int, nothing>, most: int]: nothing -> nothing {
  if $value != null and ($value < 1 or $value > $most) {
    error make --unspanned {msg: $"--($name) ($value) is out of range: 1 to ($most)"}
  }
}

# --- the folder ---------------------------------------------------------------------------------------------

def fresh-name []: nothing -> path {
  let now = date now | date to-timezone UTC | format date "%Y%m%d-%H%M%S"
  $root | path join generated $"run-($now)"
}

def new-folder []: path -> path {
  let folder = $in | path expand
  refuse-evidence $folder
  if ($folder | path exists) and (($folder | path type) != dir or (ls --all $folder | is-not-empty)) {
    error make --unspanned {
      msg: $"($folder | shown-path) exists and is not empty: a run gets a folder of its own"
      help: "--resume goes on with the run that is there; another --out makes a new one"
    }
  }
  $folder
}

def old-folder []: path -> path {
  let folder = $in | path expand
  refuse-evidence $folder
  if ($folder | path type) != dir {
    error make --unspanned {msg: $"($folder | shown-path) is no folder: there is no run to go on with"}
  }
  $folder
}

# Checked-in evidence is never touched, not even to complete it.
def refuse-evidence [folder: path]: nothing -> nothing {
  if ($folder | is-evidence) {
    error make --unspanned {
      msg: $"($folder | shown-path) is among the checked-in evidence, which run.nu never touches"
      help: "let a run be made under generated, and copy it when it is whole"
    }
  }
}

# The run under generated that was begun last.
def latest []: nothing -> path {
  let plans = glob ($root | path join generated "*" run.json)
  if ($plans | is-empty) {
    error make --unspanned {msg: "there is no run under generated to go on with"}
  }
  let folder = $plans | each { ls $in | first } | sort-by modified | last | get name | path dirname
  print --stderr $"going on with ($folder | shown-path)"
  $folder
}

# What measures. Two programs of one version can differ, so the plugin's digest is kept.
def programs-of-this-run [openssl: path]: nothing -> record {
  let info = in-plugin $env.PQSIG_PLUGIN "pqsig info | select version openssl.version"
  {
    openssl: (^$openssl version -a)
    pqsig: {version: $info.version, plugin_sha256: (open --raw $env.PQSIG_PLUGIN | hash sha256)}
    nu: (version | get version)
  }
}

def begin [folder: path, plan: record, programs: record]: nothing -> nothing {
  mkdir $folder
  let kept = $plan | insert pqsig $programs.pqsig | insert nu $programs.nu
  $"($kept | to json)\n" | save ($folder | path join run.json)
  describe-machine $folder $programs
}

# A run that was killed early may lack these.
def describe-machine [folder: path, programs: record]: nothing -> nothing {
  let openssl = $folder | path join openssl.txt
  if not ($openssl | path exists) {
    $programs.openssl | save --raw $openssl
  }
  let host = $folder | path join host.json
  if not ($host | path exists) {
    tell host --before $host
  }
}

# Refuses to mix: trials of two machines or two programs are no one run.
def go-on [folder: path, plan: record, programs: record]: nothing -> nothing {
  let openssl = $folder | path join openssl.txt
  let host = $folder | path join host.json
  let here = run-program host | get stdout | from json | get host
  let pairs = [
    [what, there, here];
    ["the plugin's SHA-256", $plan.pqsig?.plugin_sha256?, $programs.pqsig.plugin_sha256]
    ["`openssl version -a`", (if ($openssl | path exists) { open --raw $openssl | decode utf-8 }), $programs.openssl]
    ["the CPU", (if ($host | path exists) { open $host | get before.host.cpu }), $here.cpu]
    ["the architecture", (if ($host | path exists) { open $host | get before.host.architecture }), $here.architecture]
  ]
  for pair in $pairs {
    if $pair.there != null and $pair.there != $pair.here {
      error make --unspanned {
        msg: $"($pair.what) is not what the run in ($folder | shown-path) was begun with: trials of both are no one run"
        help: $"there: ($pair.there | lines | first); here: ($pair.here | lines | first)"
      }
    }
  }
  describe-machine $folder $programs
}

# --- the trials ---------------------------------------------------------------------------------------------

def make-trials [folder: path, plan: record, openssl: path, estimates: record]: nothing -> nothing {
  let trials = unfinished $folder $plan.trials
  mut parts = $trials | each {|trial|
    # The order alternates, so that a machine that slows down meanwhile slows both alike.
    let order = if $trial mod 2 == 1 { [openssl pqsig] } else { [pqsig openssl] }
    $order | each {|program| {trial: $trial, program: $program} }
  } | flatten
  mut times = $estimates
  for trial in $trials {
    set-aside $folder $trial
  }
  while ($parts | is-not-empty) {
    let part = $parts | first
    let expected = $times
    let left = $parts | each {|part| $expected | get $part.program } | math sum
    let words = $"trial ($part.trial) of ($plan.trials): ($part.program) speed"
    let started = date now
    under-way $words $left {||
      match $part.program {
        openssl => (time-openssl $folder $plan $openssl $part.trial)
        pqsig => (time-pqsig $folder $plan $part.trial)
      }
    }
    # What a part took is what the next of its kind will take.
    $times = $times | update $part.program ((date now) - $started)
    $parts = $parts | skip 1
  }
}

# Both streams go straight into the files, byte for byte, as they come.
def time-openssl [folder: path, plan: record, openssl: path, trial: int]: nothing -> nothing {
  let stdout = $folder | path join $"trial-($trial).stdout.txt"
  let stderr = $folder | path join $"trial-($trial).stderr.txt"
  try {
    with-env {LC_ALL: C} {
      ^$openssl ...(openssl-arguments $plan) out> $stdout err> $stderr
    }
  } catch {|error|
    if ($error | is-interruption) {
      error make --unspanned {msg: $error.msg}
    }
    error make --unspanned {
      msg: $"openssl speed failed with status ($error.exit_code?)"
      help: $"what it said is in ($stderr | shown-path)"
    }
  }
}

def time-pqsig [folder: path, plan: record, trial: int]: nothing -> nothing {
  let command = pqsig-command $plan $trial ($folder | to nuon)
  let plugins = $"[($env.PQSIG_PLUGIN | to nuon)]"
  let result = do { ^$nu.current-exe --no-config-file --plugins $plugins --commands $"($command) | ignore" } | complete
  if $result.exit_code != 0 {
    error make --unspanned {msg: "pqsig speed failed", help: ($result.stderr | str trim)}
  }
}

def is-interruption []: record -> bool {
  # Whether nu itself or the program that it waits for gets the signal first is a matter of chance.
  $in.msg in ["Operation interrupted" "External command was terminated by a signal"]
}

# What an error says beyond its message.
def remedy []: record -> list<string> {
  let help = $in.details?.help? | default ""
  if $help == "" { [] } else { [$help] }
}

# --- what follows from the logs -----------------------------------------------------------------------------

def conclude [folder: path]: nothing -> table {
  tell summarize $folder
  tell report $folder
  let implausible = ask plausibility $folder
  for finding in ($implausible.answer | default [] | get findings | flatten) {
    print --stderr $"($finding.severity): ($finding.place): ($finding.rule): ($finding.message)"
  }
  let summary = open-csv ($folder | path join summary.csv)
  let shown = $summary | fitted (term size).columns $decimals [trials median_ops_per_s standard_error_pct max_ms min_ms]
  let hidden = $summary | columns | where $it not-in ($shown | columns)
  if ($hidden | is-not-empty) {
    print --stderr $"no room here for ($hidden | str join ', '): see summary.csv, or use a wider terminal"
  }
  print --stderr $"the run is in ($folder | shown-path); to look at it: ($folder | path join report.html | shown-path)"
  $shown
}
