# pqsig-interop with the adapters of other programs: the programs themselves, nothing is played.

use std/assert

const root = path self ../..

# Runs pqsig-interop on what is named, quickly and without the vectors, and returns what it saved.
def --wrapped cross-check [folder: path, ...arguments: string]: nothing -> record<exit_code: int, run: record, words: string> {
  let out = $folder | path join run.json
  let findings = $folder | path join findings
  let saving = [--no-vectors --out $out --reproducers $findings]
  let result = do { ^$env.PQSIG_INTEROP ...$arguments ...$saving } | complete
  let words = $result.stdout + $result.stderr
  assert ($out | path exists) $words
  {exit_code: $result.exit_code, run: (open $out), words: $words}
}

def with-folder [body: closure]: nothing -> nothing {
  let folder = mktemp --directory --tmpdir "pqsig-interop-test.XXXXXX"
  try {
    do $body $folder
    rm --recursive $folder
  } catch {|error|
    rm --recursive --force $folder
    error make --unspanned {msg: $error.rendered}
  }
}

# Cases of the exchange in which this peer's signature came before that one.
def exchanged [run: record, signer: string, verifier: string, algorithm: string]: nothing -> table {
  $run.cases
    | where check == exchange and ($it.signer? | default "") == $signer and algorithm == $algorithm
    | where ($it.answers | get --optional $verifier | get --optional verdict) == accepted
}

export def "test other programs and the backends agree in both directions" [] {
  with-folder {|folder|
    let checked = cross-check $folder --quick --adapters shipped
    assert equal $checked.exit_code 0 $checked.words
    let run = $checked.run
    # Whatever could not be had was said; in CI nothing may be missing.
    if "CI" in $env {
      assert equal $run.skipped []
    }
    let adapters = $run.peers | where kind == adapter
    for adapter in $adapters {
      for algorithm in ($adapter.versions | columns) {
        let name = $"($adapter.name), ($algorithm)"
        assert (exchanged $run $adapter.name openssl $algorithm | is-not-empty) $"($name): signs for nobody"
        assert (exchanged $run openssl $adapter.name $algorithm | is-not-empty) $"($name): verifies nothing"
      }
      assert ($adapter.artifacts | all { ($in.sha256 | str length) == 64 }) $adapter.name
      assert ($adapter.artifacts | is-not-empty) $adapter.name
    }
    if quantus in $adapters.name {
      assert (exchanged $run quantus openssl-command ML-DSA-87 | is-not-empty)
      assert (exchanged $run openssl-command quantus ML-DSA-87 | is-not-empty)
    }
  }
}

# The adapter of 40 lines that README quotes, as somebody brings it, with one fault: it ignores the context.
export def "test an adapter that ignores the context is named as the outlier and replays" [] {
  let python = $env.CARGO_TARGET_DIR? | default ($root | path join target)
    | path join adapters dilithium-py bin python
  if not ($python | path exists) {
    assert ("CI" not-in $env) "the environment of dilithium-py is missing"
    print "skipped: the environment of dilithium-py is missing, see scripts/adapters.sh"
    return
  }
  with-folder {|folder|
    let sound = open --raw ($root | path join interop adapters example adapter.py) | decode utf-8
    let line = 'bytes.fromhex(ask["message"]), bytes.fromhex(ask["context"])'
    assert str contains $sound $line
    let file = $folder | path join mine.py
    let adapter = $"mine=($python) ($file)"

    $sound | save $file
    let agreed = cross-check $folder ML-DSA-65 --quick --adapter $adapter
    assert equal $agreed.exit_code 0 $agreed.words

    $sound | str replace $line 'bytes.fromhex(ask["message"]), b""' | save --force $file
    let checked = cross-check $folder ML-DSA-65 --quick --adapter $adapter
    assert equal $checked.exit_code 1 $checked.words
    let findings = $checked.run.cases | where finding? != null
    assert ($findings | all { $in.finding.outliers == [mine] }) ($findings | select id finding.outliers | to nuon)
    let caught = $findings | where check == signatures and name == "pure, context of 8 bytes" | first
    assert str contains $checked.words "outlier: mine"

    let replay = {|| do { ^$env.PQSIG_INTEROP replay $caught.finding.reproducer --adapter $adapter } | complete }
    assert equal (do $replay | get exit_code) 1
    # With the fault mended, the same file asks the same and finds nothing.
    $sound | save --force $file
    assert equal (do $replay | get exit_code) 0
  }
}
