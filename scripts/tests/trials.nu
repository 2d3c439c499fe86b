# Tests of scripts/run.nu: real runs, as short as they can be.

use std/assert

use ../support/plan.nu [new-plan openssl-arguments pqsig-command]
use ../support/progress.nu about
use ../support/shown.nu fitted
use support/runs.nu *

const root = path self ../..

# One algorithm on one backend: six seconds a trial.
const short = [--seconds "1" --algorithms ML-DSA-44 --backends openssl]

const made = [
  host.json openssl.txt report.html run.json samples.csv summary.csv
  trial-1.jsonl trial-1.stderr.txt trial-1.stdout.txt trial-2.jsonl trial-2.stderr.txt trial-2.stdout.txt
]

export def "test a run is whole, a digit changed in it shows, and what is lost of it is made again" [] {
  in-folder {|folder|
    let run = $folder | path join run
    let answer = script run.nu ...$short --trials 2 --out $run
    assert equal $answer.exit_code 0 $answer.stderr
    assert equal (files-in $run) $made
    assert-summary $run $answer
    assert-surroundings $run
    assert-logs $run
    assert-digits-matter $run $folder
    assert-refusals $run
    assert-nothing-left-to-do $run
    assert-lost-trial-is-made-again $run
  }
}

# A row per operation and source, printed as they stand in the file.
def assert-summary [run: path, answer: record]: nothing -> nothing {
  let summary = open ($run | path join summary.csv)
  assert equal ($summary | select source operation trials) [
    [source, operation, trials];
    [openssl-speed, keygen, 2]
    [openssl-speed, sign, 2]
    [openssl-speed, verify, 2]
    [pqsig-speed, keygen, 2]
    [pqsig-speed, sign, 2]
    [pqsig-speed, verify, 2]
  ]
  assert equal ($summary.median_ms | describe) list<float>
  assert equal ($answer.stdout | lines | where $it =~ ML-DSA-44 | length) 6
  # Where stderr is no terminal, each step is a line, and nothing is drawn.
  for step in ["trial 1 of 2: openssl speed" "trial 1 of 2: pqsig speed" "trial 2 of 2: pqsig speed"] {
    assert str contains $answer.stderr $step
  }
  assert ("\r" not-in $answer.stderr and (ansi escape) not-in $answer.stderr) $answer.stderr
}

def assert-surroundings [run: path]: nothing -> nothing {
  let plan = open ($run | path join run.json)
  let expected = {
    schema: "pqsig-run/1"
    trials: 2
    seconds: 1
    algorithms: [ML-DSA-44]
    commands: [
      "openssl speed -elapsed -seconds 1 ML-DSA-44"
      "pqsig speed ML-DSA-44 --backend [openssl] --duration 1sec --trials 2 --trial N --log DIR"
    ]
  }
  assert equal ($plan | select ...($expected | columns)) $expected
  let host = open ($run | path join host.json)
  assert ($host.after.taken_unix_ms > $host.before.taken_unix_ms)
  let openssl = ^sh ($root | path join scripts openssl-cli.sh) | str trim
  assert equal (open --raw ($run | path join openssl.txt) | decode utf-8) (^$openssl version -a)
}

def assert-logs [run: path]: nothing -> nothing {
  for trial in [1 2] {
    let doing = open --raw ($run | path join $"trial-($trial).stderr.txt") | decode utf-8 | lines
    assert equal ($doing | where $it starts-with "Doing ML-DSA-44 " | length) 3
    let table = open --raw ($run | path join $"trial-($trial).stdout.txt") | decode utf-8
    assert str contains $table "keygens/s"
    let lines = open --raw ($run | path join $"trial-($trial).jsonl") | lines | each { from json }
    assert equal $lines.0.trial $trial
    assert equal $lines.0.trials 2
    assert equal ($lines | last | get type) end
  }
  # Which comes first alternates.
  let written = {|name| ls ($run | path join $name) | get 0.modified }
  assert ((do $written trial-1.stdout.txt) < (do $written trial-1.jsonl))
  assert ((do $written trial-2.jsonl) < (do $written trial-2.stdout.txt))
}

def assert-digits-matter [run: path, folder: path]: nothing -> nothing {
  assert equal (check $run).exit_code 0
  let copy = $folder | path join copy
  let count = open --raw ($run | path join trial-2.stderr.txt) | decode utf-8 | parse --regex 's: (?<count>\d+) ML-DSA-44 signature sign' | get 0.count
  let edits = [
    [file, old, place];
    [trial-2.stderr.txt, $"($count) ML-DSA-44 signature sign", "ML-DSA-44 openssl sign"]
    [trial-1.jsonl, (elapsed $run sign), "ML-DSA-44 openssl sign"]
    [samples.csv, (open ($run | path join samples.csv) | get 0.operations | $",($in),"), "ML-DSA-44 openssl keygen"]
  ]
  for edit in $edits {
    rm --recursive --force $copy
    cp --recursive $run $copy
    edit ($copy | path join $edit.file) $edit.old ($edit.old | with-another-digit)
    let checked = check $copy
    assert equal $checked.exit_code 1 $edit.file
    assert str contains ($checked | words) $edit.place
  }
}

def check [run: path]: nothing -> record {
  do { ^$env.PQSIG_AUDIT summarize --check $run } | complete
}

# A phase's elapsed time, as the log has it.
def elapsed [run: path, operation: string]: nothing -> string {
  let phases = open --raw ($run | path join trial-1.jsonl) | lines | each { from json } | where type == phase
  $'"elapsed_ns":($phases | where operation == $operation | get 0.elapsed_ns),'
}

# The first digit of its number that is not the first, changed: the count stays plausible.
def with-another-digit []: string -> string {
  let text = $in
  let parts = $text | parse --regex '^(?<before>\D*\d)(?<digit>\d)(?<after>.*)$' | first
  $"($parts.before)((($parts.digit | into int) + 1) mod 10)($parts.after)"
}

# What would mix trials of two runs, or overwrite one.
def assert-refusals [run: path]: nothing -> nothing {
  let before = contents $run
  let again = script run.nu ...$short --trials 2 --out $run
  assert equal $again.exit_code 1
  assert str contains ($again | words) "is not empty"
  for contradiction in [[--trials "3"] [--seconds "2"] [--algorithms ML-DSA-65] [--backends rustcrypto] [--deterministic] [--samples]] {
    let answer = script run.nu --resume --out $run ...$contradiction
    assert equal $answer.exit_code 1
    assert str contains ($answer | words) $"($contradiction.0)"
    assert str contains ($answer | words) "contradicts the run"
  }
  let plan = $run | path join run.json
  let openssl = $run | path join openssl.txt
  let host = $run | path join host.json
  let digest = open $plan | get pqsig.plugin_sha256
  let cpu = open $host | get before.host.cpu | to json
  for change in [
    [file, old, new, words];
    [$plan, $digest, ($digest | str reverse), "the plugin's SHA-256 is not what"]
    [$openssl, "OpenSSL", "LibreSSL", "`openssl version -a` is not what"]
    [$host, $cpu, '"Another CPU"', "the CPU is not what"]
  ] {
    let text = open --raw $change.file
    edit $change.file $change.old $change.new
    let answer = script run.nu --resume --out $run
    assert equal $answer.exit_code 1
    assert str contains ($answer | words) $change.words
    $text | save --raw --force $change.file
  }
  assert equal (contents $run) $before "nothing is written"
}

def assert-nothing-left-to-do [run: path]: nothing -> nothing {
  let before = contents $run
  let answer = script run.nu --resume --out $run --trials 2
  assert equal $answer.exit_code 0 $answer.stderr
  assert not ("openssl speed" in $answer.stderr)
  assert equal (contents $run | reject "host.json" "report.html") ($before | reject "host.json" "report.html")
}

def assert-lost-trial-is-made-again [run: path]: nothing -> nothing {
  let before = contents $run
  let log = $run | path join trial-2.jsonl
  # As a machine that lost its power leaves it: the log ends within a line.
  open --raw $log | decode utf-8 | str substring 0..-100 | save --force $log
  rm ($run | path join trial-2.stdout.txt)
  let answer = script run.nu --resume --out $run
  assert equal $answer.exit_code 0 $answer.stderr
  assert equal (files-in $run) ($made ++ [trial-2.interrupted-1.jsonl trial-2.interrupted-1.stderr.txt] | sort)
  let after = contents $run
  for kept in [trial-1.jsonl trial-1.stderr.txt trial-1.stdout.txt run.json openssl.txt] {
    assert equal ($after | get $kept) ($before | get $kept)
  }
  assert equal ($after | get "trial-2.interrupted-1.stderr.txt") ($before | get "trial-2.stderr.txt")
  assert equal (check $run).exit_code 0
}

export def "test a summary loses the columns that a terminal has no room for, the least needed first" [] {
  let summary = [
    [algorithm, trials, median_ms, min_ms];
    [ML-DSA-65, 3, 0.89847263, 0.8]
    [SLH-DSA-SHA2-256f, 3, 40.0, null]
  ]
  let kept = {|width| $summary | fitted $width 4 [trials min_ms] | columns }
  # 20 + 9 + 12 + 9, and the last border.
  assert equal (do $kept 51) [algorithm trials median_ms min_ms]
  assert equal (do $kept 50) [algorithm median_ms min_ms]
  assert equal (do $kept 42) [algorithm median_ms min_ms]
  assert equal (do $kept 41) [algorithm median_ms]
  assert equal (do $kept 10) [algorithm median_ms]
}

export def "test a run that Ctrl-C stops says how to go on, and goes on" [] {
  in-folder {|folder|
    let run = $folder | path join run
    let stopped = interrupted $folder [...$short --trials "1" --out $run]
    assert equal $stopped.exit_code 130 $stopped.stderr
    assert str contains ($stopped | words) $"nu scripts/run.nu --resume --out ($run | to nuon)"
    assert equal (files-in $run) [host.json openssl.txt run.json trial-1.stderr.txt trial-1.stdout.txt]
    assert equal (open ($run | path join host.json) | get after) null

    let answer = script run.nu --resume --out $run
    assert equal $answer.exit_code 0 $answer.stderr
    assert str contains $answer.stderr "trial 1 was not finished"
    for name in [trial-1.interrupted-1.stderr.txt trial-1.stdout.txt trial-1.jsonl report.html] {
      assert ($run | path join $name | path exists) $name
    }
    assert equal (open ($run | path join summary.csv) | length) 6
  }
}

export def "test a run whose openssl fails says where its words are, and a later one goes on" [] {
  in-folder {|folder|
    let stub = $folder | path join openssl
    let real = ^sh ($root | path join scripts openssl-cli.sh) | str trim
    $"#!/bin/sh
      if [ \"$1\" != speed ]; then exec '($real)' \"$@\"; fi
      if [ -e '($folder)/mended' ]; then exec '($real)' \"$@\"; fi
      echo 'Doing nothing' >&2
      exit 3
    " | save $stub
    ^chmod +x $stub
    let run = $folder | path join run
    with-env {PQSIG_OPENSSL: $stub} {
      let failed = script run.nu ...$short --trials 1 --out $run
      assert equal $failed.exit_code 1
      assert str contains ($failed | words) "openssl speed failed with status 3"
      assert str contains ($failed | words) "trial-1.stderr.txt"
      assert equal (open --raw ($run | path join trial-1.stderr.txt) | decode utf-8) "Doing nothing\n"
      touch ($folder | path join mended)
      let answer = script run.nu --out $run --resume
      assert equal $answer.exit_code 0 $answer.stderr
      assert ($run | path join trial-1.interrupted-1.stderr.txt | path exists)
    }
  }
}

# Starts a run in a process group of its own, as a terminal does, and sends it what Ctrl-C sends as soon as
# `openssl speed` has begun.
def interrupted [folder: path, arguments: list<string>]: nothing -> record {
  let file = $folder | path join interrupt.sh
  'log=$1
    shift
    perl -e "setpgrp(0, 0); \$SIG{INT} = q(DEFAULT); exec @ARGV" -- "$@" &
    tries=0
    until [ -s "$log" ] || [ "$tries" -ge 600 ]; do
      tries=$((tries + 1))
      sleep 0.1
    done
    kill -INT "-$!"
    wait "$!"
  ' | save $file
  let log = $folder | path join run trial-1.stderr.txt
  let script = $root | path join scripts run.nu
  do { ^sh $file $log $nu.current-exe --no-config-file $script ...$arguments } | complete
}

export def "test a run is refused a folder of checked-in evidence, however it is called" [] {
  let evidence = $root | path join audit evidence
  in-folder {|folder|
    let link = $folder | path join link
    ^ln -s ($root | path join audit) $link
    let names = [
      $evidence
      ($evidence | path join new)
      ($root | path join scripts .. audit evidence new)
      ($link | path join evidence new)
    ]
    for name in $names {
      for resume in [[] [--resume]] {
        let answer = script run.nu ...$short --out $name ...$resume
        assert equal $answer.exit_code 1
        assert str contains ($answer | words) "among the checked-in evidence"
      }
    }
  }
  assert not ($evidence | path join new | path exists)
}

export def "test a run is refused what makes no sense, before anything is written" [] {
  in-folder {|folder|
    let run = $folder | path join run
    for case in [
      [arguments, words];
      [[--trials "0"], "--trials 0 is out of range: 1 to 1000"]
      [[--seconds "3601"], "--seconds 3601 is out of range: 1 to 3600"]
      [[--algorithms RSA-2048], "no algorithm is called 'RSA-2048'"]
      [[--algorithms ""], "--algorithms names none"]
      [[--backends "libcrux,libsodium"], "no backend is called 'libsodium'"]
      [[--resume], "is no folder"]
    ] {
      let answer = script run.nu --out $run ...$case.arguments
      assert equal $answer.exit_code 1
      assert str contains ($answer | words) $case.words
      assert not ($run | path exists)
    }
    mkdir $run
    assert str contains (script run.nu --out $run --resume | words) "has no run.json"
    assert equal (files-in $run) []
  }
}

export def "test a plan takes names in any spelling and writes the canonical ones" [] {
  let offered = pqsig algorithms | select name oid family backends
  let given = {trials: null, seconds: 2, algorithms: null, backends: null, deterministic: null, samples: null}
  let names = {|text| new-plan ($given | update algorithms $text) $offered | get algorithms }
  assert equal (do $names "mldsa65, ed25519 ML_DSA_65") [ML-DSA-65 Ed25519]
  assert equal (do $names "[id-ml-dsa-44 2.16.840.1.101.3.4.3.19]") [ML-DSA-44 ML-DSA-87]
  assert equal (do $names "ml-dsa") [ML-DSA-44 ML-DSA-65 ML-DSA-87]
  assert equal (do $names all) $offered.name
  assert equal (do $names slh-dsa-shake | length) 6

  # What one gets who asks for nothing, and OpenSSL's own spelling of one name.
  let plan = new-plan $given $offered
  assert equal (openssl-arguments $plan | str join " ") (
    "speed -elapsed -seconds 2 ML-DSA-65 ML-DSA-87 SLH-DSA-SHA2-128s SLH-DSA-SHA2-128f SLH-DSA-SHA2-256s SLH-DSA-SHA2-256f"
  )
  let ed25519 = new-plan ($given | merge {algorithms: ed25519, backends: "openssl,aws-lc", deterministic: true, samples: true}) $offered
  assert equal (openssl-arguments $ed25519 | last) ed25519
  assert equal (pqsig-command $ed25519 2 DIR) (
    "pqsig speed Ed25519 --backend [openssl, aws-lc] --duration 2sec --trials 3 --trial 2 --deterministic --samples --log DIR"
  )
}

export def "test the time left is said as one says it" [] {
  let said = [500ms 59sec 119sec 20min 8hr] | each { about }
  assert equal $said ["a moment" "about 59 s" "about 2 min" "about 20 min" "about 8 h"]
}
