# What the test scripts share. Every check is counted, and each script ends with the number, which the Rust side knows:
# a check that is skipped unnoticed changes it.

# Fails with these words unless the condition holds.
export def --env check [holds: bool, what: string]: nothing -> nothing {
    if not $holds { error make --unspanned { msg: $"does not hold: ($what)" } }
    $env.CHECKS = ($env.CHECKS? | default 0) + 1
}

# The block must fail with this error code, pointing at this piece of the script, with a help line.
export def --env refuses [code: string, at: string, block: closure]: nothing -> nothing {
    let error = try { do $block; null } catch {|error| $error }
    if $error == null { error make --unspanned { msg: $"($at): should have failed with ($code)" } }
    let details = $error.details? | default { code: null }
    let context = $"($at): ($error.rendered)"
    check ($details.code == $code) $"($details.code) is ($code) for ($context)"
    let span = $details.labels.0.span
    check ((view span $span.start $span.end) == $at) $"the label is at `($at)` for ($context)"
    check ($details.msg =~ '^[A-Z/$`-]|^mu ') $"the message is a headline for ($context)"
}

# The same, and the help line must match.
export def --env refuses-with-help [code: string, at: string, help: string, block: closure]: nothing -> nothing {
    refuses $code $at $block
    let help_line = try { do $block; '' } catch {|error| $error.details.help | default '' }
    check ($help_line =~ $help) $"($help_line) says ($help)"
}

# The number of checks, as the last line.
export def finish []: nothing -> string { $"($env.CHECKS) checks" }

# The bytes with one bit of the byte at this position flipped.
export def flip [position: int]: binary -> binary {
    let bytes = $in
    let byte = $bytes | bytes at $position..$position | into int
    let flipped = ($byte | bits xor 1 | into binary | bytes at 0..0)
    $bytes | bytes at 0..<$position | bytes build $in $flipped ($bytes | bytes at ($position + 1)..)
}

# The names of the backends that have the algorithm, the fastest first.
export def backends-of [algorithm: string]: nothing -> list<string> {
    pqsig algorithms | where name == $algorithm | get 0.backends
}
