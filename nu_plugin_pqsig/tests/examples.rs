//! The examples in the commands' help, run in process. Those without a result need a whole Nushell: tests/nu runs
//! them.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use nu_plugin_pqsig::{PqsigPlugin, commands};
use nu_plugin_test_support::PluginTest;
use nu_protocol::Value;

fn plugin() -> PluginTest {
    let mut test = PluginTest::new("pqsig", PqsigPlugin.into()).expect("the plugin loads");
    // A call that resolves a path asks for it, and here nothing else sets it.
    let folder = std::env::temp_dir().display().to_string();
    test.engine_state_mut().add_env_var("PWD".to_owned(), Value::test_string(folder));
    test
}

#[test]
fn examples_give_what_they_promise() {
    let mut test = plugin();
    let mut with_result = 0;
    for command in commands::all() {
        // In process there are only the language's own commands.
        let examples: Vec<_> = command
            .examples()
            .into_iter()
            .filter(|example| {
                !["| length", "| get", "| select"].iter().any(|word| example.example.contains(word))
            })
            .collect();
        with_result += examples.iter().filter(|example| example.result.is_some()).count();
        test.test_examples(&examples).unwrap_or_else(|error| panic!("{}: {error}", command.name()));
    }
    assert!(with_result >= 10, "only {with_result} examples have a result");
}

#[test]
fn every_command_can_be_found_and_learned() {
    let commands = commands::all();
    assert_eq!(commands.len(), 11);
    for command in commands {
        let name = command.name().to_owned();
        assert!(name == "pqsig" || name.starts_with("pqsig "), "{name}");
        assert!(command.description().ends_with('.'), "{name}: the description is a sentence");
        assert!(!command.search_terms().is_empty(), "{name} has no search terms");
        assert!(!command.examples().is_empty(), "{name} has no examples");
        let signature = command.signature();
        let described = signature
            .required_positional
            .iter()
            .chain(&signature.optional_positional)
            .chain(&signature.rest_positional)
            .all(|argument| !argument.desc.is_empty());
        assert!(described, "{name}: an argument has no description");
        assert!(
            signature.named.iter().all(|flag| !flag.desc.is_empty()),
            "{name}: a flag has no description"
        );
        assert!(!signature.input_output_types.is_empty(), "{name} says nothing of its input and output");
    }
}
