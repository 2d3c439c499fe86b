# KEY in each of its forms, and what is made of keys: files, seeds, encodings, certificates.

use lib.nu *

def works [private: any, public: any, what: string]: nothing -> bool {
    $what | pqsig verify $public ($what | pqsig sign $private)
}

def der []: string -> binary { lines | where $it !~ '-----' | str join | decode base64 }

# Every form of KEY, for one algorithm of each family.
for algorithm in [ML-DSA-44 SLH-DSA-SHA2-128f Ed25519] {
    let key = pqsig keygen $algorithm
    mkdir keys
    $key.private_key | save --force keys/key.pem
    $key.public_key | save --force keys/key.pem.pub
    $key.private_key | der | save --force keys/key.der
    $key.public_key | der | save --force keys/key.der.pub

    check (works $key $key 'a record') $"($algorithm): a record"
    check (works $key.private_key $key.public_key 'PEM') $"($algorithm): PEM"
    check (works $"\n  ($key.private_key)" $"a note\n($key.public_key)\n\n" 'PEM with text') $"($algorithm): PEM with text"
    check (works ($key.private_key | der) ($key.public_key | der) 'DER') $"($algorithm): DER"
    check (works ($key.private_key | encode utf-8) ($key.public_key | encode utf-8) 'binary PEM') $"($algorithm): binary PEM"
    check (works keys/key.pem keys/key.pem.pub 'relative paths') $"($algorithm): relative paths"
    check (works ('keys/key.pem' | path expand) ('keys/key.pem.pub' | path expand) 'absolute paths') $"($algorithm): absolute paths"
    check (works keys/key.der keys/key.der.pub 'DER files') $"($algorithm): DER files"
    check (works $key $key.private_key 'the private key verifies') $"($algorithm): the private key verifies"
    check (works $key ($key | reject public_key) 'a record without the public key') $"($algorithm): a record without the public key"
    check (works $key ($key | reject private_key) 'a record without the private key') $"($algorithm): a record without the private key"
    # Against the shell's folder, not the plugin's.
    check (do { cd keys; works key.pem key.pem.pub 'another folder' }) $"($algorithm): another folder"
    check (do { cd keys; works ../keys/key.pem ./key.pem.pub 'dots' }) $"($algorithm): dots"
    # HOME is this folder. Nushell expands a bare word, and the plugin what is in quotes.
    check (works ~/keys/key.pem ~/keys/key.pem.pub 'the home folder') $"($algorithm): the home folder"
    check (works '~/keys/key.pem' '~/keys/key.pem.pub' 'in quotes') $"($algorithm): the home folder in quotes"
    check (('msg' | pqsig sign keys/key.pem -d | pqsig inspect | get kind) in [signature 'raw bytes']) 'a signature is inspected'

    # A look at keys and signatures that the pipeline brings, byte for byte.
    check ((open --raw keys/key.pem | pqsig inspect).fingerprint == $key.fingerprint) $"($algorithm): a file is inspected"
    check ((^cat keys/key.der.pub | pqsig inspect).kind == 'public key') $"($algorithm): a program's output is inspected"
    check (($key | pqsig inspect).kind == 'private key') $"($algorithm): a record is inspected"
    check ((^printf 'line\n' | pqsig inspect).size == 5b) 'with its line end'

    # The same key in every form that it can be written in.
    let seed = 1..({ML-DSA-44: 32 SLH-DSA-SHA2-128f: 48 Ed25519: 32} | get $algorithm) | each { 'a5' } | str join
    let forms = (pqsig inspect $key).forms
    let written = $forms | each {|form| pqsig keygen $algorithm --seed $seed --format $form }
    check (($written.fingerprint | uniq | length) == 1) $"($algorithm): one key in all forms"
    let signatures = $written | each {|key| 'msg' | pqsig sign $key --deterministic }
    check (($signatures | uniq | length) == 1) $"($algorithm): all forms sign alike"
    check (($forms | length) == ($written | each {|key| pqsig inspect $key.private_key | get form } | uniq | length)) $"($algorithm): the forms differ"
    for form in $forms {
        for backend in (backends-of $algorithm) {
            let key = pqsig keygen $algorithm --seed $seed --format $form --backend $backend
            check (works $key $key $form) $"($algorithm): ($form) by ($backend)"
        }
    }
    check ((pqsig keygen $algorithm --seed ($seed | decode hex)).fingerprint == $written.0.fingerprint) 'a binary seed'
    check ((pqsig keygen $algorithm --seed ($seed | str uppercase)).fingerprint == $written.0.fingerprint) 'a seed in capitals'
    check ((pqsig public-key $key.private_key) == $key.public_key) $"($algorithm): the public half"
    check ((pqsig public-key keys/key.der) == $key.public_key) $"($algorithm): the public half of a DER file"
    check ((pqsig inspect $key).fingerprint == ($key.public_key | der | hash sha256)) $"($algorithm): the fingerprint is SHA-256 of the DER"
}

# Names of the algorithm: any case, with or without dashes, the OID.
for name in [ml-dsa-44 mldsa44 ML_DSA_44 id-ml-dsa-44 2.16.840.1.101.3.4.3.17] {
    check ((pqsig keygen $name).algorithm == ML-DSA-44) $"($name) is ML-DSA-44"
}

# Files.
let key = pqsig keygen ML-DSA-65 --out written.pem
check ((ls -l written.pem | get 0.mode) == 'rw-------') 'the private key is for its owner alone'
check ((ls -l written.pem.pub | get 0.mode) starts-with 'rw-') 'the public key is there'
check ($key.private_key == ('written.pem' | path expand)) 'the record holds the path'
check ($key.public_key == ('written.pem.pub' | path expand)) 'of both files'
check ((open --raw written.pem.pub) == (pqsig public-key written.pem)) 'the files belong together'
check ($key.fingerprint == (pqsig inspect written.pem).fingerprint) 'the fingerprint is the key’s'
check (works $key $key 'a record of paths') 'a record of paths is a key'
let other = pqsig keygen ML-DSA-44 --out written.pem --force
check ((pqsig inspect written.pem).algorithm == ML-DSA-44) '--force overwrites'
check ((pqsig inspect written.pem.pub).algorithm == ML-DSA-44) 'both'
check ((ls -l written.pem | get 0.mode) == 'rw-------') 'and keeps it private'
check ((ls --all | where name =~ '^\.pqsig' | length) == 0) 'no temporary file stays'
cd keys
pqsig keygen Ed25519 --out here.pem | ignore
check ('here.pem' | path exists) '--out is resolved against the shell’s folder'
cd ..
finish
