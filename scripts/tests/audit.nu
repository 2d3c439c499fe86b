# Tests of scripts/summarize.nu and of the commands in scripts/audit.nu, on runs of a fraction of a second.

use std/assert

use ../audit.nu *
use ../support/folders.nu evidence
use support/runs.nu *

const root = path self ../..

# Two trials of one algorithm.
def make-run [
  run: path
  --message-size: int = 32
]: nothing -> nothing {
  pqsig speed Ed25519 --backend openssl --duration 20ms --trials 2 --message-size $message_size --log $run | ignore
}

# ms_per_op of the first row.
def first-figure [run: path]: nothing -> string {
  open --raw ($run | path join samples.csv) | decode utf-8 | lines | get 1 | split row "," | get 8
}

# --- summarize.nu -------------------------------------------------------------------------------------------

export def "test summarize makes both files, and says when they were exact already" [] {
  in-folder {|folder|
    let run = $folder | path join run
    make-run $run
    let first = script summarize.nu $run
    assert equal $first.exit_code 0 $first.stderr
    assert equal ($first.stdout | lines | where $it =~ written | length) 1
    assert equal (files-in $run) [samples.csv summary.csv trial-1.jsonl trial-2.jsonl]
    let made = contents $run
    let second = script summarize.nu $run
    assert equal ($second.stdout | lines | where $it =~ 'exact .* exact' | length) 1
    assert equal (script summarize.nu --check $run | get exit_code) 0
    assert equal (contents $run) $made
  }
}

export def "test summarize restores a file that was edited, and with --check names the row and the column" [] {
  in-folder {|folder|
    let run = $folder | path join run
    make-run $run
    script summarize.nu $run
    let made = contents $run
    edit ($run | path join samples.csv) (first-figure $run) "1.5"
    let edited = contents $run

    let checked = script summarize.nu --check $run
    assert equal $checked.exit_code 1
    assert str contains ($checked | words) "Ed25519 openssl keygen"
    assert str contains ($checked | words) "ms_per_op: `1.5`"
    assert equal ($checked.stdout | lines | where $it =~ 'different .* exact' | length) 1
    assert equal (contents $run) $edited "--check writes nothing"

    let restored = script summarize.nu $run
    assert equal $restored.exit_code 0
    assert equal ($restored.stdout | lines | where $it =~ rewritten | length) 1
    assert equal (contents $run) $made
  }
}

export def "test summarize does several folders, and one that is missing does not keep it from the others" [] {
  in-folder {|folder|
    let runs = [a b] | each {|name| $folder | path join $name }
    for run in $runs { make-run $run }
    let answer = script summarize.nu $runs.0 ($folder | path join missing) $runs.1
    assert equal $answer.exit_code 2
    assert str contains ($answer | words) "missing` is no folder"
    for run in $runs {
      assert ($run | path join summary.csv | path exists)
    }
  }
}

export def "test summarize writes nothing of a run that contradicts itself or is not whole" [] {
  in-folder {|folder|
    let run = $folder | path join run
    make-run $run
    let log = $run | path join trial-2.jsonl
    let text = open --raw $log | decode utf-8
    $text | lines | drop | str join "\n" | $in + "\n" | save --force $log
    let answer = script summarize.nu $run
    assert equal $answer.exit_code 1
    assert str contains ($answer | words) "trial-2.jsonl: interrupted"
    assert equal (files-in $run) [trial-1.jsonl trial-2.jsonl]
  }
}

export def "test the checked-in evidence follows from its logs" [] {
  let runs = evidence
  assert ($runs | is-not-empty)
  let answer = script summarize.nu --check
  assert equal $answer.exit_code 0 $answer.stderr
  assert equal ($answer.stdout | lines | where $it =~ 'exact .* exact' | length) ($runs | length)
}

# --- audit.nu -----------------------------------------------------------------------------------------------

export def "test audit summarize returns a row per run" [] {
  in-folder {|folder|
    let runs = [a b] | each {|name| $folder | path join $name }
    for run in $runs { make-run $run }
    let rows = audit summarize ...$runs
    assert equal $rows.folder $runs
    assert equal ($rows | select trials samples incomplete samples_csv summary_csv | uniq) [
      [trials, samples, incomplete, samples_csv, summary_csv];
      [2, 6, false, written, written]
    ]
    assert equal (audit summarize $runs.0 --check | get 0.samples_csv) exact
  }
}

export def "test audit summarize fails at the folder at fault, in the words of the program" [] {
  in-folder {|folder|
    let run = $folder | path join run
    make-run $run
    audit summarize $run | ignore
    edit ($run | path join samples.csv) (first-figure $run) "1.5"
    let error = try { audit summarize $run --check; null } catch {|error| $error }
    assert not equal $error null
    assert str contains $error.msg "run can't be vouched for"
    assert str contains ($error.details.labels.0.text) "ms_per_op: `1.5`"
    # The argument, not a line of the module.
    assert str contains $error.rendered "audit summarize $run --check"

    let cut = $run | path join trial-2.jsonl
    open --raw $cut | decode utf-8 | lines | drop | str join "\n" | $in + "\n" | save --force $cut
    assert error { audit summarize $run }
    let rows = audit summarize $run --allow-incomplete
    assert equal ($rows | select incomplete samples_csv | first) {incomplete: true, samples_csv: rewritten}
    assert equal ($rows.0.findings.severity | uniq) [incomplete]
  }
}

export def "test audit compare finds no difference between a run and itself" [] {
  in-folder {|folder|
    let run = $folder | path join run
    make-run $run
    let rows = audit compare $run $run
    assert equal $rows.operation [keygen sign verify]
    assert ($rows | all { $in.low <= 1 and $in.high >= 1 }) ($rows | to nuon)
  }
}

export def "test audit compare refuses runs of other messages unless forced" [] {
  in-folder {|folder|
    let a = $folder | path join a
    let b = $folder | path join b
    make-run $a
    make-run $b --message-size 64
    let error = try { audit compare $a $b; null } catch {|error| $error }
    assert not equal $error null
    assert str contains $error.msg "can't be compared"
    assert str contains $error.rendered "audit compare $a $b"
    assert equal (audit compare $a $b --force | length) 3
  }
}

export def "test audit plausibility returns what is doubtful, of runs and of published figures" [] {
  let claims = glob ($root | path join audit claims "*.json") | sort
  assert (($claims | length) >= 2)
  let rows = audit plausibility --claims $claims
  # Each of them is flagged.
  assert equal ($rows.of | uniq | sort) $claims
  assert equal ($rows | columns) [of severity rule place message]
  in-folder {|folder|
    let run = $folder | path join run
    make-run $run
    let rows = audit plausibility $run --claims $claims
    assert (($rows | length) >= 2)
    let error = try { audit plausibility ($folder | path join missing); null } catch {|error| $error }
    assert str contains $error.msg "can't be judged"
  }
  assert error { audit plausibility }
}

export def "test audit report returns the path of the file that it wrote" [] {
  in-folder {|folder|
    let run = $folder | path join run
    make-run $run
    let report = audit report $run
    assert equal $report ($run | path join report.html)
    assert str contains (open --raw $report | decode utf-8) "Ed25519"
    let other = audit report $run --out ($folder | path join other.html)
    assert equal (open --raw $other) (open --raw $report) "the same run gives the same bytes"
    let error = try { audit report ($folder | path join missing); null } catch {|error| $error }
    assert str contains $error.msg "no report can be made"
    assert str contains $error.details.labels.0.text "is no folder"
  }
}

export def "test the commands of audit explain themselves and complete the runs that are here" [] {
  let use_audit = $"use ($root | path join scripts audit.nu | to nuon) *"
  let commands = ^$nu.current-exe --no-config-file --commands $"($use_audit)
    scope commands | where name starts-with 'audit ' | select name description examples | to nuon" | from nuon
  assert equal ($commands.name | sort) ["audit compare" "audit plausibility" "audit report" "audit summarize"]
  assert ($commands | all {|command| ($command.description | is-not-empty) and ($command.examples | is-not-empty) })

  in-folder {|folder|
    let file = $folder | path join line.nu
    let text = $"($use_audit)\naudit report "
    $text | save $file
    let end = $text | str length
    cd $root
    let offered = ^$nu.current-exe --no-config-file --ide-complete $end $file | from json | get completions
    let runs = evidence
    assert ($runs | is-not-empty)
    for run in $runs {
      assert (($run | path relative-to $root) in $offered) ($offered | to nuon)
    }
  }
}

# --- what the plugin is made of -----------------------------------------------------------------------------

export def "test the plugin is built without polars, and pqsig-audit with it" [] {
  cd $root
  let crates = {|package|
    ^cargo tree --locked --package $package --edges normal,build --prefix none --format "{p}"
      | lines
      | each { split row " " | first }
      | uniq
  }
  assert equal (do $crates nu_plugin_pqsig | where $it starts-with polars) []
  assert ("polars" in (do $crates pqsig-audit))
}
