# The plugin as users build it, with the features that this gives it. What its commands do in detail is tested
# by the Rust tests in nu_plugin_pqsig, whose build turns on further features.

use std/assert

export def "test a signature of one backend is accepted by the other and by no other message" [] {
  for algorithm in [ML-DSA-44 SLH-DSA-SHAKE-128f Ed25519] {
    for pair in [[signer verifier]; [rustcrypto openssl] [openssl rustcrypto]] {
      let key = pqsig keygen $algorithm --backend $pair.signer
      let signature = "message" | pqsig sign $key.private_key --backend $pair.signer
      let verify = {|| pqsig verify $key.public_key $signature --backend $pair.verifier }
      assert equal ("message" | do $verify) true $algorithm
      assert equal ("massage" | do $verify) false $algorithm
    }
  }
}

export def "test speed times three operations on two backends" [] {
  let rows = pqsig speed ML-DSA-65 --duration 100ms --trials 2
  assert equal ($rows | select backend operation | uniq | length) 6
  assert ($rows | all { $in.mean > 0sec and $in.ops_per_second > 0 and $in.rounds > 0 })
}
