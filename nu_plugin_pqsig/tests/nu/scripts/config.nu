# $env.config.plugins.pqsig: the default backend, which flags win over.

use lib.nu *

let key = pqsig keygen ML-DSA-44

$env.config.plugins.pqsig = {backend: openssl}
check ('m' | pqsig verify $key ('m' | pqsig sign $key)) 'a backend of choice'
$env.config.plugins.pqsig = {||{backend: rustcrypto}}
check ('m' | pqsig verify $key ('m' | pqsig sign $key)) 'a closure gives it'
$env.config.plugins.pqsig = {}
check ('m' | pqsig verify $key ('m' | pqsig sign $key)) 'none'
$env.config.plugins.pqsig = {backend: null}
check ('m' | pqsig verify $key ('m' | pqsig sign $key)) 'null is none'

$env.config.plugins.pqsig = {backend: nonesuch}
refuses pqsig::unknown_backend nonesuch { 'm' | pqsig sign $key }
refuses pqsig::unknown_backend nonesuch { pqsig keygen Ed25519 }
check ('m' | pqsig verify $key ('m' | pqsig sign $key --backend openssl) --backend rustcrypto) 'flags win'
check ((pqsig speed Ed25519 --duration 1ms --trials 1 | length) == 3 * (backends-of Ed25519 | length)) 'speed compares, whatever the default'
$env.config.plugins.pqsig = {backend: 7}
refuses pqsig::argument_type 7 { 'm' | pqsig sign $key }
$env.config.plugins.pqsig = {bakend: openssl}
refuses-with-help pqsig::config openssl 'backend' { 'm' | pqsig sign $key }
$env.config.plugins.pqsig = 'openssl'
refuses pqsig::argument_type "'openssl'" { 'm' | pqsig sign $key }
finish
