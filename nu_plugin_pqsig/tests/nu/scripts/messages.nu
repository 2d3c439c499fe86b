# Messages in each of their forms: strings, binary, streams, lists, tables; whole and in pieces; with and without a hash.

use lib.nu *

# The list with its first item last.
def move-first []: list<any> -> list<any> { skip 1 | append ($in | first) }

1..40000 | each { $'line ($in)' } | str join "\n" | save --raw big.txt
let big = open --raw big.txt | into binary

for algorithm in [ML-DSA-44 ML-DSA-87 SLH-DSA-SHA2-128f Ed25519] {
    let key = pqsig keygen $algorithm
    let context = if $algorithm == Ed25519 { '' } else { 'ctx' }
    for backend in (backends-of $algorithm) {
        # A stream is signed like the whole.
        let whole = $big | pqsig sign $key -d --context $context --backend $backend
        let stream = open --raw big.txt | pqsig sign $key -d --context $context --backend $backend
        check ($whole == $stream) $"($algorithm) by ($backend): a file in pieces"
        check ((^cat big.txt | pqsig sign $key -d --context $context --backend $backend) == $whole) $"($algorithm) by ($backend): an external command"
        check (open --raw big.txt | pqsig verify $key $whole --context $context --backend $backend) $"($algorithm) by ($backend): verified in pieces"
        check ((open --raw big.txt | pqsig verify $key ($whole | flip 5) --context $context --backend $backend) == false) $"($algorithm) by ($backend): rejected in pieces"

        # With a hash, too; Ed25519ph has a context.
        for hash in [SHA-512 SHA3-512 SHAKE256] {
            if $algorithm == Ed25519 and $hash != SHA-512 { continue }
            let whole = $big | pqsig sign $key -d --prehash $hash --context c --backend $backend
            check ((open --raw big.txt | pqsig sign $key -d --prehash $hash --context c --backend $backend) == $whole) $"($algorithm) by ($backend): ($hash) in pieces"
            check ($big | pqsig verify $key $whole --prehash $hash --context c --backend $backend) $"($algorithm) by ($backend): ($hash)"
            check (($big | pqsig verify $key $whole --prehash $hash --backend $backend) == false) $"($algorithm) by ($backend): ($hash) without its context"
            if $algorithm != Ed25519 {
                check (($big | pqsig verify $key $whole --context c --backend $backend) == false) $"($algorithm) by ($backend): a hash is a domain of its own"
            }
        }
    }

    # A string is its UTF-8 bytes, and a context, too.
    let signature = 'grüße' | pqsig sign $key
    check (('grüße' | encode utf-8) | pqsig verify $key $signature) $"($algorithm): a string is its bytes"
    check (not ('gruesse' | pqsig verify $key $signature)) $"($algorithm): and no others"
    if $algorithm != Ed25519 {
        let signature = 'm' | pqsig sign $key --context 'ü'
        check ('m' | pqsig verify $key $signature --context 0x[c3 bc]) $"($algorithm): a context is its bytes"
        check (('m' | pqsig sign $key -d) == ('m' | pqsig sign $key -d --context '')) $"($algorithm): no context is the empty one"
    }

    # Signatures as files.
    $signature | save --force signature.sig
    check ('grüße' | pqsig verify $key signature.sig) $"($algorithm): a signature file"
    $signature | bytes at 0..<60 | save --force short.sig
    check (('grüße' | pqsig verify $key short.sig) == false) $"($algorithm): a signature file that is too short"

    # Lists, in order, with any number of threads.
    let messages = 1..25 | each { $'message ($in)' }
    let one_by_one = $messages | each {|message| $message | pqsig sign $key -d }
    for threads in [1 2 7] {
        check (($messages | pqsig sign $key -d --threads $threads) == $one_by_one) $"($algorithm): ($threads) threads"
    }
    check (($messages | pqsig sign $key -d) == $one_by_one) $"($algorithm): all cores"
    check ((['a' 0x[62]] | pqsig sign $key -d) == (['a' 'b'] | each {|m| $m | pqsig sign $key -d })) $"($algorithm): a mixed list"
    check (($messages | pqsig verify $key $one_by_one | uniq) == [true]) $"($algorithm): a list is verified"
    let swapped = $one_by_one | move-first
    check (($messages | pqsig verify $key $swapped --threads 2 | uniq) == [false]) $"($algorithm): in the wrong order it is not"

    # Tables, and a single row.
    let table = $messages | zip $one_by_one | each {|pair| {message: $pair.0, signature: $pair.1} }
    let spoilt = $table | enumerate | each {|row| if $row.index == 7 { $row.item | update message 'another' } else { $row.item } }
    let verdicts = $spoilt | pqsig verify $key
    check (($verdicts | enumerate | where item == false | get index) == [7]) $"($algorithm): one row of a table is wrong"
    check ($table.0 | pqsig verify $key) $"($algorithm): a row"
    check (($table | insert note x | pqsig verify $key | uniq) == [true]) $"($algorithm): more columns do no harm"

    # Calls side by side.
    let concurrent = $messages | par-each --keep-order {|message| $message | pqsig sign $key -d }
    check ($concurrent == $one_by_one) $"($algorithm): par-each"
}

# Mu: what makes a pure signature of it.
let key = pqsig keygen ML-DSA-65
let der = $key.public_key | lines | where $it !~ '-----' | str join | decode base64
check (($der | bytes length) == 1974) 'a public key of 1952 bytes behind 22 of structure'
let backends = pqsig backends | where ($it.supports.ML-DSA? | default '') =~ 'external mu' | get name
for backend in $backends {
    let mu = random binary 64
    let signature = $mu | pqsig sign $key --mu -d --backend $backend
    for verifier in $backends {
        check ($mu | pqsig verify $key $signature --mu --backend $verifier) $"mu by ($backend), verified by ($verifier)"
        check (($mu | flip 63 | pqsig verify $key $signature --mu --backend $verifier) == false) 'and no other mu'
    }
    check (($mu | pqsig verify $key $signature --backend $backend) == false) 'mu is not a message'
    $mu | save --force mu.bin
    check ((open --raw mu.bin | pqsig sign $key --mu -d --backend $backend) == $signature) 'mu from a stream'
    check (([$mu] | pqsig sign $key --mu -d --backend $backend) == [$signature]) 'mu from a list'
}
finish
