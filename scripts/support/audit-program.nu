# Calls of the program pqsig-audit, and what they answer.

use programs.nu audit-path

# Runs the program. Its exit status is 0 if all is clean, 1 for a finding, 2 for what kept it from its work; `words` is
# what it said on stderr.
export def --wrapped run-program [
  ...arguments: string
]: nothing -> record<exit_code: int, stdout: string, words: string> {
  let result = do { ^(audit-path) ...$arguments } | complete
  {exit_code: $result.exit_code, stdout: $result.stdout, words: ($result.stderr | str trim)}
}

# The same with an answer in JSON; null if it gave none.
export def --wrapped ask [
  ...arguments: string
]: nothing -> record<exit_code: int, answer: any, words: string> {
  let result = run-program ...$arguments --json
  let answer = if ($result.stdout | str trim | is-empty) { null } else { $result.stdout | from json }
  $result | reject stdout | insert answer $answer
}

# Runs the program for what it writes. Whatever it does not do is an error.
export def --wrapped tell [...arguments: string]: nothing -> nothing {
  let result = run-program ...$arguments
  if $result.exit_code != 0 {
    error make --unspanned {msg: $"pqsig-audit ($arguments | first) says no", help: $result.words}
  }
}

# A row per folder: what became of its CSV files, and what is wrong with it. The switches are those that the
# program was given.
export def summarized [--check, --allow-incomplete]: list<any> -> table {
  each {|folder|
    let refused = $folder.findings | get severity | any { $in == broken or ($in == incomplete and not $allow_incomplete) }
    let fates = $folder.files
      | reduce --fold {} {|file, fates| $fates | insert ($file.name | str replace '.' '_') (fate $file.before (not ($check or $refused))) }
    {
      folder: $folder.directory
      trials: $folder.trials
      samples: $folder.samples
      incomplete: $folder.incomplete
      ...$fates
      differences: ($folder.files | where difference != null | each { $"($in.name): ($in.difference)" })
      findings: $folder.findings
    }
  }
}

# The word for a file that was `before`, and may have been written.
def fate [before: string, written: bool]: nothing -> string {
  match [$before $written] {
    ["exact" _] => "exact"
    ["absent" true] => "written"
    ["absent" false] => "missing"
    ["different" true] => "rewritten"
    _ => "different"
  }
}
