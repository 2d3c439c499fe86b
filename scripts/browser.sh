#!/bin/sh
# Prints the path of a headless browser for the tests that look at pages, and nothing else.
set -eu

usage() {
  cat <<'TEXT'
usage: scripts/browser.sh [--install]

Prints the absolute path of a browser of Chromium's family: the one that $PQSIG_BROWSER names, else the machine's
own. Exits with 1 if there is none.

  --install   if there is none, install the package chromium: on a Debian system, as root. A machine that
              somebody works on is theirs to change, so nothing else installs it.
TEXT
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=lib.sh
. "$root/scripts/lib.sh"

main() {
  case ${1:-} in
    '') named || own || die 'no browser: install Chromium, or name one in PQSIG_BROWSER' ;;
    --install) named || own || installed ;;
    --help | -h) usage ;;
    *)
      usage >&2
      exit 2
      ;;
  esac
}

# The one the user names: if it doesn't serve, falling back to another would hide that.
named() {
  [ -n "${PQSIG_BROWSER:-}" ] || return 1
  absolute "$PQSIG_BROWSER" || die "PQSIG_BROWSER names no program: $PQSIG_BROWSER"
}

own() {
  for name in chromium chromium-browser google-chrome google-chrome-stable \
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'; do
    absolute "$name" && return
  done
  return 1
}

installed() {
  absolute apt-get >/dev/null || die 'no browser, and no apt-get to install one with'
  say 'installing the package chromium'
  # Ubuntu's package of this name is a shell around a snap, which needs a service that containers lack.
  apt-get --quiet update >&2 &&
    DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes --no-install-recommends \
      -o Acquire::Retries=3 install chromium >&2 || die 'the package chromium could not be installed'
  own || die 'the package chromium is installed, but has no command that this script knows'
}

main "$@"
