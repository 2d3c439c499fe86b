# What a run is to hold: run.json, made from the arguments of run.nu or read again to go on with a run.

const defaults = {
  trials: 3
  seconds: 1
  algorithms: "ML-DSA-65 ML-DSA-87 SLH-DSA-SHA2-128s SLH-DSA-SHA2-128f SLH-DSA-SHA2-256s SLH-DSA-SHA2-256f"
  backends: null
  deterministic: false
  samples: false
}

# The plan of a new run. `given` are the arguments, null where one is not given; `offered` is the table of
# `pqsig algorithms`.
export def new-plan [given: record, offered: table]: nothing -> record {
  let named = named-settings $given $offered
  plan-of {
    trials: ($given.trials | default $defaults.trials)
    seconds: ($given.seconds | default $defaults.seconds)
    algorithms: ($named.algorithms | default { algorithms-of $defaults.algorithms $offered })
    backends: ($named.backends | default $defaults.backends)
    deterministic: ($given.deterministic | default $defaults.deterministic)
    samples: ($given.samples | default $defaults.samples)
  }
}

# The plan in a folder. Arguments that say something else are refused: trials of two plans are no one run.
export def old-plan [folder: path, given: record, offered: table]: nothing -> record {
  let file = $folder | path join run.json
  if not ($file | path exists) {
    error make --unspanned {
      msg: $"nothing to go on with: ($folder) has no run.json"
      help: "without --resume, a new run is made"
    }
  }
  let plan = open --raw $file | decode utf-8 | from json
  if $plan.schema? != "pqsig-run/1" {
    error make --unspanned {msg: $"($file) is of the schema ($plan.schema?), this goes on with pqsig-run/1"}
  }
  let wanted = $given | merge (named-settings $given $offered)
  for name in [trials seconds algorithms backends deterministic samples] {
    let one = $wanted | get $name
    let other = $plan | get --optional $name
    if $one != null and $one != $other {
      error make --unspanned {
        msg: $"--($name) ($one | to nuon) contradicts the run in ($folder), which has ($other | to nuon)"
        help: "--resume takes all that from run.json: leave it out"
      }
    }
  }
  $plan
}

# The settings with the names that stand for algorithms and backends made canonical.
def named-settings [given: record, offered: table]: nothing -> record {
  {
    algorithms: (if $given.algorithms != null { algorithms-of $given.algorithms $offered })
    backends: (if $given.backends != null { backends-of $given.backends $offered })
  }
}

def plan-of [settings: record]: nothing -> record {
  let commands = [
    $"openssl (openssl-arguments $settings | str join ' ')"
    (pqsig-command $settings N DIR)
  ]
  {schema: "pqsig-run/1", ...$settings, commands: $commands}
}

# The arguments of `openssl` in each trial.
export def openssl-arguments [plan: record]: nothing -> list<string> {
  # The one name that OpenSSL writes in its own way here.
  let names = $plan.algorithms | each {|name| if $name == Ed25519 { "ed25519" } else { $name } }
  [speed -elapsed -seconds ($plan.seconds | into string) ...$names]
}

# The plugin's command for one trial, its log going to `folder`.
export def pqsig-command [plan: record, trial: any, folder: string]: nothing -> string {
  [
    $"pqsig speed ($plan.algorithms | str join ' ')"
    ...(if $plan.backends == null { [] } else { [$"--backend ($plan.backends | to nuon)"] })
    $"--duration ($plan.seconds)sec --trials ($plan.trials) --trial ($trial)"
    ...(if $plan.deterministic { [--deterministic] } else { [] })
    ...(if $plan.samples { [--samples] } else { [] })
    $"--log ($folder)"
  ] | str join " "
}

# About how long each part of a trial takes, as far as that is known before: every operation of every algorithm
# gets its seconds; beyond that, OpenSSL makes keys and signs once before it times, and pqsig prepares each phase.
export def estimates [plan: record, offered: table]: nothing -> record<openssl: duration, pqsig: duration> {
  let phases = $plan.algorithms | each {|name|
    let backends = $offered | where name == $name | first | get backends
    let used = if $plan.backends == null { $backends } else { $backends | where $it in $plan.backends }
    3 * ($used | length)
  }
  # The small SLH-DSA sets need a second or two until the first signature.
  let slow = $plan.algorithms | where $it =~ '^SLH-DSA-.*s$' | length
  {
    openssl: (($plan.algorithms | length) * 3 * $plan.seconds * 1sec + $slow * 1sec)
    pqsig: (($phases | math sum) * ($plan.seconds * 1sec + 50ms) + $slow * 2sec)
  }
}

# --- names --------------------------------------------------------------------------------------------------

# The words of an argument: `ML-DSA-65,Ed25519`, "ML-DSA-65 Ed25519" or '[ML-DSA-65, Ed25519]'. A script's
# arguments are text; a list that is written in the shell arrives in its brackets.
export def words-of [text: string]: nothing -> list<string> {
  $text | split row --regex '[\s,\[\]"'']+' | where $it != ""
}

# The algorithms that the words mean, each once. A word is an algorithm as `pqsig speed` takes it: its name in any
# spelling, its OID, a family, or all.
def algorithms-of [text: string, offered: table]: nothing -> list<string> {
  let words = words-of $text
  if ($words | is-empty) {
    error make --unspanned {msg: "--algorithms names none", help: "such as: --algorithms ML-DSA-65,Ed25519"}
  }
  mut names = []
  for word in $words {
    $names ++= (meant-by $word $offered)
  }
  $names | uniq
}

def meant-by [word: string, offered: table]: nothing -> list<string> {
  let wanted = $word | folded
  let bare = $wanted | str replace --regex '^id' ''
  let meant = $offered | where {|row|
    let name = $row.name | folded
    let of_half = $wanted in [slhdsasha2 slhdsashake] and ($name | str starts-with $wanted)
    $wanted in [all ($row.family | folded)] or $name == $bare or $row.oid == $word or $of_half
  }
  if ($meant | is-empty) {
    error make --unspanned {
      msg: $"no algorithm is called '($word)'"
      help: $"one of: ($offered.name | str join ', '); or a family, or all"
    }
  }
  $meant.name
}

def backends-of [text: string, offered: table]: nothing -> list<string> {
  let known = $offered | get backends | flatten | uniq
  let words = words-of $text | uniq
  let unknown = $words | where $it not-in $known
  if ($unknown | is-not-empty) or ($words | is-empty) {
    error make --unspanned {
      msg: $"no backend is called '($unknown | str join ', ')'"
      help: $"one or more of: ($known | str join ', ')"
    }
  }
  $words
}

# A name without what spellings differ in.
def folded []: string -> string {
  str lowercase | str replace --all --regex '[-_/ ]' ''
}
