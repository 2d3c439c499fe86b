#!/bin/sh
# Prints the path of an `openssl` command that knows ML-DSA and SLH-DSA (3.5 or newer), and nothing else.
set -eu

usage() {
  cat <<'END'
usage: scripts/openssl-cli.sh [--locked]

Prints the absolute path of an openssl command of 3.5 or newer: the one that $PQSIG_OPENSSL names, else the
machine's own, else one built once (a minute or two on 2 cores) into target/tools/openssl from the source that
the openssl backend is built from: the crate openssl-src of Cargo.lock.

  --locked   only the one built from that source, for comparisons of speed
END
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=lib.sh
. "$root/scripts/lib.sh"
# shellcheck source=lock.sh
. "$root/scripts/lock.sh"

main() {
  case ${1:-} in
    '') named || own || locked ;;
    --locked) locked ;;
    --help | -h) usage ;;
    *)
      usage >&2
      exit 2
      ;;
  esac
}

# The one the user names: if it doesn't serve, falling back to another would hide that.
named() {
  [ -n "${PQSIG_OPENSSL:-}" ] || return 1
  path=$(absolute "$PQSIG_OPENSSL") || die "PQSIG_OPENSSL names no program: $PQSIG_OPENSSL"
  fault=$(unfit "$path")
  [ -z "$fault" ] || die "PQSIG_OPENSSL: $path $fault"
  printf '%s\n' "$path"
}

own() {
  path=$(absolute openssl) || return 1
  [ -z "$(unfit "$path")" ] || return 1
  printf '%s\n' "$path"
}

# unfit PATH: why that openssl can't serve; nothing if it can. A new enough version isn't enough: LibreSSL has
# numbers of its own, and a distribution may leave an algorithm out.
unfit() {
  words=$("$1" version 2>/dev/null) || words=
  case $words in
    'OpenSSL '*) ;;
    *)
      echo "is not OpenSSL (it says: ${words:-nothing})"
      return
      ;;
  esac
  version=${words#OpenSSL }
  version=${version%%[!0-9.]*}
  if ! version_at_least "$version" 3.5; then
    echo "is OpenSSL $version: 3.5 or newer is needed"
    return
  fi
  offered=$("$1" list -signature-algorithms 2>/dev/null) || offered=
  for algorithm in ML-DSA-65 SLH-DSA-SHA2-128f ED25519; do
    case $offered in
      *"$algorithm"*) ;;
      *)
        echo "is OpenSSL $version, but does not offer $algorithm"
        return
        ;;
    esac
  done
}

# --- the one built from the locked source -------------------------------------------------------------------

home=$tools/openssl
lock=$tools/openssl.lock
deed='builds the openssl command'
log=$tools/openssl-build.log
building=

locked() {
  version=$(locked_version openssl-src)
  [ -n "$version" ] || die 'Cargo.lock has no openssl-src: has the backend no "vendored" feature any more?'
  wanted=$(recipe)
  if ! built; then
    require cargo cc perl make
    mkdir -p "$tools"
    take_lock
    # Another run may have built it while this one waited.
    built || build
    release_lock
  fi
  printf '%s\n' "$home/bin/openssl"
}

# What decides the program's bytes. It is kept beside the program: a Cargo.lock with another OpenSSL makes a
# new build.
recipe() {
  printf '%s\n' "openssl-src $version" "configure $(target)" "$(options)"
}

built() {
  [ -x "$home/bin/openssl" ] && [ "$(cat "$home/recipe" 2>/dev/null)" = "$wanted" ]
}

# The names are OpenSSL's own; empty lets its Configure guess.
target() {
  case $(uname -s)-$(uname -m) in
    Linux-x86_64) echo linux-x86_64 ;;
    Linux-aarch64) echo linux-aarch64 ;;
    Linux-riscv64) echo linux64-riscv64 ;;
    Darwin-arm64) echo darwin64-arm64-cc ;;
    Darwin-x86_64) echo darwin64-x86_64-cc ;;
  esac
}

# This program is what the openssl backend's speed is measured against, so libcrypto has to be compiled as
# openssl-src compiles it for the backend: with assembly, and with -O2 after OpenSSL's own -O3. That matters:
# with -O3 alone (x86-64, gcc 12) Ed25519 signs a fifth faster, the rest alike. Of OpenSSL's features only
# such are left out as have no part in signing (legacy, QUIC), for a shorter build.
#
# The program is not installed, and must not depend on, or tell in `openssl version -a`, which machine built it:
# hence folders that don't exist. It so runs with no openssl.cnf, which only `openssl req` asks for.
options() {
  echo --prefix=/nonexistent --openssldir=/nonexistent/ssl --libdir=lib
  echo no-shared no-module no-tests no-comp no-zlib no-zlib-dynamic no-ssl3 no-md2 no-rc5 \
    no-weak-ssl-ciphers no-camellia no-idea no-seed no-legacy no-quic -O2 -ffunction-sections -fdata-sections -fPIC -w
  case $(target) in
    linux-x86_64) echo -m64 -march=x86-64 ;;
  esac
}

build() {
  say "building the openssl command from openssl-src $version, once (a minute or two on 2 cores; log: $log)"
  # A run that was killed may have left these.
  rm -rf "$tools"/openssl.build.*
  building=$tools/openssl.build.$$
  mkdir "$building"
  : >"$log"
  source=$(source_folder)
  logged 'copying the source' cp -R "$source" "$building/source"
  cd "$building/source"
  # Words on purpose: target and options are lists.
  # shellcheck disable=SC2046
  logged 'Configure' perl ./Configure $(target) $(options)
  logged 'make' make -j"$(cores)" build_programs
  cd "$root"
  fault=$(unfit "$building/source/apps/openssl")
  [ -z "$fault" ] || die "the openssl command was built, but $fault; see $log"
  place "$building/source/apps/openssl" "$home/bin/openssl"
  printf '%s\n' "$wanted" >"$building/recipe"
  place "$building/recipe" "$home/recipe"
}

# cargo fetches the crate if it isn't here yet, and knows where it keeps it.
source_folder() {
  cd "$root"
  metadata=$(cargo metadata --locked --format-version 1 2>>"$log") ||
    die "cargo metadata failed; $(tail_of_log)"
  manifest=$(printf '%s\n' "$metadata" | json_strings manifest_path |
    grep '/openssl-src[^/]*/Cargo\.toml$' | head -n 1)
  folder=${manifest%/Cargo.toml}/openssl
  [ -f "$folder/Configure" ] || die "the source of openssl-src $version was not found (looked in: $folder)"
  printf '%s\n' "$folder"
}

# logged WHAT COMMAND...: the command's words go to the log; if it fails, the log's end goes to the reader.
logged() {
  what=$1
  shift
  "$@" >>"$log" 2>&1 </dev/null || die "$what failed; $(tail_of_log)"
}

tail_of_log() {
  printf 'the end of %s:\n' "$log"
  tail -n 15 "$log"
}

# place FROM TO: by renaming, so that whoever looks sees the old file or the new one, never half of it.
place() {
  mkdir -p "$(dirname "$2")"
  cp "$1" "$2.new"
  mv "$2.new" "$2"
}

main "$@"
