#!/bin/sh
# Sets up the adapters in interop/adapters, through which pqsig-interop asks programs of other languages.
set -eu

usage() {
  cat <<'END'
usage: scripts/adapters.sh [--require NAME...]

Sets up, under target/adapters, what the adapters in interop/adapters need, each on its own and in the
versions that its files pin:
  openssl-command   an openssl of 3.5 or newer: the one that scripts/openssl-cli.sh gives
  noble             Node.js 20.19 or newer with npm; packages of npm
  cryptography      Python 3.10 or newer with venv; packages of PyPI, as wheels
  dilithium-py      as above
  pycryptodome      as above
  quantus           cargo; a crate of crates.io, under the GPL-3.0
What this machine lacks is one line, "NAME: skipped: WHY", and the others go on. What is set up already is
left as it is. The last line counts: "adapters: 5 ready, 1 skipped".

  --require NAME...   exit with 1 if one of these is skipped
END
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=lib.sh
. "$root/scripts/lib.sh"
# shellcheck source=lock.sh
. "$root/scripts/lock.sh"

names='openssl-command noble cryptography dilithium-py pycryptodome quantus'
home=${tools%/tools}/adapters

main() {
  arguments "$@"
  mkdir -p "$home"
  ready=0 skipped=0 missed=
  for name in $names; do
    # In a shell of its own: whatever ends it ends this adapter only. It prints why it failed, and nothing
    # else. As the condition of an `if` it would run on after a command that fails.
    set +e
    why=$(
      set -e
      set_up "$name"
    )
    status=$?
    set -e
    if [ "$status" -eq 0 ]; then
      echo "$name: ready"
      ready=$((ready + 1))
    else
      echo "$name: skipped: ${why:-see above}"
      skipped=$((skipped + 1))
      # Words on purpose, here and below: both are lists.
      # shellcheck disable=SC2086
      if among "$name" $required; then
        missed="$missed $name"
      fi
    fi
  done
  echo "adapters: $ready ready, $skipped skipped"
  [ -z "$missed" ] || die "required, but skipped:$missed"
}

arguments() {
  required=
  case ${1:-} in
    '') return ;;
    --help | -h)
      usage
      exit
      ;;
    --require) shift ;;
    *) set -- ;;
  esac
  for name in "$@"; do
    # shellcheck disable=SC2086
    if ! among "$name" $names; then
      say "error: there is no adapter $name: there are $names"
      exit 2
    fi
  done
  required=$*
  if [ -z "$required" ]; then
    usage >&2
    exit 2
  fi
}

# among WORD WORD...: whether the first is one of the others.
among() {
  word=$1
  shift
  for other in "$@"; do
    [ "$word" != "$other" ] || return 0
  done
  return 1
}

set_up() {
  source=$root/interop/adapters/$1
  log=$home/$1.log
  case $1 in
    openssl-command) openssl_command ;;
    noble) noble ;;
    quantus) quantus ;;
    *) python "$1" ;;
  esac
}

skip() {
  echo "$*"
  exit 1
}

openssl_command() {
  sh "$root/scripts/openssl-cli.sh" >/dev/null || skip 'scripts/openssl-cli.sh gives no openssl; see above'
}

noble() {
  node=$(absolute node) || skip 'no node: Node.js 20.19 or newer is needed'
  version=$("$node" --version) || skip "$node does not run"
  version_at_least "${version#v}" 20.19 || skip "node is $version: 20.19 or newer is needed"
  command -v npm >/dev/null || skip 'no npm, which comes with Node.js'
  once "node $version $(digest "$source/package.json" "$source/package-lock.json")" packages_of_npm
}

packages_of_npm() {
  rm -rf "$home/noble"
  mkdir "$home/noble"
  cp "$source/package.json" "$source/package-lock.json" "$home/noble"
  cd "$home/noble"
  logged npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --fetch-retries 1
}

python() {
  python=$(absolute python3) || skip 'no python3: Python 3.10 or newer is needed'
  version=$("$python" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null) ||
    skip "$python does not run"
  version_at_least "$version" 3.10 || skip "python3 is $version: 3.10 or newer is needed"
  # Debian and Ubuntu have ensurepip, without which an environment gets no pip, in a package of its own.
  "$python" -c 'import venv, ensurepip' 2>/dev/null ||
    skip "python3 has no venv; Debian, Ubuntu: sudo apt-get install python3-venv"
  once "$python $version $(digest "$source/requirements.txt")" packages_of_pypi "$1"
}

# Wheels only: nothing of a package is run while it is installed.
packages_of_pypi() {
  rm -rf "${home:?}/$1"
  logged "$python" -m venv "$home/$1"
  logged "$home/$1/bin/python" -I -m pip install --disable-pip-version-check --no-input --retries 2 \
    --only-binary :all: --require-hashes --requirement "$source/requirements.txt"
}

quantus() {
  for tool in cargo rustc cc; do
    fault=$(lacks "$tool")
    [ -z "$fault" ] || skip "$tool: $fault"
  done
  files=$(digest "$source/Cargo.toml" "$source/Cargo.lock" "$source"/src/*.rs)
  once "$(rustc --version) $files" crates
}

crates() {
  mkdir -p "$home/quantus"
  logged cargo build --release --locked --manifest-path "$source/Cargo.toml" --target-dir "$home/quantus"
}

# once RECIPE COMMAND...: runs the command that fills the adapter's folder, unless it was filled by this
# recipe already. The recipe is written last, so that a run that was killed leaves none.
once() {
  recipe=$1
  shift
  stamp=$home/${source##*/}/recipe
  filled && return
  lock=$home/${source##*/}.lock
  deed="sets up the adapter ${source##*/}"
  building=
  take_lock
  # Another run may have filled it while this one waited.
  if ! filled; then
    say "setting up the adapter ${source##*/} (log: $log)"
    : >"$log"
    "$@"
    printf '%s\n' "$recipe" >"$stamp"
  fi
  release_lock
}

filled() {
  [ "$(cat "$stamp" 2>/dev/null)" = "$recipe" ]
}

# What decides a folder's contents, in one word. No more than a difference has to be noticed: POSIX has no
# better digest.
digest() {
  cat "$@" | cksum | tr ' ' -
}

# logged COMMAND...: its words go to the log; if it fails, the first that names an error goes to the reader.
logged() {
  "$@" >>"$log" 2>&1 </dev/null && return
  word=$(
    grep -i '^\(npm \)\{0,1\}error' "$log" |
      grep -v ' error \(code\|errno\|syscall\|path\)' |
      head -n 1
  ) || word=
  skip "${1##*/} failed: ${word:-$(tail -n 1 "$log")} (log: $log)"
}

main "$@"
