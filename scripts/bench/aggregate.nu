# The summary that `pqsig-audit summarize` makes of pqsig's trial logs, made in plain Nushell: for scripts/bench.nu
# only.

# The mean number of repetitions of an ML-DSA signature: FIPS 204, Table 1.
const repetitions = {"ML-DSA-44": 4.25, "ML-DSA-65": 5.1, "ML-DSA-87": 3.85}

def main [folder: path, out: path]: nothing -> nothing {
  glob ($folder | path join "trial-*.jsonl")
    | par-each {|path| samples-of $path }
    | flatten
    | group-by --to-table algorithm backend operation
    | each {|group| summary-of $group.items }
    | to csv
    | save --force $out
}

# A row per phase of one log.
def samples-of [path: path]: nothing -> table {
  let lines = open --raw $path | lines | each { from json }
  let threads = $lines | first | get options.threads
  $lines | where type == phase and failure == null | each {|phase|
    {
      algorithm: $phase.algorithm
      backend: $phase.backend
      operation: $phase.operation
      operations: $phase.operations
      ms_per_op: ($phase.elapsed_ns * $threads / $phase.operations / 1e6)
      ops_per_s: ($phase.operations * 1e9 / $phase.elapsed_ns)
    }
  }
}

def summary-of [samples: table]: nothing -> record {
  let first = $samples | first
  let mean = $repetitions | get --optional $first.algorithm
  let count = $samples.operations | math sum
  {
    source: pqsig-speed
    algorithm: $first.algorithm
    backend: $first.backend
    operation: $first.operation
    trials: ($samples | length)
    median_ms: ($samples.ms_per_op | math median)
    min_ms: ($samples.ms_per_op | math min)
    max_ms: ($samples.ms_per_op | math max)
    median_ops_per_s: ($samples.ops_per_s | math median)
    standard_error_pct: (if $first.operation == sign and $mean != null {
      100 * (1 - 1 / $mean | math sqrt) / ($count | math sqrt)
    })
  }
}
