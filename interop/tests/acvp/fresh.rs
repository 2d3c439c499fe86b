//! Fresh prompts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pqsig::Algorithm;
use pqsig_interop::acvp::files::{answer_file, ask_files, check_files, response_path};
use pqsig_interop::acvp::{Disposition, Error, Outcome, Prompt, Secret, answer, ask};
use pqsig_interop::message::{Mode, Randomness};
use pqsig_interop::question::Question;

use crate::{SECRET, everyone, fresh, peer, quiet};

/// The prompts cover what they promise, come again from the same secret, and from no other; what was done to a signature is
/// what every backend says of it, and stands in no prompt.
#[test]
fn fresh_prompts_cover_every_interface_and_every_disposition() {
    let (prompts, dispositions) = fresh(Algorithm::MlDsa44, 14);
    assert_eq!(fresh(Algorithm::MlDsa44, 14).0, prompts);
    let other = ask(Algorithm::MlDsa44, &Secret::new(&[1; 32]), 14, &everyone()).unwrap();
    assert!(other.prompts.iter().all(|(task, json)| json != &prompts[task.name()]));

    let sig_gen = Prompt::parse(&prompts["sigGen"]).unwrap();
    let mut modes = BTreeSet::new();
    let mut randomness = BTreeSet::new();
    let mut contexts = BTreeSet::new();
    for (_, case) in sig_gen.cases() {
        let Question::Sign { message, randomness: kind, .. } = &case.question else { panic!("sigGen signs") };
        modes.insert(message.mode.to_string());
        contexts.insert(message.context.len());
        randomness.insert(match kind {
            Randomness::Hedged => "hedged",
            Randomness::Deterministic => "deterministic",
            Randomness::Fixed(_) => "given",
        });
    }
    assert_eq!(sig_gen.groups.len(), 12);
    assert_eq!(randomness.len(), 3);
    assert!(contexts.contains(&0) && contexts.contains(&255), "{contexts:?}");
    for mode in [Mode::Pure, Mode::ExternalMu, Mode::Internal] {
        assert!(modes.contains(&mode.to_string()), "{modes:?}");
    }
    // Every hash that is strong enough for the set has its turn: all but those of 224 bits.
    assert_eq!(modes.iter().filter(|mode| mode.starts_with("pre-hash")).count(), 9, "{modes:?}");

    let dealt: BTreeSet<_> = dispositions.values().map(|disposition| format!("{disposition:?}")).collect();
    assert_eq!(dealt.len(), Disposition::ALL.len());
    let sig_ver = Prompt::parse(&prompts["sigVer"]).unwrap();
    for backend in everyone().into_iter().filter(|peer| peer.ability(Algorithm::MlDsa44).is_some()) {
        let answered = answer(&sig_ver, backend.clone(), &quiet);
        for (key, outcome) in answered.response.answers {
            let valid = dispositions[&key] == Disposition::Valid;
            assert_eq!(outcome, Ok(Outcome::Verdict(valid)), "{} on {key:?}", backend.name());
        }
    }
    let text = String::from_utf8(prompts["sigVer"].clone()).unwrap();
    assert!(!text.contains("testPassed") && !text.contains("isposition"));
}

#[test]
fn what_can_not_be_asked_is_refused() {
    let secret = Secret::new(&SECRET);
    assert!(matches!(ask(Algorithm::Ed25519, &secret, 1, &everyone()), Err(Error::NoPrompts { .. })));
    assert!(matches!(ask(Algorithm::MlDsa44, &secret, 0, &everyone()), Err(Error::Count { .. })));
    assert!(matches!(ask(Algorithm::MlDsa44, &secret, 1001, &everyone()), Err(Error::Count { .. })));
    assert!(matches!(ask(Algorithm::MlDsa44, &secret, 1, &[]), Err(Error::NoSigner { .. })));
}

/// The three commands, from files to files.
#[test]
fn files_go_in_and_come_out() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("secret"), [7; 31]).unwrap();
    let ask_with = |secret: &Path| ask_files(Algorithm::MlDsa87, secret, 1, &at("out"), &everyone());
    assert!(matches!(ask_with(&at("secret")), Err(Error::SecretTooShort { actual: 31, .. })));
    assert!(matches!(ask_with(&at("nowhere")), Err(Error::Read { .. })));
    fs::write(at("broken.pem"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n").unwrap();
    assert!(matches!(ask_with(&at("broken.pem")), Err(Error::SecretKey { .. })));
    assert!(!at("out").exists(), "nothing is written before all is well");

    let key = pqsig::PrivateKey::generate(Algorithm::Ed25519).unwrap();
    let pem = pqsig::encoding::private_key_to_pem(&key, pqsig::PrivateKeyForm::Seed).unwrap();
    fs::write(at("key.pem"), pem.as_bytes()).unwrap();
    let asked = ask_with(&at("key.pem")).unwrap();
    let names: Vec<_> =
        asked.prompts.iter().map(|(path, _)| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(
        names,
        ["ML-DSA-87-keyGen-prompt.json", "ML-DSA-87-sigGen-prompt.json", "ML-DSA-87-sigVer-prompt.json"]
    );
    assert_eq!(asked.prompts.iter().map(|(_, cases)| *cases).collect::<Vec<_>>(), [1, 12, 4]);

    for (prompt, cases) in &asked.prompts {
        let answered = answer_file(prompt, peer("rustcrypto"), None, &quiet).unwrap();
        assert!(answered.is_clean());
        assert_eq!(answered.answered, *cases);
        assert_eq!(answered.response, response_path(prompt));
        let report = check_files(prompt, &answered.response, None, &everyone(), &quiet).unwrap();
        assert!(report.is_clean(), "{report}");
        assert!(report.to_string().contains(&format!("{cases} cases, {cases} right, 0 wrong")), "{report}");
        // A response is also what can be held against: here against itself.
        if !prompt.ends_with("ML-DSA-87-sigGen-prompt.json") {
            let with =
                check_files(prompt, &answered.response, Some(&answered.response), &[], &quiet).unwrap();
            assert!(with.is_clean(), "{with}");
        }
    }
    let [first, second, _] = &asked.prompts[..] else { panic!("three prompts") };
    let other = check_files(&first.0, &response_path(&second.0), None, &everyone(), &quiet).unwrap_err();
    assert!(matches!(other, Error::OtherSet { .. }), "{other}");
    assert_eq!(response_path(Path::new("a/x.json")), Path::new("a/x.response.json"));
}
