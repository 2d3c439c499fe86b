# Where runs are kept, where new ones may be written, and how their tables are read.

use programs.nu root

# The folders with checked-in runs.
export def evidence []: nothing -> list<path> {
  runs-under ($root | path join audit evidence)
}

# Every run that is here: new ones, then the checked-in ones.
export def all-runs []: nothing -> list<path> {
  (runs-under ($root | path join generated)) ++ (evidence)
}

def runs-under [folder: path]: nothing -> list<path> {
  if not ($folder | path exists) {
    return []
  }
  ls $folder | where type == dir | get name | where { is-run $in } | sort
}

def is-run [folder: path]: nothing -> bool {
  ($folder | path join run.json | path exists) or (ls $folder | any { ($in.name | path basename) starts-with "trial-" })
}

# A path as the reader would type it here.
export def shown-path []: path -> string {
  let path = $in
  let inside = try { $path | path relative-to $env.PWD } catch { $path }
  if $inside == "" { "." } else { $inside }
}

# Where a path really leads, links followed, also if its last parts are not there yet.
export def real-path []: path -> path {
  let path = $in | path expand --no-symlink
  if ($path | path exists) {
    return ($path | path expand --strict)
  }
  let parent = $path | path dirname
  if $parent == $path { $path } else { $parent | real-path | path join ($path | path basename) }
}

# Whether a path is the folder of checked-in runs, or under it.
export def is-evidence []: path -> bool {
  let path = $in | real-path
  let evidence = $root | path join audit evidence | real-path
  $path == $evidence or ($path | str starts-with $"($evidence)(char path_sep)")
}

# A CSV file with null where a cell is empty: what is not known is no text.
export def open-csv [file: path]: nothing -> table {
  open --raw $file | decode utf-8 | from csv | update cells {|cell| if $cell == "" { null } else { $cell } }
}
