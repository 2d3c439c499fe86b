# Cross-checking: what is in the tables, whom one can ask, and how a disagreement shows. The verdicts themselves are
# tested with the library.

use lib.nu *

let columns = [algorithm check backend findings accepted rejected wrong failed known unsupported open lineage]
let checks = [public-keys signatures key-forms exchange hostile hostile-keys]

# A row per algorithm, check and backend.
let table = pqsig interop Ed25519 --quick --no-vectors
let knowing = backends-of Ed25519
check (($table | columns) == $columns) 'the columns'
check (($table.check | uniq) == $checks) 'the checks, in their order'
check (($table.backend | uniq | sort) == ($knowing | sort)) 'the backends that know it'
check (($table | length) == ($checks | length) * ($knowing | length)) 'a row for each'
check ($table | all {|row| $row.findings == 0 and $row.wrong == 0 and $row.failed == 0 }) 'they agree'
check ($table | where check == exchange | all {|row| $row.accepted > 0 and $row.rejected == 0 }) 'valid ones'
check ($table | where check == hostile | all {|row| $row.rejected > 0 }) 'invalid ones'
check (($table.lineage | uniq | length) > 1) 'of different descent'

# Who and what.
def ask [...rest: string]: nothing -> table { pqsig interop ...$rest --backend [openssl rustcrypto] --no-vectors }
check ((ask Ed25519 ed25519 | get algorithm | uniq) == [Ed25519]) 'each of them once'
check ((ask Ed25519 | get backend | uniq) == [rustcrypto openssl] or (ask Ed25519 | get backend | uniq) == [openssl rustcrypto]) 'a list of backends'
check ((pqsig interop Ed25519 --backend openssl --no-vectors | get backend | uniq) == [openssl]) 'one backend'
let vectors = pqsig interop Ed25519 --backend openssl | where check == vectors
check (($vectors.0.accepted) >= 151) 'the vectors'

# The same with a column per backend.
let wide = pqsig interop Ed25519 --backend [openssl rustcrypto] --no-vectors --wide
check (($wide | columns | sort) == [algorithm check openssl rustcrypto]) 'a column per backend'
check ($wide | where check == exchange | get openssl.0 | $in =~ '^\+\d+$') 'counts in short'

# Saved runs.
mkdir work
cd work
check ((pqsig interop Ed25519 --backend openssl --no-vectors --check --out run.json | length) == ($checks | length)) 'no disagreement'
check ((open run.json | get schema) == 'pqsig-interop-run/1') 'the run is saved in the working folder of the shell'
check ((open run.json | get peers.0.artifacts.0.sha256 | str length) == 64) 'bound to what ran'
refuses-with-help pqsig::file_exists '--out run.json' '--force' { pqsig interop Ed25519 --backend openssl --no-vectors --out run.json }
check (pqsig interop Ed25519 --backend openssl --no-vectors --out run.json --force | is-not-empty) 'unless forced'

# An adapter that does not start is a row that says so; with --check it is an error.
let skipped = pqsig interop Ed25519 --backend openssl --no-vectors --adapter mine=no-such-program-here
check (($skipped | last | get backend) == mine and ($skipped | last | get notes) =~ 'skipped: .*no-such-program-here') 'a note'
check ($skipped | drop 1 | all {|row| $row.notes == null }) 'on that row only'
refuses pqsig::disagreement '--check' { pqsig interop Ed25519 --backend openssl --no-vectors --adapter mine=no-such-program-here --check }

# An adapter that calls every signature valid is the outlier.
'
def main []: string -> nothing {
    lines | each {|line|
        let request = $line | from json
        let reply = if $request.op == hello {
            let ability = {operations: [verify], keys: ["raw:public"]}
            {protocol: 1, name: yes, version: "1", lineage: yes, artifacts: [], algorithms: {Ed25519: $ability}}
        } else {
            {valid: true}
        }
        print ({id: $request.id} | merge $reply | to json --raw)
    } | ignore
}
' | save yes.nu
let yes_adapter = $"yes='($nu.current-exe)' --no-config-file --stdin yes.nu"
let yes = pqsig interop Ed25519 --backend [openssl rustcrypto] --no-vectors --adapter $yes_adapter --reproducers found
let row = $yes | where backend == yes and check == hostile | first
check ($row.wrong > 0 and $row.findings == $row.wrong and $row.rejected == 0) 'it is the outlier'
check ($yes | where backend != yes | all {|row| $row.findings == 0 }) 'and nobody else is'
let findings = pqsig interop Ed25519 --backend [openssl rustcrypto] --no-vectors --adapter [$yes_adapter] --findings
check (($findings.outliers | uniq) == [[yes]]) 'the findings name it'
check ($findings | all {|finding| $finding.votes | any {|vote| $vote.answer == accepted and yes in $vote.backends } }) 'with the votes'
check ((ls found | length) > 0 and (open (ls found | get name.0) | get schema) == 'pqsig-interop-case/1') 'reproducers'
refuses pqsig::disagreement '--check' { pqsig interop Ed25519 --backend openssl --no-vectors --adapter $yes_adapter --check }

# The same, where that is known: it is reported, and no finding.
let deviations = $findings | each {|finding|
    {peer: yes, version: '1', check: $finding.check, case: $finding.case, why: 'it calls everything valid'}
} | uniq
{schema: 'pqsig-interop-known/1', deviations: $deviations} | save known.json
let known = pqsig interop Ed25519 --backend [openssl rustcrypto] --no-vectors --adapter $yes_adapter --known known.json --check
check ($known | all {|row| $row.findings == 0 and $row.wrong == 0 }) 'no finding'
check (($known.known | math sum) == ($findings | length)) 'but counted'
refuses pqsig::file '--known yes.nu' { pqsig interop Ed25519 --known yes.nu }

# Misuse.
refuses pqsig::unknown_algorithm 'ML-DSA-56' { pqsig interop ML-DSA-56 }
refuses pqsig::unknown_backend '--backend opensssl' { pqsig interop Ed25519 --backend opensssl }
refuses-with-help pqsig::adapter '--adapter mine' 'mine=' { pqsig interop Ed25519 --adapter mine }
refuses pqsig::duplicate_name '--adapter [a=x a=y]' { pqsig interop Ed25519 --adapter [a=x a=y] }
refuses pqsig::adapters '--adapters no/such' { pqsig interop Ed25519 --adapters no/such }
refuses pqsig::conflict '--full' { pqsig interop Ed25519 --quick --full }
refuses pqsig::conflict '--wide' { pqsig interop Ed25519 --wide --findings }
refuses pqsig::out_of_range '--timeout 0sec' { pqsig interop Ed25519 --timeout 0sec }
let five: any = 5
refuses pqsig::argument_type '--timeout $five' { pqsig interop Ed25519 --timeout $five }
finish
