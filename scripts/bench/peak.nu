# The memory of a program.

# Runs a program to its end, which has to be a good one. `peak` is null where there is no /proc.
export def peak-and-time [program: path, arguments: list<string>]: nothing -> record<time: duration, peak: any> {
  # The peak of a process can be read only while it runs, so it is read again and again.
  let watch = '"$0" "$@" >/dev/null & pid=$!
    while kill -0 "$pid" 2>/dev/null; do
      grep VmHWM "/proc/$pid/status" 2>/dev/null
      sleep 0.1
    done
    wait "$pid" || echo failed'
  let started = date now
  let said = ^sh -c $watch $program ...$arguments | lines
  let time = (date now) - $started
  if failed in $said {
    error make --unspanned {msg: $"($program | path basename) ($arguments | str join ' ') found a disagreement, or failed"}
  }
  let peaks = $said | parse --regex 'VmHWM:\s+(?<kib>\d+) kB' | get kib | into int
  {time: $time, peak: (if ($peaks | is-empty) { null } else { ($peaks | math max) * 1KiB })}
}
