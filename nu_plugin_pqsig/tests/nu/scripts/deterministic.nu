# One seed, one message, one signature: whichever backend makes it.

use lib.nu *

let results = pqsig algorithms | par-each {|row|
    let n = match [$row.family $row.signature] {
        [SLH-DSA 7856b] | [SLH-DSA 17088b] => 16
        [SLH-DSA 16224b] | [SLH-DSA 35664b] => 24
        [SLH-DSA _] => 32
        _ => null
    }
    let seed = if $n == null { 1..32 } else { 1..(3 * $n) } | each { '5e' } | str join
    $row.backends | each {|backend|
        let key = pqsig keygen $row.name --seed $seed --backend $backend
        {
            algorithm: $row.name
            fingerprint: $key.fingerprint
            private_key: ($key.private_key | hash sha256)
            signature: ('msg' | pqsig sign $key --deterministic --backend $backend)
            size: $row.signature
        }
    }
} | flatten

for result in $results {
    check (($result.signature | bytes length | into filesize) == $result.size) $"($result.algorithm) has the table's size"
}
for group in ($results | group-by algorithm --to-table) {
    check (($group.items | length) == (backends-of $group.algorithm | length)) $"($group.algorithm) was made by all"
    for column in [fingerprint private_key signature] {
        check (($group.items | get $column | uniq | length) == 1) $"($group.algorithm) has one ($column)"
    }
}
check (($results | group-by algorithm | columns | length) == 16) 'all algorithms were there'

# Hedged signatures differ.
for algorithm in [ML-DSA-44 SLH-DSA-SHA2-128f] {
    let key = pqsig keygen $algorithm
    for backend in (backends-of $algorithm) {
        let signatures = ['msg' 'msg'] | pqsig sign $key --backend $backend
        check ($signatures.0 != $signatures.1) $"($algorithm) by ($backend) is hedged"
    }
}
finish
