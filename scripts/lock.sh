# shellcheck shell=sh disable=SC2154 # the caller sets what is said below
# One run at a time: what the scripts that build share. Sourced after lib.sh, never run. The caller sets
#   lock       the folder that is the lock
#   deed       what its holder does, for those who wait: "builds the openssl command"
#   building   a folder to remove when the lock is released; empty if there is none
#   root       the repository's folder
#
# mkdir is the one thing that every shell can do to a folder either first or not at all.

take_lock() {
  waited=0
  until mkdir "$lock" 2>/dev/null; do
    holder=$(cat "$lock/pid" 2>/dev/null) || holder=
    if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
      drop_dead_lock
      continue
    fi
    [ "$waited" -gt 0 ] || say "another run (process ${holder:-unknown}) $deed: waiting"
    [ "$waited" -lt 1800 ] || die "waited half an hour for another run; if there is none, remove $lock"
    sleep 2
    waited=$((waited + 2))
  done
  trap release_lock EXIT
  trap 'exit 130' INT
  trap 'exit 143' HUP TERM
  echo $$ >"$lock/pid"
}

# The holder was killed. Only one of those who wait may clear its lock away, and only after a second look:
# without that, a slow one would remove the lock that a quick one has meanwhile taken.
drop_dead_lock() {
  mkdir "$lock.reaper" 2>/dev/null || {
    sleep 1
    waited=$((waited + 1))
    [ "$waited" -lt 1800 ] || die "two builds were killed; remove $lock and $lock.reaper"
    return 0
  }
  holder=$(cat "$lock/pid" 2>/dev/null) || holder=
  if [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; then
    rm -rf "$lock"
  fi
  rmdir "$lock.reaper"
}

release_lock() {
  trap - EXIT
  cd "$root" || exit
  [ -z "$building" ] || rm -rf "$building"
  rm -rf "$lock"
}
