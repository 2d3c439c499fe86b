#!/bin/sh
# The whole test run.
set -eu

usage() {
  cat <<'END'
usage: scripts/test.sh

Gets the tools that the tests talk to (nu, an openssl command of 3.5 or newer, a browser, the adapters of other
programs), runs every Rust test of the workspace, builds the plugin, pqsig-interop and pqsig-audit, and runs the
cross-check of all backends and its own test by seeded faults, recomputes the checked-in evidence from its raw
logs, and runs the Nushell tests in scripts/tests. Needs cargo, a C compiler, perl and make, and names those
that are missing. What this machine lacks of Node.js, Python 3 with venv, and Chromium is skipped, and said to be;
with CI set in the environment, Chromium is installed (scripts/browser.sh), and the others' lack is an error.
Exits with 1 if any test fails. Writes to target and to temporary folders only.

The tests get their tools through these variables, with which a single one can be run by hand, too:
  PQSIG_NU        the nu
  PQSIG_OPENSSL   the openssl
  PQSIG_BROWSER   the browser
  PQSIG_PLUGIN    the plugin, for the tests in scripts/tests
  PQSIG_INTEROP   the program pqsig-interop, for the tests in scripts/tests
  PQSIG_AUDIT     the program pqsig-audit, for the tests in scripts/tests
END
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=lib.sh
. "$root/scripts/lib.sh"

only_help "$@"

say '1/6 tools: cargo, a C compiler, perl, make, nu, openssl, browser, adapters'
require cargo rustc cc perl make
PQSIG_NU=$(sh "$root/scripts/nu.sh")
PQSIG_OPENSSL=$(sh "$root/scripts/openssl-cli.sh")

export PQSIG_NU PQSIG_OPENSSL

# What follows runs to its end whatever fails, so that one run shows every failure.
status=0

if [ -n "${CI:-}" ]; then
  set -- --require openssl-command noble cryptography dilithium-py pycryptodome quantus
  PQSIG_BROWSER=$(sh "$root/scripts/browser.sh" --install) || status=1
  export PQSIG_BROWSER
elif PQSIG_BROWSER=$(sh "$root/scripts/browser.sh"); then
  export PQSIG_BROWSER
else
  say 'skipped: what looks at pages in a browser'
  unset PQSIG_BROWSER
fi
sh "$root/scripts/adapters.sh" "$@" >&2 || status=1

say '2/6 cargo test'
(cd "$root" && cargo test --release --locked --workspace --no-fail-fast) || status=1

# The programs that users build. cargo test has built them too, but with the features that the tests' own
# crates turn on.
say '3/6 the plugin, pqsig-interop and pqsig-audit'
PQSIG_PLUGIN=$(built nu_plugin_pqsig nu_plugin_pqsig pqsig-interop pqsig-audit)
PQSIG_INTEROP=$(built pqsig-interop nu_plugin_pqsig pqsig-interop pqsig-audit)
PQSIG_AUDIT=$(built pqsig-audit nu_plugin_pqsig pqsig-interop pqsig-audit)
export PQSIG_PLUGIN PQSIG_INTEROP PQSIG_AUDIT

say '4/6 the cross-check of all backends, and its own test by seeded faults'
"$PQSIG_INTEROP" --quick || status=1
"$PQSIG_INTEROP" self-test || status=1

say '5/6 the checked-in evidence'
(cd "$root" && "$PQSIG_AUDIT" summarize --check audit/evidence/*/) || status=1

say '6/6 scripts/tests'
"$PQSIG_NU" --no-config-file "$root/scripts/tests/run.nu" || status=1

exit "$status"
