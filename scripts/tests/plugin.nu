# The plugin as users build it, with the features that this gives it. What its commands do in detail is tested
# by the Rust tests in nu_plugin_pqsig, whose build turns on further features.

use std/assert

export def "test a signature of one backend is accepted by the next and by no other message" [] {
  for algorithm in [ML-DSA-44 SLH-DSA-SHAKE-128f Ed25519] {
    let backends = backends-of $algorithm
    assert (($backends | length) >= 3) $"($algorithm) has ($backends)"
    for pair in ($backends | zip ($backends | skip 1 | append $backends.0)) {
      let key = pqsig keygen $algorithm --backend $pair.0
      let signature = "message" | pqsig sign $key.private_key --backend $pair.0
      let verify = {|| pqsig verify $key.public_key $signature --backend $pair.1 }
      assert equal ("message" | do $verify) true $"($algorithm) by ($pair.0), verified by ($pair.1)"
      assert equal ("massage" | do $verify) false $"($algorithm) by ($pair.0), verified by ($pair.1)"
    }
  }
}

export def "test speed times three operations on every backend that has the algorithm" [] {
  let rows = pqsig speed ML-DSA-65 --duration 100ms --trials 2
  assert equal ($rows | select backend operation | uniq | length) (3 * (backends-of ML-DSA-65 | length))
  assert ($rows | all { $in.mean > 0sec and $in.ops_per_second > 0 and $in.rounds > 0 })
}

def backends-of [algorithm: string]: nothing -> list<string> {
  pqsig algorithms | where name == $algorithm | get 0.backends
}
