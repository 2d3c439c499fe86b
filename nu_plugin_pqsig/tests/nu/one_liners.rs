//! Lines that users type, and what they print.

use super::harness::Workplace;

#[test]
fn speed_prints_a_row_per_backend_and_operation() {
    let printed = Workplace::new().eval("pqsig speed ML-DSA-65 --duration 500ms --trials 2 | length");
    assert_eq!(printed, "15");
}

#[test]
fn a_key_signs_and_verifies_across_backends() {
    let printed = Workplace::new().eval(
        r#"let k = (pqsig keygen ML-DSA-65 --backend rustcrypto)
           let s = ("msg" | pqsig sign $k.private_key --context ctx --backend rustcrypto)
           "msg" | pqsig verify $k.public_key $s --context ctx --backend openssl"#,
    );
    assert_eq!(printed, "true");
}

/// What the shell prints of an error: the code, the argument, and what would be right.
#[test]
fn an_error_points_at_the_argument() {
    let output = Workplace::new().nu().args(["--commands", "pqsig keygen ML-DSA-56"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for words in ["pqsig::unknown_algorithm", "no such algorithm", "ML-DSA-65"] {
        assert!(text.contains(words), "{text}");
    }
    assert!(output.stdout.is_empty());
}

#[test]
fn info_says_what_was_built_and_what_it_is_linked_with() {
    let place = Workplace::new();
    assert_eq!(place.eval("(pqsig info).version"), env!("CARGO_PKG_VERSION"));
    // Nushell has loaded the plugin: then the versions fit.
    let minor = |version: &str| version.split('.').take(2).collect::<Vec<_>>().join(".");
    let built_for = place.eval("(pqsig info).nu");
    assert_eq!(minor(&built_for), minor(&place.eval("version | get version")));
    assert!(place.eval("(pqsig info).openssl.version").starts_with("OpenSSL 3."));
    assert_eq!(
        place.eval("(pqsig info).openssl.providers | where name == default | get 0.available"),
        "true"
    );
    assert_ne!(place.eval("(pqsig info).crates.ml-dsa"), "unknown");
    assert_eq!(
        place.eval("(pqsig info).crates | values | where {|version| $version == unknown} | length"),
        "0"
    );
    assert_ne!(place.eval("(pqsig info).cpu.brand"), "");
    assert_ne!(place.eval("(pqsig info).build.target"), "");
}

#[test]
fn the_tab_key_offers_names() {
    let completions = |command: &str, parameter: &str| {
        let column = if parameter.starts_with("--") { "named" } else { "positional" };
        let name = parameter.trim_start_matches("--");
        Workplace::new().eval(&format!(
            "scope commands | where name == '{command}' | get 0.signatures | values | get 0 \
             | where parameter_name == '{name}' and parameter_type in [{column} rest] \
             | get 0.completion | str join ' '"
        ))
    };
    assert!(completions("pqsig keygen", "algorithm").contains("SLH-DSA-SHAKE-256f"));
    assert!(completions("pqsig keygen", "--format").contains("expanded"));
    assert!(completions("pqsig sign", "--backend").contains("rustcrypto"));
    assert!(completions("pqsig sign", "--prehash").contains("SHA-512/256"));
    assert!(completions("pqsig speed", "--operation").contains("keygen"));
    assert!(completions("pqsig speed", "algorithm").contains("all"));
}

/// The plugin's own output must never mix with what a pipeline prints.
#[test]
fn nothing_but_the_result_is_printed() {
    let place = Workplace::new();
    let output = place
        .nu()
        .args(["--commands", "pqsig speed Ed25519 --duration 20ms --trials 1 | ignore"])
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");

    // Unless progress is asked for: then on stderr.
    let output = place
        .nu()
        .args(["--commands", "pqsig speed Ed25519 --duration 20ms --trials 1 --progress | ignore"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert!(!output.stderr.is_empty());
}
