# A folder of its own for a test of a shell script, with stubs of what the script would call.

# The folder with the scripts.
export const scripts = path self ../..

# What the scripts use of a POSIX system; a folder of links to these is a machine without any compiler.
const utilities = [
  awk cat chmod cksum cp dirname getconf grep head mkdir mktemp mv rm rmdir sed sh sleep tail tar tr uname
]

# A command that answers as openssl does, as far as openssl-cli.sh asks.
export def openssl-stub [
  version: string
  algorithms: string = "ML-DSA-65 SLH-DSA-SHA2-128f ED25519"
]: nothing -> string {
  $"case $1 in version\) echo '($version)' ;; list\) echo '($algorithms)' ;; esac"
}

export const openssl_ok = "OpenSSL 3.6.3 9 Jun 2026 (Library: OpenSSL 3.6.3 9 Jun 2026)"

# Run `commands` with a folder of its own, and remove that whatever happens.
export def in-sandbox [commands: closure]: nothing -> any {
  let sandbox = mktemp --directory --tmpdir "pqsig scripts.XXXXXX"
  mkdir ($sandbox | path join bin)
  try {
    do $commands $sandbox
  } catch {|error|
    rm --recursive --force $sandbox
    error make --unspanned {msg: $error.rendered}
  }
  rm --recursive --force $sandbox
}

# An executable shell script in the sandbox's bin.
export def stub [sandbox: path, name: string, text: string]: nothing -> path {
  let file = $sandbox | path join bin $name
  $"#!/bin/sh\n($text)\n" | save --force $file
  ^chmod +x $file
  $file
}

# Run a script with the sandbox as target folder and its bin first on PATH; with --bare, alone on PATH.
export def run-script [
  sandbox: path
  script: string
  arguments: list<string> = []
  --variables: record = {} # further environment variables
  --bare # only the stubs and the POSIX utilities are on PATH
]: nothing -> record<stdout: string, stderr: string, exit_code: int> {
  let bin = $sandbox | path join bin
  let sh = which sh | first | get path
  let path = if $bare {
    let posix = $sandbox | path join posix
    mkdir $posix
    # All, since Nushell's own commands of these names come first.
    for utility in (which --all ...$utilities | where type == external | uniq-by command) {
      ^ln -sf $utility.path ($posix | path join $utility.command)
    }
    [$bin $posix]
  } else {
    [$bin] ++ $env.PATH
  }
  let target = $sandbox | path join target
  let common = {PATH: $path, CARGO_TARGET_DIR: $target, PQSIG_OPENSSL: "", PQSIG_NU: "", PQSIG_BROWSER: "", CC: ""}
  with-env ($common | merge $variables) {
    cd $sandbox
    do { ^$sh ($scripts | path join $script) ...$arguments } | complete
  }
}
