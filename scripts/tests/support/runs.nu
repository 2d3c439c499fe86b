# Runs to test with, and the scripts that make and summarize them.

const scripts = path self ../..

# Run `commands` with an empty folder, and remove that whatever happens.
export def in-folder [commands: closure]: nothing -> any {
  let folder = mktemp --directory --tmpdir "pqsig runs.XXXXXX"
  try {
    do $commands $folder
  } finally {
    rm --recursive --force $folder
  }
}

# Run one of the scripts in Nushell, as a person would.
export def --wrapped script [
  name: string
  ...arguments: string
]: nothing -> record<stdout: string, stderr: string, exit_code: int> {
  do { ^$nu.current-exe --no-config-file ($scripts | path join $name) ...$arguments } | complete
}

# What a script said, on one line: Nushell breaks the lines of errors where a terminal would.
export def words []: record -> string {
  let said = $in
  $"($said.stdout) ($said.stderr)" | str replace --all --regex '\s*\n[\s|│]*' ' '
}

# The names of the files in a folder.
export def files-in [folder: path]: nothing -> list<string> {
  ls --all --short-names $folder | get name | sort
}

# What every file of a folder holds, by names.
export def contents [folder: path]: nothing -> record {
  files-in $folder | reduce --fold {} {|name, files|
    $files | insert $name (open --raw ($folder | path join $name) | hash sha256)
  }
}

# Change one thing in a file, which has to be there once or more.
export def edit [file: path, old: string, new: string]: nothing -> nothing {
  let text = open --raw $file | decode utf-8
  if $old not-in $text {
    error make --unspanned {msg: $"($file) does not hold '($old)'"}
  }
  $text | str replace $old $new | save --force $file
}
