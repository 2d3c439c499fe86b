#!/bin/sh
# From a fresh clone to the first table: gets Nushell, builds the plugin, times ML-DSA-65 in it.
set -eu

usage() {
  cat <<'END'
usage: scripts/quickstart.sh

Needs cargo, a C compiler, perl and make, and names those that are missing. Gets a Nushell into target/tools if
the machine has none that fits, builds the plugin, and runs `pqsig speed ML-DSA-65` in it. Writes to target only:
your Nushell's own plugins and settings stay as they are.
END
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=lib.sh
. "$root/scripts/lib.sh"

only_help "$@"

say '1/3 tools: cargo, a C compiler, perl, make, nu'
require cargo rustc cc perl make
nu=$(sh "$root/scripts/nu.sh")

say '2/3 the plugin (the first build compiles OpenSSL and AWS-LC too: about 6 minutes on 2 cores)'
plugin=$(built_plugin)

say '3/3 pqsig speed ML-DSA-65'
run_in_nu "$nu" "$plugin" 'pqsig speed ML-DSA-65'

say
minor=$(locked_version nu-plugin)
say "To have the pqsig commands in your own Nushell, which has to be of version ${minor%.*}:"
say "  plugin add $(nu_quoted "$plugin")"
say '  plugin use pqsig'
