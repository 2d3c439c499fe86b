# The benchmark: is what pqsig promises about speed and memory true on this machine?
#
#     nu scripts/bench.nu                          all of it, about 25 minutes
#     nu scripts/bench.nu --only call              one part
#     nu scripts/bench.nu --json generated/bench.json
#
# Needs what scripts/test.sh needs. Each figure is a ratio or a difference of things measured in the same run,
# in turns (A B B A), so that a machine that slows down meanwhile slows both sides. It should have nothing
# else to do.
#
# The exit status is 1 if a bound does not hold.

use bench/peak.nu peak-and-time
use bench/rows.nu [printed row]
use bench/summaries.nu summarize-logs
use support/programs.nu [cargo in-plugin interop-path openssl-path plugin-path root]

const parts = [openssl sampler call list stream ranking interop audit]

# Measure, print the facts of the machine and a table of what, figure, bound and holds.
def main [
  --only: string@part-names # one part: openssl, sampler, call, list, stream, ranking, interop or audit
  --rounds: int = 8 # turns of the comparison with `openssl speed`; each takes 35 seconds
  --seconds: int = 2 # what each algorithm and operation gets in a turn
  --logs: int = 1000 # how many trial logs the part audit summarizes, of 0.1 MB each
  --json: path # write the figures into this file, too
]: nothing -> nothing {
  let chosen = if $only == null { $parts } else { [$only] }
  if ($chosen | any { $in not-in $parts }) {
    error make --unspanned {msg: $"no part '($only)'" help: $"one of: ($parts | str join ', ')"}
  }
  if $rounds < 2 {
    # One turn has no spread, and without a spread nobody knows what a ratio is worth.
    error make --unspanned {msg: "--rounds has to be 2 or more"}
  }
  if $logs < 3 {
    # A median needs some.
    error make --unspanned {msg: "--logs has to be 3 or more"}
  }
  let plugin = plugin-path
  let openssl = if openssl in $chosen { openssl-path --locked }

  let facts = facts $plugin $openssl
  print ($facts | update pqsig { $"($in.version), ($in.build.profile), opt-level ($in.build.opt_level)" })
  if ($facts.load_before | split row "," | first | into float) > 0.5 {
    print --stderr $"warning: other programs are busy here \(load ($facts.load_before)); the figures will be off"
  }
  let rows = $chosen | each {|part|
    print --stderr $"measuring: ($part)"
    match $part {
      openssl => (compare-with-openssl $plugin $openssl $rounds $seconds)
      sampler => (sampler-overhead)
      call => (cost-of-a-call $plugin)
      list => (list-in-parallel $plugin)
      stream => (memory-of-a-stream $plugin)
      ranking => (fastest-by-openssl $plugin)
      interop => (cross-check)
      audit => (summarize-logs $logs)
    }
  } | flatten

  # Wide enough for the longest line; a terminal may be wider.
  let width = if (is-terminal --stdout) { [(term size).columns 110] | math max } else { 110 }
  $env.config.footer_mode = "never"
  print ($rows | each { printed } | table --index false --width $width)
  if $json != null {
    {facts: $facts, rows: $rows} | to json | save --force $json
  }
  if ($rows | any { not $in.holds }) {
    exit 1
  }
}

def part-names []: nothing -> list<string> {
  $parts
}

# --- the pieces it stands on --------------------------------------------------------------------------------

def facts [plugin: path, openssl?: path]: nothing -> record {
  let cpu = sys cpu | first
  let host = sys host
  {
    date: (date now | format date "%Y-%m-%d")
    cpu: $cpu.brand
    cores: (sys cpu | length)
    memory: (sys mem | get total)
    system: $"($host.name) ($host.os_version?), kernel ($host.kernel_version?)"
    load_before: $cpu.load_average
    nu: (version | get version)
    openssl_speed: (if $openssl != null { ^$openssl version | str trim })
    pqsig: (in-plugin $plugin "pqsig info")
  }
}

# --- against `openssl speed` --------------------------------------------------------------------------------

# What is compared, the lower bounds of the ratio of the rates (ours by OpenSSL's). Signing gets more room:
# ML-DSA draws until a signature fits, so that the mean of n signatures has a standard error of about
# 75%/sqrt(n). `openssl speed` does not time the generation of Ed25519 keys.
const compared = [
  [algorithm, operation, bound];
  [ML-DSA-65, keygen, 0.97]
  [ML-DSA-65, sign, 0.95]
  [ML-DSA-65, verify, 0.97]
  [SLH-DSA-SHA2-128f, keygen, 0.97]
  [SLH-DSA-SHA2-128f, sign, 0.95]
  [SLH-DSA-SHA2-128f, verify, 0.97]
  [Ed25519, sign, 0.95]
  [Ed25519, verify, 0.97]
]

# The rates of the openssl backend in `pqsig speed`, by those of the openssl command that was built from the
# same source.
def compare-with-openssl [plugin: path, openssl: path, rounds: int, seconds: int]: nothing -> table {
  let algorithms = $compared.algorithm | uniq
  let rates = 1..$rounds | each {|round|
    print --stderr $"  turn ($round) of ($rounds)"
    $algorithms | each {|algorithm|
      # A B, then B A: what drifts evenly cancels.
      let sides = if $round mod 2 == 1 { [pqsig openssl] } else { [openssl pqsig] }
      $sides | each {|side|
        match $side {
          pqsig => (pqsig-rates $plugin $algorithm $seconds)
          openssl => (openssl-rates $openssl $algorithm $seconds)
        } | insert side $side
      } | flatten | insert round $round
    } | flatten
  } | flatten

  $compared | each {|row|
    let of_row = $rates | where algorithm == $row.algorithm and operation == $row.operation
    # Ratios of neighbours in time; their logarithms, so that A by B and B by A have the same spread.
    let logarithms = 1..$rounds | each {|round|
      let pair = $of_row | where round == $round
      (rate-of $pair pqsig) / (rate-of $pair openssl) | math ln
    }
    let error = ($logarithms | math stddev --sample) / ($rounds | math sqrt) * 100
    (row $"($row.algorithm) ($row.operation): rate by openssl speed's"
      ($logarithms | math avg | math exp | math round --precision 4)
      --at-least $row.bound
      --standard-error ($error | math round --precision 2))
  }
}

def rate-of [pair: table, side: string]: nothing -> float {
  $pair | where side == $side | first | get rate
}

def pqsig-rates [plugin: path, algorithm: string, seconds: int]: nothing -> table {
  in-plugin $plugin $"
    pqsig speed ($algorithm) --backend openssl --duration ($seconds)sec --trials 1
      | select algorithm operation ops_per_second"
    | rename --column {ops_per_second: rate}
}

# The rates from the counts and times that `openssl speed` reports, per second of elapsed time. Its lines, for
# machines: `+R18:COUNT:NAME:SECONDS` for generating, R19 for signing, R20 for verifying; for Ed25519 R10
# signing and R11 verifying, with the bits of the curve before the name.
def openssl-rates [openssl: path, algorithm: string, seconds: int]: nothing -> table {
  let name = if $algorithm == Ed25519 { "ed25519" } else { $algorithm }
  let run = do { ^$openssl speed -mr -elapsed -seconds $seconds $name } | complete
  let operations = {R18: keygen, R19: sign, R20: verify, R10: sign, R11: verify}
  let rates = $run.stderr
    | lines
    | where $it starts-with "+R"
    | each {|line|
        let fields = $line | str trim --left --char "+" | split row ":"
        let count = $fields.1 | into int
        let elapsed = $fields | last | into float
        {algorithm: $algorithm, operation: ($operations | get $fields.0), rate: ($count / $elapsed)}
      }
  # It ends with status 0 also when it gave up half way.
  let expected = $compared | where algorithm == $algorithm | get operation
  if ($rates | get operation) != $expected or ($rates | any { $in.rate <= 0 }) {
    error make --unspanned {msg: $"openssl speed ($name) did not finish", help: $run.stderr}
  }
  $rates
}

# --- what the sampler adds ----------------------------------------------------------------------------------

# What measuring itself adds to an operation, in percent of it: the time that the sampler needs for an operation
# that does nothing, by the time of the operation. That is judged. The direct comparison, the sampled loop by the
# bare one in turns, also sees what the sampler does to caches, but no more exactly than the machine is quiet: 0.1%
# of ML-DSA-65 is below what it can tell, so it is held to 1% only.
def sampler-overhead []: nothing -> table {
  let bounds = {Ed25519: 1.0, "ML-DSA-65": 0.1}
  cargo run --package pqsig-speed --example sampler_overhead
    | lines
    | each { from json }
    | each {|measured|
        let percent = {|ratio| ($ratio - 1) * 100 | math round --precision 3 }
        let what = $"($measured.algorithm) sign, ($measured.backend)"
        [
          (row $"($what): percent that the sampler adds" (do $percent $measured.empty_ratio)
            --below ($bounds | get $measured.algorithm))
          (row $"($what): percent, sampled loop by bare loop" (do $percent $measured.ratio) --below 1.0)
        ]
      }
    | flatten
}

# --- a call from Nushell ------------------------------------------------------------------------------------

# What a warm `pqsig sign` of 32 bytes costs beyond the signature itself, and how long the plugin takes to be
# there.
def cost-of-a-call [plugin: path]: nothing -> table {
  let calls = [ML-DSA-65 Ed25519] | each {|algorithm|
    [openssl rustcrypto] | each {|backend|
      # The mean of the signing is taken before and after the calls, in the same process.
      let took = in-plugin $plugin $"
        let key = pqsig keygen ($algorithm) --backend ($backend) | get private_key
        let message = random binary 32
        let signing = {||
          pqsig speed ($algorithm) --backend ($backend) --operation sign --duration 2sec --trials 1
            | first | get mean
        }
        for _ in 1..100 { $message | pqsig sign $key --backend ($backend) | ignore }
        let before = do $signing
        let calls = timeit { for _ in 1..4000 { $message | pqsig sign $key --backend ($backend) | ignore } }
        let after = do $signing
        {call: \($calls / 4000), signing: \(\($before + $after) / 2)}"
      (row $"warm sign call beyond signing, ($algorithm), ($backend)"
        ($took.call - $took.signing)
        --below 1ms)
    }
  } | flatten
  let start = start-of-the-plugin $plugin
  $calls | append (row "start of nu with the plugin, beyond nu without" $start --below 60ms)
}

# The median of what the first call of a new nu costs more than a new nu that calls nothing.
def start-of-the-plugin [plugin: path]: nothing -> duration {
  let with = [--no-config-file --plugins $"[($plugin | to nuon)]" --commands "pqsig | ignore"]
  let without = [--no-config-file --commands "ignore"]
  let run = {|arguments| timeit { ^$nu.current-exe ...$arguments } }
  # The first of each reads the programs from the disk.
  do $run $with
  do $run $without
  1..21 | each { (do $run $with) - (do $run $without) } | math median
}

# --- a list of messages -------------------------------------------------------------------------------------

# How many times faster two threads sign a list of 10,000 messages than one.
def list-in-parallel [plugin: path]: nothing -> table {
  if (sys cpu | length) < 2 {
    print --stderr "  one core only: nothing to compare"
    return []
  }
  # A B B A. The messages cross to the plugin within the time, as they do for a user. Deterministic signatures
  # of the same messages are the same work each time, so that the number of ML-DSA's draws cancels. By the openssl
  # backend, with which signing is most of the work: with the fastest, bringing 10,000 signatures (33 MB) back
  # to nu, which one thread does, is a third of it.
  let ratio = in-plugin $plugin '
    let key = pqsig keygen ML-DSA-65 | get private_key
    let messages = 1..10000 | each {|number| $"message ($number)" }
    let sign = {|threads| $messages | pqsig sign $key --deterministic --backend openssl --threads $threads }
    let run = {|threads| timeit { do $sign $threads | ignore } }
    $messages | first 100 | pqsig sign $key --backend openssl | ignore
    let times = [1 2 2 1] | each {|threads| {threads: $threads, took: (do $run $threads)} }
    ($times | where threads == 1 | get took | math sum) / ($times | where threads == 2 | get took | math sum)'
  [(row "10,000 messages, openssl: rate on 2 threads by that on 1" ($ratio | math round --precision 3) --at-least 1.8)]
}

# --- a message of 256 MiB -----------------------------------------------------------------------------------

# The most memory that the plugin held while it signed and verified a message of 256 MiB from a byte stream.
def memory-of-a-stream [plugin: path]: nothing -> table {
  if not ("/proc/self/status" | path exists) {
    print --stderr "  no /proc here: the peak of a process's memory can't be read"
    return []
  }
  let folder = mktemp --directory --tmpdir "pqsig-bench.XXXXXX"
  try {
    let message = $folder | path join message
    open --raw /dev/urandom | first 256MiB | save --raw $message
    let rows = [openssl rustcrypto] | each {|backend|
      # A new process for each: the peak is that of the process's whole life.
      let measured = in-plugin $plugin $"
        let key = pqsig keygen ML-DSA-65 --backend ($backend)
        let peak = {|| plugin list --engine | first | get pid | open --raw $'/proc/\($in)/status'
          | parse --regex 'VmHWM:\\s+\(?<kib>\\d+) kB' | first | get kib | into int | $in * 1KiB }
        let message = ($message | to nuon)
        let signature = open --raw $message | pqsig sign $key.private_key --backend ($backend)
        let after_sign = do $peak
        let accepted = open --raw $message | pqsig verify $key.public_key $signature --backend ($backend)
        {sign: $after_sign, both: \(do $peak), accepted: $accepted}"
      if not $measured.accepted {
        error make --unspanned {msg: $"($backend) rejects its own signature of a stream"}
      }
      [
        (row $"256 MiB from a stream: memory, sign, ($backend)" $measured.sign --below 64MiB)
        (row $"256 MiB from a stream: memory, and verify, ($backend)" $measured.both --below 64MiB)
      ]
    } | flatten
    rm --recursive $folder
    $rows
  } catch {|error|
    rm --recursive --force $folder
    error make --unspanned {msg: $error.rendered}
  }
}

# --- the backend that serves when nobody says ---------------------------------------------------------------

# Rates of the first in the ranking by those of the openssl backend, both from one run that gives them turns.
def fastest-by-openssl [plugin: path]: nothing -> table {
  let rates = in-plugin $plugin "
    let first = pqsig algorithms | where name == ML-DSA-65 | get 0.backends.0
    let rows = pqsig speed ML-DSA-65 --backend [$first openssl] --operation [sign verify] --duration 2sec --trials 5
    [sign verify] | each {|operation|
      let of = {|backend| $rows | where backend == $backend and operation == $operation | get 0.ops_per_second }
      {first: $first, operation: $operation, ratio: ((do $of $first) / (do $of openssl))}
    }"
  $rates | each {|rate|
    let bound = if $rate.operation == sign { 4 } else { 2 }
    let what = $"ML-DSA-65 ($rate.operation): rate of ($rate.first), the default, by that of openssl"
    row $what ($rate.ratio | math round --precision 2) --at-least $bound
  }
}

# --- the cross-check ----------------------------------------------------------------------------------------

# How long the runs of all backends and algorithms take, and the most memory that they hold.
def cross-check []: nothing -> table {
  let program = interop-path
  [{depth: quick, below: 1min} {depth: full, below: 10min}] | each {|run|
    let measured = peak-and-time $program [$"--($run.depth)"]
    [(row $"pqsig-interop --($run.depth): time" $measured.time --below $run.below)]
    | append (if $measured.peak != null {
      row $"pqsig-interop --($run.depth): memory" $measured.peak --below 1GiB
    })
  } | flatten
}
