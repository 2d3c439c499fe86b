#!/bin/sh
# Prints the path of a Nushell that can load the plugin, and nothing else.
set -eu

usage() {
  cat <<'END'
usage: scripts/nu.sh

Prints the absolute path of a nu of the minor version that the plugin is built for (nu refuses a plugin of
another): the one that $PQSIG_NU names, else the machine's own, else target/tools/bin/nu, which is put there
once: from the npm package of Nushell's own builds if npm is here (seconds), else compiled by cargo (up to half
an hour).
END
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=lib.sh
. "$root/scripts/lib.sh"

home=$tools/bin/nu

main() {
  only_help "$@"
  version=$(locked_version nu-plugin)
  [ -n "$version" ] || die 'Cargo.lock has no nu-plugin'
  minor=${version%.*}
  named || own || kept || fetched || compiled
}

# The one the user names: if it doesn't serve, falling back to another would hide that.
named() {
  [ -n "${PQSIG_NU:-}" ] || return 1
  path=$(absolute "$PQSIG_NU") || die "PQSIG_NU names no program: $PQSIG_NU"
  fits "$path" || die "PQSIG_NU: $path is nu $(version_of "$path"), the plugin needs nu $minor"
  printf '%s\n' "$path"
}

own() {
  path=$(absolute nu) && fits "$path" && printf '%s\n' "$path"
}

kept() {
  fits "$home" && printf '%s\n' "$home"
}

fits() {
  case $(version_of "$1") in
    "$minor".*) ;;
    *) return 1 ;;
  esac
}

version_of() {
  if [ -x "$1" ]; then
    # Its user's configuration could print words of its own, or fail.
    "$1" --no-config-file --version 2>/dev/null || true
  fi
}

# npm checks the archive against the digest that the registry states. Nothing of it is run but nu itself, and
# nothing is kept outside target.
fetched() {
  command -v npm >/dev/null && command -v tar >/dev/null || return 1
  package=$(package) || return 1
  say "getting nu $version (npm package $package)"
  mkdir -p "$tools/bin"
  for left in "$tools"/nu.download.*; do
    # Of a run that was killed; another that is at work now keeps its own.
    kill -0 "${left##*.}" 2>/dev/null || rm -rf "$left"
  done
  download=$tools/nu.download.$$
  trap 'rm -rf "$download"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' HUP TERM
  mkdir "$download"
  if (
    cd "$download"
    npm pack --silent --ignore-scripts --no-update-notifier --cache cache "$package@$version" >/dev/null &&
      tar -xzf ./*.tgz package/bin/nu && chmod 755 package/bin/nu && fits "$download/package/bin/nu"
  ) </dev/null >&2; then
    # By renaming: whoever looks meanwhile sees no nu or a whole one.
    mv "$download/package/bin/nu" "$home" && printf '%s\n' "$home"
  else
    say 'that did not give a nu that runs here'
    return 1
  fi
}

package() {
  case $(uname -s)-$(uname -m) in
    Linux-x86_64) echo @nushell/linux-x64 ;;
    Linux-aarch64) echo @nushell/linux-arm64 ;;
    Linux-riscv64) echo @nushell/linux-riscv64 ;;
    Darwin-x86_64) echo @nushell/darwin-x64 ;;
    Darwin-arm64) echo @nushell/darwin-arm64 ;;
    *) return 1 ;;
  esac
}

compiled() {
  require cargo rustc cc
  say "compiling nu $version: this can take half an hour"
  say '(with npm, which comes with Node.js, it would be a download of seconds)'
  mkdir -p "$tools"
  cargo install nu --version "$version" --locked --force --root "$tools" </dev/null >&2 ||
    die "cargo could not install nu $version"
  fits "$home" || die "cargo installed $home, but it does not run as nu $minor"
  printf '%s\n' "$home"
}

main "$@"
