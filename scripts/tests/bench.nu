# Tests of scripts/bench.nu: that it refuses to measure nonsense, and what does not depend on how busy the
# machine is.

use std/assert

const bench = path self ../bench.nu

def --wrapped run-bench [...arguments: string]: nothing -> record {
  do { ^$nu.current-exe --no-config-file $bench ...$arguments } | complete
}

# What one of the script's own commands returns.
def in-bench [commands: string]: nothing -> record<stdout: string, stderr: string, exit_code: int> {
  let answering = $"source ($bench | to nuon); ($commands) | to nuon"
  do { ^$nu.current-exe --no-config-file --commands $answering } | complete
}

# An openssl that says these lines, as `openssl speed -mr` does, and exits with 0 whatever happened.
def speed-stub [folder: path, lines: list<string>]: nothing -> path {
  let file = $folder | path join openssl
  $"#!/bin/sh\ncat >&2 <<'END'\n($lines | str join "\n")\nEND\n" | save --force $file
  ^chmod +x $file
  $file
}

export def "test bench refuses parts that it does not have, a single turn and too few logs" [] {
  let unknown = run-bench --only nonsense
  assert equal $unknown.exit_code 1
  assert str contains $unknown.stderr "stream"
  let few = run-bench --only audit --logs 2
  assert equal $few.exit_code 1
  assert str contains $few.stderr "3 or more"
  let single = run-bench --only openssl --rounds 1
  assert equal $single.exit_code 1
  assert str contains $single.stderr "2 or more"
}

export def "test bench computes rates from the counts and times that openssl speed states" [] {
  let folder = mktemp --directory --tmpdir "pqsig-bench-test.XXXXXX"
  let openssl = speed-stub $folder [
    "+DTP:ML-DSA-65:keygen:2"
    "+R18:3000:ML-DSA-65:2.00"
    "+DTP:ML-DSA-65:signs:2"
    "+R19:1203:ML-DSA-65:2.01"
    "+DTP:ML-DSA-65:verify:2"
    "+R20:5000:ML-DSA-65:2.00"
  ]
  let answer = in-bench $"openssl-rates ($openssl | to nuon) ML-DSA-65 2"
  let ed25519 = speed-stub $folder [
    "+DTP:253:sign:Ed25519:1"
    "+R10:27714:253:Ed25519:1.00"
    "+DTP:253:verify:Ed25519:1"
    "+R11:11442:253:Ed25519:1.00"
  ]
  let other = in-bench $"openssl-rates ($ed25519 | to nuon) Ed25519 1"
  rm --recursive $folder
  assert equal ($answer.stdout | from nuon) [
    [algorithm, operation, rate];
    [ML-DSA-65, keygen, 1500.0]
    [ML-DSA-65, sign, (1203 / 2.01)]
    [ML-DSA-65, verify, 2500.0]
  ]
  assert equal ($other.stdout | from nuon | get rate) [27714.0 11442.0]
}

export def "test bench does not take an openssl speed that stopped half way for a measurement" [] {
  let folder = mktemp --directory --tmpdir "pqsig-bench-test.XXXXXX"
  let cases = [
    ["+R18:3000:ML-DSA-65:2.00" "+R19:1203:ML-DSA-65:2.01"]
    ["+R18:3000:ML-DSA-65:2.00" "+R19:-1:ML-DSA-65:0.01" "+R20:5000:ML-DSA-65:2.00"]
    []
  ]
  let answers = $cases | each {|lines|
    in-bench $"openssl-rates (speed-stub $folder $lines | to nuon) ML-DSA-65 2"
  }
  rm --recursive $folder
  for answer in $answers {
    assert equal $answer.exit_code 1
    assert str contains $answer.stderr "did not finish"
  }
}

export def "test bench compares in the direction of the bound" [] {
  let rows = in-bench '[
    (row "at the bound" 0.97 --at-least 0.97)
    (row "under it" 0.969 --at-least 0.97)
    (row "at the limit" 1ms --below 1ms)
    (row "under the limit" 999us --below 1ms)
  ]' | get stdout | from nuon
  assert equal $rows.holds [true false false true]
}

export def "test a message of 256 MiB from a stream is signed and verified in little memory" [] {
  let answer = run-bench --only stream
  assert equal $answer.exit_code 0 $"($answer.stdout)($answer.stderr)"
  if ("/proc/self/status" | path exists) {
    assert equal ($answer.stdout | lines | where $it =~ "256 MiB .* true" | length) 4
  }
}

export def "test the comparison of summaries is of programs that do the same" [] {
  let folder = mktemp --directory --tmpdir "pqsig-bench-test.XXXXXX"
  let run = $folder | path join run
  let out = $folder | path join nushell.csv
  pqsig speed ML-DSA-44 Ed25519 --backend [openssl rustcrypto] --duration 20ms --trials 3 --log $run | ignore
  ^$env.PQSIG_AUDIT summarize $run | ignore
  ^$nu.current-exe --no-config-file ($bench | path dirname | path join bench aggregate.nu) $run $out
  let compared = {||
    in-bench $"use ($bench | path dirname | path join bench summaries.nu | to nuon) same-summary; same-summary ($run | path join summary.csv | to nuon) ($out | to nuon) nushell"
  }
  let agreed = do $compared
  let summary = open $out
  let edits = [
    ($summary | update 3.median_ms { $in * 1.00001 })
    ($summary | update 0.trials 2)
    ($summary | skip 1)
    ($summary | upsert 1.backend aws-lc)
  ]
  let disagreed = $edits | each {|edited|
    $edited | to csv | save --force $out
    do $compared
  }
  rm --recursive $folder
  assert equal $agreed.exit_code 0 $agreed.stderr
  assert equal ($summary | length) 12
  for answer in $disagreed {
    assert equal $answer.exit_code 1
    assert str contains $answer.stderr "another summary"
  }
}
