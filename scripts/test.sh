#!/bin/sh
# The whole test run.
set -eu

usage() {
  cat <<'END'
usage: scripts/test.sh

Gets the tools that the tests talk to (nu, an openssl command of 3.5 or newer), runs every Rust test of the
workspace, builds the plugin, and runs the Nushell tests in scripts/tests. Needs cargo, a C compiler, perl and
make, and names those that are missing. Exits with 1 if any test fails. Writes to target and to temporary
folders only.

The tests get their tools through these variables, with which a single one can be run by hand, too:
  PQSIG_NU        the nu
  PQSIG_OPENSSL   the openssl
  PQSIG_PLUGIN    the plugin, for the tests in scripts/tests
END
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=lib.sh
. "$root/scripts/lib.sh"

only_help "$@"

say '1/4 tools: cargo, a C compiler, perl, make, nu, openssl'
require cargo rustc cc perl make
PQSIG_NU=$(sh "$root/scripts/nu.sh")
PQSIG_OPENSSL=$(sh "$root/scripts/openssl-cli.sh")

export PQSIG_NU PQSIG_OPENSSL

# What follows runs to its end whatever fails, so that one run shows every failure.
status=0

say '2/4 cargo test'
(cd "$root" && cargo test --release --locked --workspace --no-fail-fast) || status=1

# The plugin that users build. cargo test has built one too, but with the features that the tests' own crates
# turn on.
say '3/4 the plugin'
PQSIG_PLUGIN=$(built_plugin)
export PQSIG_PLUGIN

say '4/4 scripts/tests'
"$PQSIG_NU" --no-config-file "$root/scripts/tests/run.nu" || status=1

exit "$status"
