# Timing: what is in the table, what is in the log. No figure is judged here.

use lib.nu *

let columns = [algorithm backend operation mean spread rounds ops_per_second p99 trials p50 min max]
let backends = backends-of ML-DSA-65
let operations = [keygen sign verify]

let table = pqsig speed ML-DSA-65 --duration 20ms --trials 2
check (($table | columns | where $it != notes) == $columns) 'the columns'
check (($table | length) == ($backends | length) * 3) 'a row per backend and operation'
check (($table.operation | uniq | sort) == $operations) 'all operations'
check (($table.backend | uniq | sort) == ($backends | sort)) 'all backends'
for row in $table {
    check (($row.mean | describe) == duration and ($row.ops_per_second | describe) == float) 'durations and floats'
    check ($row.min <= $row.p50 and $row.p50 <= $row.p99 and $row.p99 <= $row.max) 'in order'
    check ($row.min > 0ns and $row.rounds >= 2 and $row.trials == 2) 'something was timed'
    check (($row.spread | describe) == float) 'two trials have a spread'
    let ratio = ($row.ops_per_second * ($row.mean / 1sec))
    check ($ratio > 0.99 and $ratio < 1.01) 'the mean and the rate agree'
}

# Which algorithms, backends, operations.
def time [...rest: string]: nothing -> table { pqsig speed ...$rest --duration 1ms --trials 1 --operation verify }
check ((time Ed25519 ML-DSA-44 | get algorithm | uniq) == [Ed25519 ML-DSA-44]) 'several algorithms'
check ((time ML-DSA | get algorithm | uniq) == [ML-DSA-44 ML-DSA-65 ML-DSA-87]) 'a family'
check ((time ml-dsa ML-DSA-44 | get algorithm | uniq | length) == 3) 'each of them once'
check ((pqsig speed Ed25519 --backend openssl --duration 1ms --trials 1 | get backend | uniq) == [openssl]) 'one backend'
check ((pqsig speed Ed25519 --backend [openssl rustcrypto] --operation [sign keygen] --duration 1ms --trials 1 | length) == 4) 'lists'
check ((pqsig speed ML-DSA-44 --message-size 1kb --context-size 255 --deterministic --threads 2 --duration 5ms --trials 1 | length) == 3 * ($backends | length)) 'sizes and threads'
check ((pqsig speed ML-DSA-44 --message-size 0 --duration 5ms --trials 1 | length) == 3 * ($backends | length)) 'empty messages'

refuses-with-help pqsig::speed::no_algorithm 'pqsig speed' 'all' { pqsig speed }

# What can't be timed says why.
let skipped = pqsig speed Ed25519 --context-size 8 --duration 1ms --trials 1
check (($skipped | where operation == sign | get mean | uniq) == [null]) 'pure Ed25519 has no context'
check ($skipped | where operation == sign | all {|row| $row.notes =~ 'context' }) 'and the notes say so'
let named = pqsig speed Ed25519 --backend [openssl fips204] --operation keygen --duration 1ms --trials 1
check (($named | where mean == null | get backend) == [fips204]) 'a backend that was named and lacks the algorithm is not passed over'
refuses pqsig::speed::nothing_to_time 'pqsig speed' { pqsig speed Ed25519 --context-size 8 --operation sign --duration 1ms --trials 1 }

# Samples.
let samples = pqsig speed Ed25519 --operation sign --samples --duration 10ms --trials 1
for row in $samples {
    check (($row.samples | describe) == list<duration>) 'samples are durations'
    check (($row.samples | math min) == $row.min or ($row.samples | math min) - $row.min < 1us) 'of this row'
}

# The log: a file per trial, each with its end, in a folder against the shell's.
mkdir work
cd work
pqsig speed Ed25519 --duration 5ms --trials 2 --log logs/run --samples | ignore
check ((ls logs/run | get name | path basename | sort) == [trial-1.jsonl trial-2.jsonl]) 'a file per trial'
for file in (glob logs/run/*.jsonl) {
    let lines = open --raw $file | lines | each { from json }
    check (($lines | first | get type) == run) 'it starts with the run'
    check (($lines | last | get type) == end) 'and ends with the end'
    check (($lines | where type == phase | length) == 3 * (backends-of Ed25519 | length)) 'and has the phases between'
}

# What a phase's line says of its samples and slices.
let phases = open --raw logs/run/trial-1.jsonl | lines | each { from json } | where type == phase
check ($phases | all {|phase| ($phase.percentiles_ns | length) == 101 }) 'all percentiles'
check ($phases | all {|phase| ($phase.percentiles_ns | get 0 50 99 100) == [$phase.min_ns $phase.p50_ns $phase.p99_ns $phase.max_ns] }) 'which are the quantiles'
check ($phases | all {|phase| ($phase.timeline.operations | math sum) == $phase.operations }) 'all operations are in a slice'
check ($phases | all {|phase| ($phase.timeline.elapsed_ns | math sum) == $phase.elapsed_ns }) 'and all of the time'
check ($phases | all {|phase| ($phase.timeline.start_ns | length) == $phase.slices }) 'an entry per slice'

# One trial of several, as a script makes them that has something else to do between them.
let second = pqsig speed Ed25519 --duration 5ms --trials 3 --trial 2 --log logs/turns
check (($second.trials | uniq) == [1]) 'one trial is made'
check ((ls logs/turns | get name | path basename) == [trial-2.jsonl]) 'with the log of its number'
let log = open --raw logs/turns/trial-2.jsonl
let run = $log | lines | first | from json
check ($run.trial == 2 and $run.trials == 3) 'which says so'
refuses-with-help pqsig::speed::log_exists '--log logs/turns' 'never overwritten' { pqsig speed Ed25519 --duration 5ms --trial 2 --log logs/turns }
check ((open --raw logs/turns/trial-2.jsonl) == $log) 'a log that exists stays as it is'
finish
