# Every algorithm, signed by every backend that has it and verified by every one.

use lib.nu *

let results = pqsig algorithms | get name | par-each {|algorithm|
    let backends = backends-of $algorithm
    let context = if $algorithm == Ed25519 { {sign: '', other: ''} } else { {sign: ctx, other: etc} }
    $backends | each {|a|
        let k = pqsig keygen $algorithm --backend $a
        let s = "msg" | pqsig sign $k.private_key --context $context.sign --backend $a
        let last = ($s | bytes length) - 1
        $backends | each {|b|
            let verify = {|signature, message, ctx| $message | pqsig verify $k.public_key $signature --context $ctx --backend $b }
            {
                what: $"($algorithm) by ($a), verified by ($b)"
                right: (do $verify $s msg $context.sign)
                message: (do $verify $s msh $context.sign)
                empty: (do $verify $s '' $context.sign)
                context: (if $algorithm == Ed25519 { false } else { do $verify $s msg $context.other })
                no_context: (if $algorithm == Ed25519 { false } else { do $verify $s msg '' })
                first_bit: (do $verify ($s | flip 0) msg $context.sign)
                last_bit: (do $verify ($s | flip $last) msg $context.sign)
                short: (do $verify ($s | bytes at 0..<$last) msg $context.sign)
                long: (do $verify (bytes build $s 0x[00]) msg $context.sign)
                none: (do $verify 0x[] msg $context.sign)
                other_key: ("msg" | pqsig verify (pqsig keygen $algorithm --backend $b) $s --context $context.sign --backend $b)
            }
        }
    }
} | flatten | flatten

for result in $results {
    check ($result.right == true) $"($result.what) is true"
    for column in ($result | columns | skip 2) {
        check (($result | get $column) == false) $"($result.what) with another ($column) is false"
    }
}
let pairs = pqsig algorithms | each {|row| ($row.backends | length) ** 2 } | math sum
check (($results | length) == $pairs) 'all pairs were there'
finish
