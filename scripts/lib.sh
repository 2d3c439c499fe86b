# shellcheck shell=sh
# What the scripts share. Sourced, never run: the caller sets `root` (the repository's folder) first.
#
# Words for the reader go to stderr, so that a script whose answer is one path prints nothing else to stdout.

# Relative to where the caller stands, as cargo takes it; made absolute before any `cd` can change its
# meaning.
if [ -n "${CARGO_TARGET_DIR:-}" ]; then
  case $CARGO_TARGET_DIR in
    /*) ;;
    *) CARGO_TARGET_DIR=$PWD/$CARGO_TARGET_DIR ;;
  esac
  export CARGO_TARGET_DIR
fi
# shellcheck disable=SC2034,SC2154 # root comes from the caller, tools is for the caller
tools=${CARGO_TARGET_DIR:-$root/target}/tools

say() {
  printf '%s\n' "$*" >&2
}

# only_help ARGUMENT...: for a script that takes no arguments but --help. Calls its `usage`.
only_help() {
  case ${1:-} in
    '') ;;
    --help | -h)
      usage
      exit
      ;;
    *)
      usage >&2
      exit 2
      ;;
  esac
}

die() {
  say "error: $*"
  exit 1
}

# version_at_least HAVE WANT: compares dotted numbers, so that 3.10 is newer than 3.5.
version_at_least() {
  awk -v have="$1" -v want="$2" 'BEGIN {
    split(have, h, "."); n = split(want, w, ".")
    for (i = 1; i <= n; i++) {
      if (h[i] + 0 > w[i] + 0) exit 0
      if (h[i] + 0 < w[i] + 0) exit 1
    }
    exit 0
  }'
}

# locked_version CRATE: its version in Cargo.lock; nothing if it isn't there.
locked_version() {
  awk -v name="name = \"$1\"" '$0 == name { getline; gsub(/version = |"/, ""); print; exit }' "$root/Cargo.lock"
}

# absolute PROGRAM: its absolute path, PROGRAM being a name on PATH or a path.
absolute() {
  program=$(command -v -- "$1") && [ -f "$program" ] && [ -x "$program" ] || return 1
  case $program in
    /*) printf '%s\n' "$program" ;;
    *) printf '%s/%s\n' "$PWD" "$program" ;;
  esac
}

cores() {
  getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1
}

# json_strings KEY: every string value of KEY in the JSON on stdin, one a line. Enough for the paths in
# cargo's output, which has no blanks around colons; a path with a quotation mark or a backslash in it is out
# of its reach.
json_strings() {
  awk -v key="\"$1\":\"" '{
    rest = $0
    while ((at = index(rest, key)) > 0) {
      rest = substr(rest, at + length(key))
      print substr(rest, 1, index(rest, "\"") - 1)
    }
  }'
}

# Perl modules that OpenSSL's Configure loads, and that Fedora (perl-interpreter) and Debian (perl-base) leave
# out of their smallest perl.
perl_modules='FindBin IPC::Cmd Time::Piece File::Compare File::Copy Pod::Usage'

# A compiler without the C library's headers is found, but of no use: so it has to compile something.
cc_works() {
  trial=$(mktemp -d) || return
  works=0
  # CC may hold a wrapper and options: it is split into words on purpose.
  # shellcheck disable=SC2086
  printf '#include <stdio.h>\nint main(void) { return puts("") < 0; }\n' |
    ${CC:-cc} -x c -o "$trial/program" - >/dev/null 2>&1 || works=1
  rm -rf "$trial"
  return "$works"
}

# lacks TOOL: says what is wrong with TOOL (nothing if it is fine).
lacks() {
  case $1 in
    cargo | make)
      command -v "$1" >/dev/null || echo 'not found'
      ;;
    rustc)
      wanted=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$root/Cargo.toml")
      found=$(rustc --version 2>/dev/null | awk '{ print $2 }')
      if [ -z "$found" ]; then
        echo 'not found'
      elif ! version_at_least "$found" "$wanted"; then
        echo "$found found, $wanted or newer needed"
      fi
      ;;
    cc)
      # shellcheck disable=SC2086
      set -- ${CC:-cc}
      if ! command -v "$1" >/dev/null; then
        echo "no C compiler ($1) found"
      elif ! cc_works; then
        echo "$1 compiles no C program (are the C library's headers there?)"
      fi
      ;;
    perl)
      if ! command -v perl >/dev/null; then
        echo 'not found'
      else
        absent=
        for module in $perl_modules; do
          perl "-M$module" -e 1 2>/dev/null || absent="$absent $module"
        done
        if [ -n "$absent" ]; then
          echo "lacks the modules$absent"
        fi
      fi
      ;;
  esac
}

remedy() {
  case $1 in
    cargo | rustc) echo 'any system: https://rustup.rs, then: rustup update stable' ;;
    cc) by_system 'gcc libc6-dev' gcc 'xcode-select --install' ;;
    perl) by_system perl perl 'brew install perl' ;;
    make) by_system make make 'xcode-select --install' ;;
  esac
}

by_system() {
  echo "Debian, Ubuntu: sudo apt-get install $1 | Fedora: sudo dnf install $2 | macOS: $3"
}

# require TOOL...: ends the script unless every tool is there. Names all that are missing at once: nobody
# likes to learn of them one run at a time.
require() {
  missing=
  for tool in "$@"; do
    fault=$(lacks "$tool")
    if [ -n "$fault" ]; then
      [ -n "$missing" ] || say 'error: this machine lacks what the build needs:'
      missing="$missing $tool"
      say "  $tool: $fault"
      say "    $(remedy "$tool")"
    fi
  done
  [ -z "$missing" ] || exit 1
}

# built_plugin: builds the plugin and prints its absolute path.
built_plugin() {
  built nu_plugin_pqsig nu_plugin_pqsig
}

# built PROGRAM PACKAGE...: builds the packages and prints the absolute path of one of their programs. cargo
# itself says where it put it, so that every way to move the target folder works.
built() {
  program=$1
  shift
  for package in "$@"; do
    set -- "$@" --package "$package"
    shift
  done
  messages=$(
    cd "$root" && cargo build --release --locked --message-format json-render-diagnostics "$@"
  ) || die "$program does not build"
  path=$(printf '%s\n' "$messages" | json_strings executable | grep "/$program\$") || path=
  [ -x "$path" ] || die "cargo built no $program"
  printf '%s\n' "$path"
}

# nu_quoted TEXT: TEXT as a Nushell string.
nu_quoted() {
  printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"
}

# run_in_nu NU PLUGIN COMMANDS: with the plugin and nothing of the user's own configuration.
run_in_nu() {
  "$1" --no-config-file --plugins "[$(nu_quoted "$2")]" --commands "$3"
}
