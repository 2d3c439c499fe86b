# The logs in a run's folder: which trials are whole, and what becomes of the logs of those that are not.

use audit-program.nu ask

const endings = [jsonl stdout.txt stderr.txt]

# The trials that are not there or not whole, in order.
export def unfinished [folder: path, trials: int]: nothing -> list<int> {
  let asked = ask trials $folder
  if $asked.answer == null {
    error make --unspanned {msg: $"the logs in ($folder) can't be read", help: $asked.words}
  }
  let whole = $asked.answer | where {|trial|
    # A log that is nowhere yet is missed by nobody but here.
    $trial.complete and ($endings | all {|ending| (log-of $folder $trial.trial $ending | path exists) })
  }
  1..$trials | where $it not-in $whole.trial
}

# Gives the logs that a trial left behind other names, under which no program takes them for the trial's:
# trial-2.interrupted-1.jsonl.
export def set-aside [folder: path, trial: int]: nothing -> nothing {
  let left = $endings | where {|ending| log-of $folder $trial $ending | path exists }
  if ($left | is-empty) {
    return
  }
  mut number = 1
  while (aside-by $folder $trial $number | any { path exists }) {
    $number += 1
  }
  for ending in $left {
    mv (log-of $folder $trial $ending) ($folder | path join $"trial-($trial).interrupted-($number).($ending)")
  }
  print --stderr $"trial ($trial) was not finished: its logs are kept as trial-($trial).interrupted-($number)"
}

def log-of [folder: path, trial: int, ending: string]: nothing -> path {
  $folder | path join $"trial-($trial).($ending)"
}

def aside-by [folder: path, trial: int, number: int]: nothing -> list<path> {
  $endings | each {|ending| $folder | path join $"trial-($trial).interrupted-($number).($ending)" }
}
