# Encrypted keys: the passphrase comes from the environment variable that is named.

use lib.nu *

$env.PASS = 'correct horse battery staple'
$env.WRONG = 'incorrect'
$env.EMPTY = ''
$env.NUMBER = 7
let wrong: any = [1]

for algorithm in [ML-DSA-44 SLH-DSA-SHA2-128f Ed25519] {
    let key = pqsig keygen $algorithm --encrypt --passphrase-env PASS
    check ($key.private_key =~ 'BEGIN ENCRYPTED PRIVATE KEY') $"($algorithm): it is encrypted"
    let signature = 'msg' | pqsig sign $key --passphrase-env PASS
    check ('msg' | pqsig verify $key $signature) $"($algorithm): verifying needs no passphrase"
    check ('msg' | pqsig verify $key.private_key $signature --passphrase-env PASS) $"($algorithm): unless the key is encrypted"
    check ((pqsig public-key $key.private_key --passphrase-env PASS) == $key.public_key) $"($algorithm): the public half"

    let closed = pqsig inspect $key.private_key
    check ($closed.kind == 'encrypted private key') $"($algorithm): without the passphrase, that much is known"
    check ($closed.encryption =~ 'AES-256-CBC' and $closed.fingerprint == null) 'and how it is encrypted'
    let open = pqsig inspect $key.private_key --passphrase-env PASS
    check ($open.algorithm == $algorithm and $open.fingerprint == $key.fingerprint) 'with it, everything'

    refuses-with-help pqsig::passphrase_missing '$key' 'passphrase-env' { 'msg' | pqsig sign $key }
    refuses pqsig::passphrase_wrong '--passphrase-env WRONG' { 'msg' | pqsig sign $key --passphrase-env WRONG }
    refuses pqsig::passphrase_wrong '--passphrase-env WRONG' { pqsig inspect $key.private_key --passphrase-env WRONG }
    refuses pqsig::passphrase_unavailable '--passphrase-env NONESUCH' { 'msg' | pqsig sign $key --passphrase-env NONESUCH }
    refuses pqsig::passphrase_unavailable '--passphrase-env NUMBER' { 'msg' | pqsig sign $key --passphrase-env NUMBER }
}

# --passphrase-env alone means --encrypt.
let key = pqsig keygen Ed25519 --passphrase-env PASS --out key.pem
check ((open --raw key.pem) =~ 'ENCRYPTED') '--passphrase-env encrypts'
check ((ls -l key.pem | get 0.mode) == 'rw-------') 'and it is private all the same'
check ('m' | pqsig verify key.pem.pub ('m' | pqsig sign key.pem --passphrase-env PASS)) 'the files work'
refuses pqsig::passphrase_unavailable '--passphrase-env EMPTY' { pqsig keygen Ed25519 --passphrase-env EMPTY }
refuses pqsig::argument_type '--passphrase-env $wrong' { pqsig keygen Ed25519 --passphrase-env $wrong }
# A key that is not encrypted needs none, and the variable is not looked at.
let plain = pqsig keygen Ed25519
check ('m' | pqsig verify $plain ('m' | pqsig sign $plain --passphrase-env NONESUCH)) 'a passphrase too many does no harm'
finish
