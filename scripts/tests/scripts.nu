# Tests of the shell scripts. The slow or foreign parts (cargo, perl, make, npm) are played by stubs, in a
# folder whose name has a blank; what the scripts decide, build, print and leave behind is real.

use std/assert

use support/sandbox.nu *

# The stubs with which openssl-cli.sh builds its openssl in no time. Each make adds a line to the file
# `builds`.
def build-stubs [sandbox: path, --make: string = ""]: nothing -> nothing {
  let crate = $sandbox | path join registry "openssl-src-300.0.0+3.6.3"
  mkdir ($crate | path join openssl apps)
  touch ($crate | path join openssl Configure)
  let packages = [
    [name, manifest_path];
    [other, /nowhere/other/Cargo.toml]
    [openssl-src, ($crate | path join Cargo.toml)]
  ]
  {packages: $packages} | to json --raw | save ($sandbox | path join metadata.json)
  stub $sandbox cargo $"
    case \"$*\" in
      'metadata --locked '*\) cat '($sandbox)/metadata.json' ;;
      *\) exit 9 ;;
    esac"
  stub $sandbox cc "exit 0"
  stub $sandbox perl "exit 0"
  $"#!/bin/sh\n(openssl-stub $openssl_ok)" | save ($sandbox | path join openssl.txt)
  let make = if $make == "" {
    $"echo built >>'($sandbox)/builds'; sleep 1; cp '($sandbox)/openssl.txt' apps/openssl; chmod +x apps/openssl"
  } else {
    $make
  }
  stub $sandbox make $make
  null
}

def builds [sandbox: path]: nothing -> int {
  open --raw ($sandbox | path join builds) | lines | length
}

def built-path [sandbox: path]: nothing -> path {
  $sandbox | path join target tools openssl bin openssl
}

# --- browser.sh ---------------------------------------------------------------------------------------------

export def "test browser takes the one that PQSIG_BROWSER names, else one on PATH" [] {
  in-sandbox {|sandbox|
    stub $sandbox my-browser "exit 0"
    let named = run-script $sandbox browser.sh --bare --variables {PQSIG_BROWSER: bin/my-browser}
    assert equal $named.stdout $"($sandbox)/bin/my-browser\n" $named.stderr
    stub $sandbox google-chrome "exit 0"
    let found = run-script $sandbox browser.sh --bare
    assert equal $found.stdout $"($sandbox)/bin/google-chrome\n" $found.stderr
    let wrong = run-script $sandbox browser.sh --bare --variables {PQSIG_BROWSER: nothing}
    assert equal [$wrong.exit_code $wrong.stdout] [1 ""]
    assert str contains $wrong.stderr "names no program: nothing"
  }
}

export def "test browser installs one only when told to" [] {
  in-sandbox {|sandbox|
    let bin = $sandbox | path join bin
    # An apt-get whose install puts the command there.
    stub $sandbox apt-get $"
      echo \"$*\" >>'($sandbox)/calls'
      case \"$*\" in
        *' install chromium'\) echo '#!/bin/sh' >'($bin)/chromium'; chmod +x '($bin)/chromium' ;;
      esac"
    let without = run-script $sandbox browser.sh --bare
    assert equal [$without.exit_code $without.stdout] [1 ""]
    assert str contains $without.stderr "no browser: install Chromium"
    assert (not ($sandbox | path join calls | path exists))
    let with = run-script $sandbox browser.sh [--install] --bare
    assert equal $with.stdout $"($bin)/chromium\n" $with.stderr
    assert equal (open --raw ($sandbox | path join calls) | lines | length) 2 "update, install"
  }
}

export def "test browser says so when the installation fails" [] {
  in-sandbox {|sandbox|
    let impossible = run-script $sandbox browser.sh [--install] --bare
    assert equal [$impossible.exit_code $impossible.stdout] [1 ""]
    assert str contains $impossible.stderr "no apt-get"
    stub $sandbox apt-get "exit 100"
    let failed = run-script $sandbox browser.sh [--install] --bare
    assert equal [$failed.exit_code $failed.stdout] [1 ""]
    assert str contains $failed.stderr "could not be installed"
  }
}

# --- openssl-cli.sh -----------------------------------------------------------------------------------------

export def "test openssl-cli prints the path of an openssl that knows the algorithms" [] {
  let answer = do { ^sh ($scripts | path join openssl-cli.sh) } | complete
  assert equal $answer.exit_code 0
  let paths = $answer.stdout | lines
  assert equal ($paths | length) 1
  let path = $paths | first
  assert equal ($path | path expand --no-symlink) $path "the path is absolute"
  let version = ^$path version | parse "OpenSSL {major}.{minor}.{rest}" | first
  let number = ($version.major | into int) * 100 + ($version.minor | into int)
  assert ($number >= 305) $"($path) is ($version)"
  let offered = ^$path list -signature-algorithms
  for algorithm in [ML-DSA-44 ML-DSA-65 ML-DSA-87 SLH-DSA-SHAKE-256s ED25519] {
    assert str contains $offered $algorithm
  }
}

export def "test openssl-cli takes the one that PQSIG_OPENSSL names and makes its path absolute" [] {
  in-sandbox {|sandbox|
    # 3.10 is newer than 3.5, though not as text.
    stub $sandbox openssl (openssl-stub "OpenSSL 3.10.0 1 Jan 2030 (Library: OpenSSL 3.10.0)")
    let answer = run-script $sandbox openssl-cli.sh --variables {PQSIG_OPENSSL: "bin/openssl"}
    assert equal $answer.exit_code 0 $answer.stderr
    assert equal $answer.stdout $"($sandbox)/bin/openssl\n"
  }
}

export def "test openssl-cli refuses a PQSIG_OPENSSL that does not serve, and says why" [] {
  let cases = [
    [version, algorithms, reason];
    ["OpenSSL 3.4.9 1 Jan 2026", "ED25519", "is OpenSSL 3.4.9: 3.5 or newer is needed"]
    ["LibreSSL 4.1.0", "ED25519", "is not OpenSSL (it says: LibreSSL 4.1.0)"]
    ["", "", "is not OpenSSL (it says: nothing)"]
    ["OpenSSL 3.5.6 1 Jan 2026", "ML-DSA-65 ED25519", "does not offer SLH-DSA-SHA2-128f"]
  ]
  for case in $cases {
    in-sandbox {|sandbox|
      let path = stub $sandbox openssl (openssl-stub $case.version $case.algorithms)
      let answer = run-script $sandbox openssl-cli.sh --variables {PQSIG_OPENSSL: $path}
      assert equal $answer.exit_code 1
      assert equal $answer.stdout ""
      assert str contains $answer.stderr $case.reason
    }
  }
  in-sandbox {|sandbox|
    let answer = run-script $sandbox openssl-cli.sh --variables {PQSIG_OPENSSL: ($sandbox | path join nothing)}
    assert equal $answer.exit_code 1
    assert str contains $answer.stderr "names no program"
  }
}

export def "test openssl-cli builds from the locked source once, and again when the lock changes" [] {
  in-sandbox {|sandbox|
    build-stubs $sandbox
    # Too old: it has to be passed over.
    stub $sandbox openssl (openssl-stub "OpenSSL 3.0.19 27 Jan 2026")
    let first = run-script $sandbox openssl-cli.sh
    assert equal $first.exit_code 0 $first.stderr
    assert equal $first.stdout $"(built-path $sandbox)\n"
    assert equal (^(built-path $sandbox) version) $openssl_ok
    let second = run-script $sandbox openssl-cli.sh
    assert equal $second.stdout $first.stdout
    assert equal $second.stderr "" "a second call has nothing to say"
    assert equal (builds $sandbox) 1

    "openssl-src of another lock" | save --force ($sandbox | path join target tools openssl recipe)
    let third = run-script $sandbox openssl-cli.sh
    assert equal $third.exit_code 0 $third.stderr
    assert equal (builds $sandbox) 2
    assert equal (left-behind $sandbox) []
  }
}

export def "test openssl-cli with --locked passes over one on PATH that would serve" [] {
  in-sandbox {|sandbox|
    build-stubs $sandbox
    stub $sandbox openssl (openssl-stub $openssl_ok)
    assert equal (run-script $sandbox openssl-cli.sh).stdout $"($sandbox)/bin/openssl\n"
    assert equal (run-script $sandbox openssl-cli.sh [--locked]).stdout $"(built-path $sandbox)\n"
  }
}

export def "test openssl-cli called several times at once builds once" [] {
  in-sandbox {|sandbox|
    build-stubs $sandbox
    let answers = 1..4 | par-each { run-script $sandbox openssl-cli.sh [--locked] }
    for answer in $answers {
      assert equal $answer.exit_code 0 $answer.stderr
      assert equal $answer.stdout $"(built-path $sandbox)\n"
    }
    assert equal (builds $sandbox) 1
    assert equal (left-behind $sandbox) []
  }
}

export def "test openssl-cli takes over from a build that was killed" [] {
  in-sandbox {|sandbox|
    build-stubs $sandbox
    let tools = $sandbox | path join target tools
    mkdir ($tools | path join openssl.lock) ($tools | path join openssl.build.1)
    # The number of a process that has ended.
    ^sh -c "echo $$" | save ($tools | path join openssl.lock pid)
    let answer = run-script $sandbox openssl-cli.sh [--locked]
    assert equal $answer.exit_code 0 $answer.stderr
    assert equal (left-behind $sandbox) []
  }
}

export def "test openssl-cli shows the end of the log when the build fails" [] {
  in-sandbox {|sandbox|
    build-stubs $sandbox --make "echo 'cc: no space left'; exit 2"
    let answer = run-script $sandbox openssl-cli.sh [--locked]
    assert equal $answer.exit_code 1
    assert equal $answer.stdout ""
    assert str contains $answer.stderr "make failed"
    assert str contains $answer.stderr "cc: no space left"
    assert equal (built-path $sandbox | path exists) false
    assert equal (left-behind $sandbox) []
  }
}

# What a run leaves in the tools folder besides its product and its log.
def left-behind [sandbox: path]: nothing -> list<string> {
  ls --all --short-names ($sandbox | path join target tools)
    | get name
    | where $it not-in [openssl openssl-build.log]
}

# --- nu.sh --------------------------------------------------------------------------------------------------

# The minor version that the plugin is built for, from the lock, as 0.115.
def wanted-nu []: nothing -> string {
  open --raw ($scripts | path join .. Cargo.lock)
    | from toml
    | get package
    | where name == nu-plugin
    | first
    | get version
    | split row .
    | take 2
    | str join .
}

export def "test nu-sh prints the path of a nu of the minor version that the plugin needs" [] {
  let answer = do { ^sh ($scripts | path join nu.sh) } | complete
  assert equal $answer.exit_code 0
  let path = $answer.stdout | str trim
  assert equal ($answer.stdout | lines | length) 1
  assert str contains (^$path --version) (wanted-nu)
}

export def "test nu-sh refuses a PQSIG_NU of another version" [] {
  in-sandbox {|sandbox|
    let path = stub $sandbox old-nu "echo 0.99.1"
    let answer = run-script $sandbox nu.sh --variables {PQSIG_NU: $path}
    assert equal $answer.exit_code 1
    assert equal $answer.stdout ""
    assert str contains $answer.stderr $"is nu 0.99.1, the plugin needs nu (wanted-nu)"
  }
}

export def "test nu-sh takes the one on PATH if it fits" [] {
  in-sandbox {|sandbox|
    let path = stub $sandbox nu $"echo (wanted-nu).9"
    let answer = run-script $sandbox nu.sh
    assert equal $answer {stdout: $"($path)\n", stderr: "", exit_code: 0}
  }
}

export def "test nu-sh gets nu from its npm package, once" [] {
  in-sandbox {|sandbox|
    # What `npm pack` leaves in its working folder: an archive with the program in package/bin.
    let pack = $"
      echo \"$*\" >>'($sandbox)/calls'
      mkdir -p package/bin
      printf '#!/bin/sh\\necho (wanted-nu).7\\n' >package/bin/nu
      tar -czf nushell.tgz package
      rm -rf package"
    stub $sandbox npm $pack
    stub $sandbox nu "echo 0.99.1"
    let first = run-script $sandbox nu.sh
    assert equal $first.exit_code 0 $first.stderr
    assert equal $first.stdout $"($sandbox)/target/tools/bin/nu\n"
    assert equal (^($first.stdout | str trim) --version) $"(wanted-nu).7"
    assert equal (run-script $sandbox nu.sh).stdout $first.stdout
    let calls = open --raw ($sandbox | path join calls) | lines
    assert equal ($calls | length) 1
    assert str contains $calls.0 "--ignore-scripts"
    assert equal (ls --short-names ($sandbox | path join target tools) | get name) [bin]
  }
}

export def "test nu-sh compiles nu where npm gives none" [] {
  in-sandbox {|sandbox|
    stub $sandbox npm "exit 1"
    stub $sandbox nu "echo 0.99.1"
    stub $sandbox cc "exit 0"
    stub $sandbox rustc "echo rustc 9.0.0"
    # `cargo install ... --root DIR`, the folder being the last argument.
    let install = $"
      for last in \"$@\"; do :; done
      echo \"$*\" >'($sandbox)/calls'
      mkdir -p \"$last/bin\"
      printf '#!/bin/sh\\necho (wanted-nu).1\\n' >\"$last/bin/nu\"
      chmod +x \"$last/bin/nu\""
    stub $sandbox cargo $install
    let answer = run-script $sandbox nu.sh
    assert equal $answer.exit_code 0 $answer.stderr
    assert equal $answer.stdout $"($sandbox)/target/tools/bin/nu\n"
    assert str contains (open --raw ($sandbox | path join calls)) $"install nu --version (wanted-nu)."
  }
}

# --- quickstart.sh and test.sh ------------------------------------------------------------------------------

export def "test quickstart and test name every missing tool at once, and how to get it" [] {
  for script in [quickstart.sh test.sh] {
    in-sandbox {|sandbox|
      let answer = run-script $sandbox $script --bare
      assert equal $answer.exit_code 1
      assert equal $answer.stdout ""
      for tool in [cargo rustc perl make] {
        assert str contains $answer.stderr $"  ($tool): not found\n"
      }
      assert str contains $answer.stderr "  cc: no C compiler (cc) found\n"
      for remedy in ["https://rustup.rs" "apt-get install gcc" "dnf install perl" "xcode-select --install"] {
        assert str contains $answer.stderr $remedy
      }
      assert equal ($sandbox | path join target | path exists) false "nothing is written yet"
    }
  }
}

export def "test quickstart tells what is wrong with tools that are there but do not serve" [] {
  in-sandbox {|sandbox|
    stub $sandbox cargo "exit 0"
    stub $sandbox make "exit 0"
    stub $sandbox rustc "echo 'rustc 1.80.1 (3f5fd8dd4 2024-08-06)'"
    # A compiler without the C library's headers.
    stub $sandbox cc "exit 1"
    # A perl without the module that OpenSSL's Configure asks for.
    stub $sandbox perl "case $1 in -MIPC::Cmd) exit 2 ;; esac"
    let answer = run-script $sandbox quickstart.sh
    assert equal $answer.exit_code 1
    let wanted = open ($scripts | path join .. Cargo.toml) | get workspace.package.rust-version
    assert str contains $answer.stderr $"rustc: 1.80.1 found, ($wanted) or newer needed"
    assert str contains $answer.stderr "cc compiles no C program"
    assert str contains $answer.stderr "perl: lacks the modules IPC::Cmd"
    assert equal ($answer.stderr =~ "cargo:|make:") false "what serves is not complained of"
  }
}

export def "test quickstart runs speed in the plugin that cargo built and says how to keep it" [] {
  in-sandbox {|sandbox|
    let plugin = stub $sandbox nu_plugin_pqsig "exit 0"
    let message = {reason: compiler-artifact, executable: $plugin} | to json --raw
    $message | save ($sandbox | path join messages.json)
    stub $sandbox cargo $"
      case \"$*\" in
        'build --release --locked '*\) cat '($sandbox)/messages.json' ;;
        *\) exit 9 ;;
      esac"
    stub $sandbox rustc "echo rustc 9.0.0"
    for tool in [cc perl make] { stub $sandbox $tool "exit 0" }
    let shell = stub $sandbox nu $"
      case \"$*\" in
        *--version*\) echo (wanted-nu).0 ;;
        *\) for word in \"$@\"; do echo \"$word\"; done ;;
      esac"
    let answer = run-script $sandbox quickstart.sh --variables {PQSIG_NU: $shell}
    assert equal $answer.exit_code 0 $answer.stderr
    assert equal ($answer.stdout | lines) [
      --no-config-file
      --plugins
      $"[\"($plugin)\"]"
      --commands
      "pqsig speed ML-DSA-65"
    ]
    assert str contains $answer.stderr $"plugin add \"($plugin)\""
    assert str contains $answer.stderr "plugin use pqsig"
    assert str contains $answer.stderr (wanted-nu)
  }
}

export def "test every script explains itself and refuses what it does not know" [] {
  for script in [openssl-cli.sh nu.sh adapters.sh quickstart.sh test.sh] {
    let help = do { ^sh ($scripts | path join $script) --help } | complete
    assert equal $help.exit_code 0
    assert str contains $help.stdout $"usage: scripts/($script)"
    let wrong = do { ^sh ($scripts | path join $script) --nonsense } | complete
    assert equal $wrong.exit_code 2
    assert equal $wrong.stdout ""
    assert str contains $wrong.stderr "usage:"
  }
}
