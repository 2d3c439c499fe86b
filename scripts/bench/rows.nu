# The lines of the benchmark's answer.

# One line of the answer. `standard_error` is that of `figure`, in percent; null where no spread was measured.
# In JSON a duration is in nanoseconds and a size in bytes.
export def row [
  what: string
  figure: any
  --at-least: any
  --below: any
  --standard-error: float
]: nothing -> record {
  let holds = if $at_least != null { $figure >= $at_least } else { $figure < $below }
  let bound = if $at_least != null { $">= ($at_least)" } else { $"< ($below | shown)" }
  {what: $what, figure: $figure, standard_error_pct: $standard_error, bound: $bound, holds: $holds}
}

# The line as the reader sees it.
export def printed []: record -> record<what: string, figure: string, bound: string, holds: bool> {
  let line = $in
  let error = if $line.standard_error_pct != null { $" ± ($line.standard_error_pct)%" } else { "" }
  {what: $line.what, figure: $"($line.figure | shown)($error)", bound: $line.bound, holds: $line.holds}
}

def shown []: any -> string {
  let value = $in
  match ($value | describe) {
    filesize => ($value | format filesize MiB)
    duration => ($value // 1us * 1us | into string)
    _ => ($value | into string)
  }
}
