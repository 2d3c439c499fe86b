# How far a run is: a line per step, and on a terminal a line that counts down.

# Does the work, saying meanwhile what is done and how much time is about left. `left` is the time when it begins.
export def under-way [words: string, left: duration, work: closure]: nothing -> any {
  if not (is-terminal --stderr) {
    print --stderr $"($words), ($left | about) left"
    return (do $work)
  }
  let ticker = job spawn { count-down $words $left }
  try {
    do $work
  } finally {
    # Ctrl-C has ended it already.
    try { job kill $ticker }
    print --stderr --no-newline $"\r(ansi erase_entire_line)"
  }
}

def count-down [words: string, left: duration]: nothing -> nothing {
  let started = date now
  loop {
    let rest = $left - ((date now) - $started)
    print --stderr --no-newline $"\r(ansi erase_entire_line)($words), ($rest | about) left"
    sleep 1sec
  }
}

# A time as one says it: nobody needs the seconds of an hour.
export def about []: duration -> string {
  let left = $in
  if $left < 1sec {
    "a moment"
  } else if $left < 100sec {
    $"about ($left // 1sec) s"
  } else if $left < 100min {
    $"about (($left + 30sec) // 1min) min"
  } else {
    $"about (($left + 30min) // 1hr) h"
  }
}
