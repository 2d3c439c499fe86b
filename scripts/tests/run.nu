# Runs the Nushell tests: every command `test ...` that a file of this folder exports.
#
# Each one runs in a nu of its own with the plugin and without the user's configuration, so that no test can
# lean on what another left behind. A test fails by raising an error (`use std/assert`).
#
# By hand: PQSIG_PLUGIN=target/release/nu_plugin_pqsig nu scripts/tests/run.nu --only inspect

const here = path self .

# Run the tests, print a line for each and their sums; the exit status is 1 if one failed or none ran.
def main [
  --only: string = "" # only the tests whose file or name holds this text
]: nothing -> nothing {
  let plugin = plugin-path
  let tests = glob ($here | path join "*.nu")
    | where ($it | path basename) != "run.nu"
    | sort
    | each {|file| tests-of $file $plugin }
    | flatten
    | where {|test| $only in $"($test.file | path basename) ($test.name)" }

  let results = $tests | each {|test| run-test $test $plugin }

  let failed = $results | where not passed
  for result in $failed {
    print $"\n--- ($result.title)\n($result.words)"
  }
  print $"\n(($results | length) - ($failed | length)) passed, ($failed | length) failed"
  if ($failed | is-not-empty) or ($results | is-empty) {
    exit 1
  }
}

def plugin-path []: nothing -> path {
  let path = $env.PQSIG_PLUGIN? | default ""
  if ($path | path type) != "file" {
    error make --unspanned {
      msg: $"PQSIG_PLUGIN names no file: '($path)'"
      help: "scripts/test.sh sets it; by hand: target/release/nu_plugin_pqsig, which `cargo build --release --locked` makes"
    }
  }
  $path | path expand
}

# A file that can't be parsed, or that holds no test, is a failure: else its tests would be missed by nobody.
def tests-of [file: path, plugin: path]: nothing -> table {
  let listed = in-nu $plugin $"use ($file | to nuon) *
    scope commands | where type == custom | get name | where \($it starts-with 'test ') | sort | to json --raw"
  if $listed.exit_code != 0 {
    return [{file: $file, name: "", fault: $listed.words}]
  }
  let names = $listed.stdout | from json
  if ($names | is-empty) {
    return [{file: $file, name: "", fault: "exports no command whose name begins with 'test '"}]
  }
  $names | each {|name| {file: $file, name: $name, fault: ""} }
}

def run-test [test: record, plugin: path]: nothing -> record<title: string, passed: bool, words: string> {
  let title = $"($test.file | path basename): ($test.name | str replace 'test ' '')"
  let started = date now
  let outcome = if $test.fault != "" {
    {exit_code: 1, words: $test.fault}
  } else {
    in-nu $plugin $"use ($test.file | to nuon) *; ($test.name)"
  }
  let passed = $outcome.exit_code == 0
  let seconds = ((date now) - $started) / 1sec | math round --precision 1
  print $"(if $passed { 'ok    ' } else { 'FAILED' }) ($title), ($seconds) s"
  {title: $title, passed: $passed, words: $outcome.words}
}

# What a nu of its own says to the commands.
def in-nu [plugin: path, commands: string]: nothing -> record<exit_code: int, stdout: string, words: string> {
  let plugins = $"[($plugin | to nuon)]"
  let result = do { ^$nu.current-exe --no-config-file --plugins $plugins --commands $commands } | complete
  {exit_code: $result.exit_code, stdout: $result.stdout, words: ($result.stdout + $result.stderr)}
}
