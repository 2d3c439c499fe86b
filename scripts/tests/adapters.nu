# Tests of adapters.sh. The programs that it calls (node, npm, python3, cargo, openssl) are played by stubs, which
# note their calls; what the script decides, prints and leaves behind is real.

use std/assert

use support/sandbox.nu *

const names = [openssl-command noble cryptography dilithium-py pycryptodome quantus]

# A machine that has everything. What installs or builds adds a line to the file `calls`.
def complete-machine [sandbox: path]: nothing -> nothing {
  let note = $"echo \"${0##*/} $*\" >>'($sandbox)/calls'"
  stub $sandbox openssl (openssl-stub $openssl_ok)
  stub $sandbox node "echo v20.19.0"
  stub $sandbox npm $"($note); mkdir node_modules"
  python-stub $sandbox 3.10.1
  stub $sandbox cargo $note
  stub $sandbox rustc "echo rustc 9.0.0"
  stub $sandbox cc "exit 0"
  null
}

# A python3 whose environments hold a stub in their turn.
def python-stub [
  sandbox: path
  version: string
  --install: string = "exit 0" # what pip does
]: nothing -> nothing {
  stub $sandbox python3 $"
    case \"$*\" in
      '-c import sys;'*\) echo ($version) ;;
      '-c import venv'*\) exit 0 ;;
      '-m venv '*\) mkdir -p \"$3/bin\" && cp \"$0\" \"$3/bin/python\" ;;
      '-I -m pip install '*\) echo \"pip $*\" >>'($sandbox)/calls'; ($install) ;;
      *\) exit 9 ;;
    esac"
  null
}

def calls [sandbox: path]: nothing -> list<string> {
  let file = $sandbox | path join calls
  if ($file | path exists) { open --raw $file | lines } else { [] }
}

def recipe [sandbox: path, name: string]: nothing -> path {
  $sandbox | path join target adapters $name recipe
}

# The line that the script prints about one adapter.
def line-of [answer: record, name: string]: nothing -> string {
  $answer.stdout | lines | where ($it starts-with $"($name): ") | first
}

export def "test adapters sets up every adapter once, from the files that pin it" [] {
  in-sandbox {|sandbox|
    complete-machine $sandbox
    let first = run-script $sandbox adapters.sh --bare
    assert equal $first.exit_code 0 $first.stderr
    assert equal ($first.stdout | lines) (($names | each { $"($in): ready" }) ++ ["adapters: 6 ready, 0 skipped"])
    let done = calls $sandbox
    assert equal ($done | each { split row " " | first }) [npm pip pip pip cargo]
    assert str contains $done.0 "npm ci --ignore-scripts"
    for pip in ($done | slice 1..3) {
      assert str contains $pip "--only-binary :all: --require-hashes"
    }
    assert str contains $done.4 "--locked"
    let noble = $sandbox | path join target adapters noble
    assert (($noble | path join node_modules | path type) == "dir")
    assert equal (open --raw ($noble | path join package-lock.json)) (
      open --raw ($scripts | path join .. interop adapters noble package-lock.json)
    )

    let second = run-script $sandbox adapters.sh --bare
    assert equal $second.stdout $first.stdout
    assert equal $second.stderr "" "a second run has nothing to say"
    assert equal (calls $sandbox) $done "and does nothing"

    # What was set up by other pins or another interpreter, and nothing else, is set up anew.
    "of other pins" | save --force (recipe $sandbox pycryptodome)
    stub $sandbox node "echo v22.0.0"
    let third = run-script $sandbox adapters.sh --bare
    assert equal $third.stdout $first.stdout
    assert equal (calls $sandbox | skip 5 | each { split row " " | first }) [npm pip]
    assert equal (glob ($sandbox | path join target adapters "*.lock")) []
  }
}

export def "test adapters says in one line each what this machine lacks, and goes on" [] {
  in-sandbox {|sandbox|
    let answer = run-script $sandbox adapters.sh --bare
    assert equal $answer.exit_code 0
    assert equal ($answer.stdout | lines | length) 7
    assert equal ($answer.stdout | lines | last) "adapters: 0 ready, 6 skipped"
    for name in $names {
      assert ((line-of $answer $name) starts-with $"($name): skipped: ") $name
    }
    assert str contains (line-of $answer noble) "no node: Node.js 20.19 or newer is needed"
    assert str contains (line-of $answer cryptography) "no python3"
    assert str contains (line-of $answer quantus) "cargo: not found"
  }
}

export def "test adapters passes over what is too old or not whole" [] {
  in-sandbox {|sandbox|
    complete-machine $sandbox
    stub $sandbox node "echo v20.9.0"
    python-stub $sandbox 3.9.19
    stub $sandbox rustc "echo rustc 1.80.1"
    let answer = run-script $sandbox adapters.sh --bare
    assert equal $answer.exit_code 0
    assert str contains (line-of $answer noble) "node is v20.9.0: 20.19 or newer is needed"
    assert str contains (line-of $answer dilithium-py) "python3 is 3.9.19: 3.10 or newer is needed"
    assert str contains (line-of $answer quantus) "rustc: 1.80.1 found"
    assert equal (calls $sandbox) []

    stub $sandbox python3 "case \"$*\" in *'import sys'*) echo 3.12.3 ;; *) exit 1 ;; esac"
    let answer = run-script $sandbox adapters.sh --bare
    assert str contains (line-of $answer dilithium-py) "apt-get install python3-venv"
  }
}

export def "test adapters names why an installation failed, and tries again the next time" [] {
  in-sandbox {|sandbox|
    complete-machine $sandbox
    let words = "echo 'WARNING: retrying'; echo 'ERROR: No matching distribution found for six'; exit 1"
    python-stub $sandbox 3.11.0 --install $words
    stub $sandbox npm "echo 'npm error code ENOTFOUND'; echo 'npm error network request failed'; exit 1"
    let answer = run-script $sandbox adapters.sh --bare
    assert equal $answer.exit_code 0
    assert equal ($answer.stdout | lines | last) "adapters: 2 ready, 4 skipped"
    let noble = line-of $answer noble
    assert str contains $noble "npm failed: npm error network request failed (log: "
    assert str contains (line-of $answer cryptography) "No matching distribution found for six"
    let log = $noble | parse "{_}(log: {path})" | first | get path
    assert str contains (open --raw $log) "ENOTFOUND"
    for name in [noble cryptography] {
      assert equal (recipe $sandbox $name | path exists) false
    }
    assert equal (glob ($sandbox | path join target adapters "*.lock")) []

    complete-machine $sandbox
    let again = run-script $sandbox adapters.sh --bare
    assert equal ($again.stdout | lines | last) "adapters: 6 ready, 0 skipped"
  }
}

export def "test adapters with --require fails if one of those is skipped, and only then" [] {
  in-sandbox {|sandbox|
    complete-machine $sandbox
    stub $sandbox node "echo v18.20.0"
    let others = run-script $sandbox adapters.sh [--require cryptography dilithium-py] --bare
    assert equal $others.exit_code 0 $others.stderr
    let answer = run-script $sandbox adapters.sh [--require cryptography noble] --bare
    assert equal $answer.exit_code 1
    assert str contains $answer.stderr "required, but skipped: noble\n"
    assert equal ($answer.stdout | lines | last) "adapters: 5 ready, 1 skipped"
  }
}

export def "test adapters refuses to require what it does not know, before it does anything" [] {
  in-sandbox {|sandbox|
    complete-machine $sandbox
    let unknown = run-script $sandbox adapters.sh [--require noble nobel] --bare
    assert equal $unknown.exit_code 2
    assert equal $unknown.stdout ""
    assert str contains $unknown.stderr "there is no adapter nobel: there are openssl-command noble"
    let nothing = run-script $sandbox adapters.sh [--require] --bare
    assert equal $nothing.exit_code 2
    assert str contains $nothing.stderr "usage:"
    assert equal (calls $sandbox) []
  }
}
