#!/usr/bin/env nu
# Makes the pack of this folder from NIST's whole files. README.md says what is chosen.

const SETS = [
    ML-DSA-keyGen-FIPS204 ML-DSA-sigGen-FIPS204 ML-DSA-sigVer-FIPS204
    SLH-DSA-keyGen-FIPS205 SLH-DSA-sigGen-FIPS205 SLH-DSA-sigVer-FIPS205
]

# The parameter sets of which every case is kept.
const WHOLE = [ML-DSA-65 SLH-DSA-SHA2-192f]

# Writes the pack, or with --check compares it with what would be written.
def main [
    folder: path = "target/acvp" # what scripts/acvp.sh has filled
    --check # write nothing; fail if a file of the pack would be another
]: nothing -> nothing {
    let here = $env.FILE_PWD
    for set in $SETS {
        let prompt = open ($folder | path join $set prompt.json)
        let expected = open ($folder | path join $set expectedResults.json)
        let groups = $prompt.testGroups | each {|group|
            let results = $expected.testGroups | where tgId == $group.tgId | first | get tests
            $group | update tests (choose $prompt.mode $group $results)
        }
        let results = $expected.testGroups | each {|group|
            let kept = $groups | where tgId == $group.tgId | first | get tests.tcId
            $group | update tests ($group.tests | where tcId in $kept | each {|test| condense $test })
        }
        let files = {
            prompt: ($prompt | update testGroups $groups)
            expectedResults: ($expected | update testGroups $results)
        }
        for file in ($files | items {|name, content| { name: $name, json: ($content | to json --indent 2) } }) {
            let path = $here | path join $set $"($file.name).json.gz"
            if $check {
                if (open --raw $path | ^gzip -dc | decode utf-8) != $file.json {
                    error make { msg: $"($path) is not what is made from ($folder)" }
                }
            } else {
                mkdir ($path | path dirname)
                # -n: without the time and the name, so that the same content gives the same bytes.
                $file.json | ^gzip -9 -n | save --raw --force $path
            }
        }
        let cases = $groups.tests | each { length } | math sum
        print $"($set): ($groups | length) groups, ($cases) cases"
    }
}

# The cases of a group that are kept.
def choose [mode: string, group: record, results: table]: nothing -> table {
    if $mode == keyGen or $group.parameterSet in $WHOLE {
        return $group.tests
    }
    let smallest_first = $group.tests | sort-by {|test| $test | to json --raw | str length } tcId
    let kept = if $mode == sigGen {
        # Of pure and pre-hashed messages one that has a context.
        $smallest_first | where ($it.context? != "") | first 1
    } else {
        let passed = $results | where testPassed | get tcId
        let valid = $smallest_first | where tcId in $passed | first 1
        # The signatures of SLH-DSA are too large for more: what is rejected is in the set that is whole.
        if ($group.parameterSet starts-with ML-DSA) {
            $valid | append ($smallest_first | where tcId not-in $passed | first 1)
        } else {
            $valid
        }
    }
    $kept | sort-by tcId
}

# An expected result with digests in place of long bytes.
def condense [test: record]: nothing -> record {
    $test | items {|field, value|
        if $field in [pk sk signature] and ($value | str length) > 256 {
            { $"($field)Sha256": ($value | decode hex | hash sha256) }
        } else {
            { $field: $value }
        }
    } | into record
}
