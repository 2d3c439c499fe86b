# Bad input: a clear error at the argument at fault, or false. The plugin lives on through all of it.

use lib.nu *

let process = { plugin list | where name == pqsig | get 0.pid }
let key = pqsig keygen ML-DSA-65
let signature = 'msg' | pqsig sign $key
let before = do $process
# Nushell's parser refuses literals of a wrong type by itself, but not variables.
let wrong: any = [[1]]

# Unknown algorithms: near names are offered.
refuses-with-help pqsig::unknown_algorithm ML-DSA-56 'ML-DSA-65' { pqsig keygen ML-DSA-56 }
refuses-with-help pqsig::unknown_algorithm slhdsa128f 'SLH-DSA-.*128f' { pqsig keygen slhdsa128f }
refuses-with-help pqsig::unknown_algorithm RSA 'pqsig algorithms' { pqsig keygen RSA }
refuses pqsig::unknown_algorithm "''" { pqsig keygen '' }
refuses-with-help pqsig::unknown_algorithm ML-DSA-66 'ML-DSA-65' { pqsig speed ML-DSA-65 ML-DSA-66 }
refuses pqsig::argument_type '$wrong' { pqsig keygen $wrong }

# A backend that isn't there.
refuses-with-help pqsig::unknown_backend '--backend opensll' 'rustcrypto, openssl' { 'm' | pqsig sign $key --backend opensll }
refuses pqsig::unknown_backend '--backend nonesuch' { pqsig keygen ML-DSA-44 --backend nonesuch }
refuses pqsig::unknown_backend nonesuch { pqsig speed ML-DSA-44 --backend [openssl nonesuch] }
refuses pqsig::unknown_backend nonesuch { pqsig backends nonesuch }
# A backend that is there, and can't do it, names those that can.
refuses-with-help pqsig::unsupported '--backend fips205' 'rustcrypto, openssl, aws-lc, libcrux, fips204$' { 'm' | pqsig sign $key --backend fips205 }
refuses-with-help pqsig::unsupported '--backend libcrux' 'rustcrypto, openssl, fips205$' { pqsig keygen SLH-DSA-SHA2-128f --backend libcrux }
refuses-with-help pqsig::unsupported '--backend fips204' 'rustcrypto, openssl, aws-lc$' { pqsig keygen Ed25519 --backend fips204 }
refuses-with-help pqsig::unsupported '--backend libcrux' 'rustcrypto, openssl, aws-lc, fips204$' { random binary 64 | pqsig sign $key --mu --backend libcrux }
refuses pqsig::speed::nothing_to_time 'pqsig speed' { pqsig speed Ed25519 --backend fips205 }
refuses pqsig::backend_unavailable '--backend openssl:nonesuch' { 'm' | pqsig verify $key $signature --backend openssl:nonesuch }

# The wrong key.
refuses-with-help pqsig::wrong_kind '$key.public_key' 'private key' { 'm' | pqsig sign $key.public_key }
let public_half = $key | reject private_key
refuses pqsig::wrong_kind '$public_half' { 'm' | pqsig sign $public_half }
check (('msg' | pqsig verify (pqsig keygen ML-DSA-65) $signature) == false) 'another key is false'
check (('msg' | pqsig verify (pqsig keygen ML-DSA-44) $signature) == false) 'a key of another set is false'
check (('msg' | pqsig verify (pqsig keygen Ed25519) $signature) == false) 'a key of another family is false'
refuses pqsig::key '{fingerprint: 1}' { 'm' | pqsig sign {fingerprint: 1} }
refuses pqsig::key "''" { 'm' | pqsig sign '' }
refuses pqsig::argument_type '$wrong' { 'm' | pqsig sign $wrong }
refuses pqsig::argument_type '$wrong' { 'm' | pqsig verify $wrong $signature }

# Truncated keys, and keys with something behind them.
let pem = $key.private_key
let cut = $pem | str substring 0..<2000
let broken = $pem | str replace --regex '\n[^\n]{64}\n' "\n"
let trailing = $pem + 'trailing'
let no_end = $pem | str replace --regex '-----END[^\n]*' ''
for text in [$cut $broken $trailing $no_end] {
    refuses pqsig::malformed '$text' { 'm' | pqsig sign $text }
    refuses pqsig::malformed '$text' { 'm' | pqsig verify $text $signature }
    refuses pqsig::malformed '$text' { pqsig public-key $text }
}
let der = $key.private_key | lines | where $it !~ '-----' | str join | decode base64
check (('msg' | pqsig sign $der | describe) == binary) 'whole DER is a key'
let shorter = $der | bytes at 0..<(($der | bytes length) - 1)
let longer = bytes build $der 0x[00]
let nothing = 0x[]
refuses pqsig::malformed '$shorter' { 'm' | pqsig sign $shorter }
refuses pqsig::malformed '$longer' { 'm' | pqsig sign $longer }
refuses pqsig::malformed '$nothing' { 'm' | pqsig sign $nothing }
let swapped = $der | flip 60
refuses pqsig::key_inconsistent '$swapped' { 'm' | pqsig sign $swapped }

# A signature of any wrong length is false, on every backend; what is no signature at all is an error.
for backend in (backends-of ML-DSA-65) {
    for length in [0 1 63 64 3308 3310 49856 100000] {
        let wrong = if $length == 0 { 0x[] } else { random binary $length }
        check (('msg' | pqsig verify $key $wrong --backend $backend) == false) $"($length) bytes are false by ($backend)"
    }
}
refuses pqsig::file nowhere.sig { 'msg' | pqsig verify $key nowhere.sig }
refuses pqsig::signature "''" { 'msg' | pqsig verify $key '' }
refuses pqsig::signature_count '$wrong' { 'msg' | pqsig verify $key $wrong }
refuses pqsig::no_signature 'pqsig verify' { 'msg' | pqsig verify $key }
refuses pqsig::signature_count '[$signature]' { ['msg' 'msg'] | pqsig verify $key [$signature] }
refuses pqsig::signature_count '[$signature]' { 'msg' | pqsig verify $key [$signature] }
refuses pqsig::argument_type '$signature' { ['msg'] | pqsig verify $key $signature }
refuses pqsig::missing_column '{message: a}' { [{message: a}] | pqsig verify $key }
refuses pqsig::conflict '$signature' { {message: a, signature: $signature} | pqsig verify $key $signature }

# The context.
let long = 1..256 | each { 'c' } | str join
let longest = $long | str substring 0..<255
check ('msg' | pqsig verify $key ('msg' | pqsig sign $key --context $longest) --context $longest) '255 bytes are a context'
refuses pqsig::context_too_long '--context $long' { 'msg' | pqsig sign $key --context $long }
refuses pqsig::context_too_long '--context $long' { 'msg' | pqsig verify $key $signature --context $long }
refuses pqsig::context_too_long '-c (random binary 256)' { 'msg' | pqsig sign $key -c (random binary 256) }
let ed = pqsig keygen Ed25519
refuses-with-help pqsig::context_on_pure_ed25519 '--context ctx' 'SHA-512' { 'msg' | pqsig sign $ed --context ctx }
refuses pqsig::argument_type '--context $wrong' { 'msg' | pqsig sign $key --context $wrong }

# Mu.
for length in [0 63 65 128] {
    let mu = if $length == 0 { 0x[] } else { random binary $length }
    refuses pqsig::mu_length '$mu' { $mu | pqsig sign $key --mu }
    refuses pqsig::mu_length '$mu' { $mu | pqsig verify $key $signature --mu }
}
let mu = random binary 64
refuses pqsig::no_external_mu '--mu' { $mu | pqsig sign $ed --mu }
refuses pqsig::no_external_mu '--mu' { $mu | pqsig sign (pqsig keygen SLH-DSA-SHA2-128f) --mu }
refuses pqsig::conflict '--context c' { $mu | pqsig sign $key --mu --context c }
refuses pqsig::conflict '--prehash SHA-512' { $mu | pqsig sign $key --mu --prehash SHA-512 }

# Hashes.
refuses-with-help pqsig::hash_too_weak '--prehash SHA-256' 'SHA-384' { 'msg' | pqsig sign $key --prehash SHA-256 }
refuses-with-help pqsig::hash_not_defined '--prehash SHA-256' 'SHA-512' { 'msg' | pqsig sign $ed --prehash SHA-256 }
refuses-with-help pqsig::unknown_hash '--prehash SHA-265' 'SHA-256' { 'msg' | pqsig sign $key --prehash SHA-265 }
refuses pqsig::unknown_hash '--prehash md5' { 'msg' | pqsig sign $key --prehash md5 }

# Seeds.
let digits = 1..62 | each { '0' } | str join
refuses pqsig::seed_length '--seed $digits' { pqsig keygen ML-DSA-65 --seed $digits }
refuses pqsig::seed_length '--seed 0x[00]' { pqsig keygen Ed25519 --seed 0x[00] }
refuses pqsig::seed_length '--seed (random binary 32)' { pqsig keygen SLH-DSA-SHA2-128s --seed (random binary 32) }
refuses-with-help pqsig::seed '--seed xyz' 'two digits' { pqsig keygen Ed25519 --seed xyz }
refuses pqsig::seed '--seed abc' { pqsig keygen Ed25519 --seed abc }
refuses pqsig::seed_length "--seed ''" { pqsig keygen Ed25519 --seed '' }

# The form of a private key.
refuses pqsig::malformed '--format pkcs1' { pqsig keygen ML-DSA-65 --format pkcs1 }
refuses pqsig::form_unavailable '--format seed' { pqsig keygen SLH-DSA-SHA2-128f --format seed }
refuses pqsig::form_unavailable '--format both' { pqsig keygen Ed25519 --format both }

# Files: existing ones stay as they are, whichever of the two it is.
for existing in [taken.pem taken.pem.pub] {
    'precious' | save $existing
    refuses-with-help pqsig::file_exists '--out taken.pem' '--force' { pqsig keygen Ed25519 --out taken.pem }
    check ((glob 'taken.pem*' | length) == 1) 'nothing was written'
    check ((open --raw $existing) == 'precious') 'the file is untouched'
    rm $existing
}
refuses pqsig::file '--out nowhere/key.pem' { pqsig keygen Ed25519 --out nowhere/key.pem }
mkdir folder
refuses pqsig::file '--out folder' { pqsig keygen Ed25519 --out folder --force }
check (('folder.pub' | path exists) == false) 'half of a key was not written'
refuses-with-help pqsig::file nowhere.pem 'PEM' { 'm' | pqsig sign nowhere.pem }
refuses pqsig::file folder { 'm' | pqsig sign folder }
refuses pqsig::file folder { pqsig inspect folder }
'no key' | save no-key.pem
refuses pqsig::malformed no-key.pem { 'm' | pqsig sign no-key.pem }
'' | save empty.pem
refuses pqsig::malformed empty.pem { pqsig public-key empty.pem }

# Messages: nothing is not the empty message.
refuses-with-help pqsig::no_message 'pqsig sign' 'empty string' { pqsig sign $key }
refuses-with-help pqsig::no_message 'null' 'empty string' { null | pqsig sign $key }
refuses pqsig::no_message 'pqsig verify' { pqsig verify $key $signature }
for algorithm in [ML-DSA-44 SLH-DSA-SHA2-128f Ed25519] {
    let key = pqsig keygen $algorithm
    for backend in (backends-of $algorithm) {
        for empty in ['' 0x[]] {
            let signature = $empty | pqsig sign $key --backend $backend
            check ('' | pqsig verify $key $signature --backend $backend) $"the empty message, ($algorithm) by ($backend)"
            check (('x' | pqsig verify $key $signature --backend $backend) == false) 'and no other'
        }
        check (([] | pqsig sign $key --backend $backend) == []) 'an empty list has no signatures'
    }
}
refuses pqsig::argument_type 2 { ['one' 2] | pqsig sign $key }
refuses pqsig::argument_type '[[deep]]' { [[[deep]]] | pqsig sign $key }

# Threads.
refuses pqsig::out_of_range '--threads 0' { ['a'] | pqsig sign $key --threads 0 }
refuses pqsig::out_of_range '--threads=-1' { ['a'] | pqsig sign $key --threads=-1 }
refuses pqsig::out_of_range '-t 100000' { ['a'] | pqsig verify $key [$signature] -t 100000 }
refuses pqsig::argument_type '--threads $wrong' { ['a'] | pqsig sign $key --threads $wrong }

# Timing.
refuses pqsig::speed::zero_duration '--duration 0sec' { pqsig speed ML-DSA-65 --duration 0sec }
refuses pqsig::out_of_range '--duration=-1sec' { pqsig speed ML-DSA-65 --duration=-1sec }
refuses pqsig::speed::duration_too_long '--duration 1wk' { pqsig speed ML-DSA-65 --duration 1wk }
refuses pqsig::argument_type '--duration $wrong' { pqsig speed ML-DSA-65 --duration $wrong }
refuses pqsig::speed::zero_trials '--trials 0' { pqsig speed ML-DSA-65 --trials 0 }
refuses pqsig::out_of_range '--trials=-1' { pqsig speed ML-DSA-65 --trials=-1 }
refuses-with-help pqsig::speed::trial_out_of_range '--trial 4' '1 to 3' { pqsig speed Ed25519 --trial 4 }
refuses-with-help pqsig::speed::trial_out_of_range '--trial 0' 'only trial is 1' { pqsig speed Ed25519 --trial 0 --trials 1 }
refuses pqsig::out_of_range '--trial=-1' { pqsig speed Ed25519 --trial=-1 }
refuses pqsig::speed::message_too_long '--message-size 1gb' { pqsig speed ML-DSA-65 --message-size 1gb }
refuses pqsig::speed::context_too_long '--context-size 256' { pqsig speed ML-DSA-65 --context-size 256 }
refuses pqsig::speed::zero_threads '--threads 0' { pqsig speed ML-DSA-65 --threads 0 }
refuses-with-help pqsig::speed::unknown_operation '--operation sing' 'sign' { pqsig speed ML-DSA-65 --operation sing }
refuses pqsig::speed::no_operation '--operation []' { pqsig speed ML-DSA-65 --operation [] }
refuses pqsig::speed::no_backend '--backend []' { pqsig speed ML-DSA-65 --backend [] }
'a file' | save file
refuses pqsig::speed::log '--log file/log' { pqsig speed Ed25519 --duration 1ms --trials 1 --log file/log }

# Passphrases: there is no terminal here.
refuses-with-help pqsig::passphrase_missing '--encrypt' 'passphrase-env' { pqsig keygen Ed25519 --encrypt }
refuses pqsig::passphrase_unavailable '--passphrase-env NONESUCH' { pqsig keygen Ed25519 --passphrase-env NONESUCH }

check ((do $process) == $before) 'the plugin lives on'
check ('msg' | pqsig verify $key $signature) 'and works'
finish
