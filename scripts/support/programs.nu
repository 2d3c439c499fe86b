# The programs that the scripts run: those of this workspace, built by cargo, and the openssl command.

export const root = path self ../..

# The plugin that PQSIG_PLUGIN names, else the one that cargo builds now, so that no stale one is used.
export def plugin-path []: nothing -> path {
  named PQSIG_PLUGIN | default { built nu_plugin_pqsig ...(together) }
}

# The same of PQSIG_AUDIT and pqsig-audit.
export def audit-path []: nothing -> path {
  named PQSIG_AUDIT | default { built pqsig-audit ...(together) }
}

# The same of PQSIG_INTEROP and pqsig-interop.
export def interop-path []: nothing -> path {
  named PQSIG_INTEROP | default { built pqsig-interop ...(together) }
}

# An example, with the features that `cargo test --workspace` builds with: its libraries are there already.
export def example-path [name: string]: nothing -> path {
  built $name --workspace --example $name
}

# An openssl command of 3.5 or newer; with --locked, the one that is built from the openssl backend's source.
export def openssl-path [--locked]: nothing -> path {
  let arguments = if $locked { [--locked] } else { [] }
  ^sh ($root | path join scripts openssl-cli.sh) ...$arguments | str trim
}

# The program that the variable names. If it names nothing that is there, another one would hide that.
def named [variable: string]: nothing -> oneof<path, nothing> {
  let given = $env | get --optional $variable | default ""
  if $given == "" {
    return null
  }
  if ($given | path type) != "file" {
    error make --unspanned {msg: $"($variable) names no file: ($given)"}
  }
  $given | path expand
}

# Built together always: which packages are built decides with which features the libraries below them are
# compiled, and another choice compiles some of them again.
def together []: nothing -> list<string> {
  [nu_plugin_pqsig pqsig-interop pqsig-audit] | each { [--package $in] } | flatten
}

# The path of a program that cargo has built. cargo itself says where it put it, so that every way to move the
# target folder works.
def --wrapped built [program: string, ...selection: string]: nothing -> path {
  # Read to its end before a line is taken: `first` would close the pipe under cargo.
  let messages = cargo build ...$selection --message-format json-render-diagnostics
  $messages
    | lines
    | each { from json | get --optional executable }
    | where ($it | default "" | path parse | get stem) == $program
    | first
}

# cargo with the arguments that leave Cargo.lock and the profile as they are.
export def --wrapped cargo [command: string, ...arguments: string]: nothing -> string {
  if (which --all cargo | where type == external | is-empty) {
    error make --unspanned {msg: "cargo is not here to build with" help: "https://rustup.rs gives it, for any system"}
  }
  cd $root
  ^cargo $command --release --locked ...$arguments
}

# Refuse to go on in a nu that can't load the plugin: without this, that shows only after the build.
export def check-nu []: nothing -> nothing {
  let wanted = open --raw ($root | path join Cargo.lock)
    | decode utf-8
    | from toml
    | get package
    | where name == nu-plugin
    | first
    | get version
  let minor = {|version| $version | split row "." | first 2 | str join "." }
  let own = version | get version
  if (do $minor $own) != (do $minor $wanted) {
    error make --unspanned {
      msg: $"this is nu ($own), and the plugin is built for nu (do $minor $wanted)"
      help: "`sh scripts/nu.sh` gets one that fits, and prints its path"
    }
  }
}

# What `commands` returns in a new nu with the plugin, and none of the user's configuration. It comes back as
# NUON, in which durations and sizes stay what they are.
export def in-plugin [plugin: path, commands: string]: nothing -> any {
  let answering = $"do {\n($commands)\n} | to nuon --raw-strings"
  ^$nu.current-exe --no-config-file --plugins $"[($plugin | to nuon)]" --commands $answering | from nuon
}
