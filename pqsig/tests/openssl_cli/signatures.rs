//! Signatures, in both directions, by every backend.

use pqsig::{Algorithm, Context, Family, Message, PublicKey, Randomness, Verdict, encoding};

use crate::common::backends;
use crate::peer::Peer;
use crate::{ML_DSA, SIGNERS, key};

/// The options of `pkeyutl` for a message under a context.
fn options(algorithm: Algorithm, context: &str) -> String {
    match algorithm.family() {
        Family::Ed25519 => "-rawin".to_owned(),
        _ => format!("-rawin -pkeyopt context-string:{context}"),
    }
}

fn message<'a>(algorithm: Algorithm, message: &'a [u8], context: &'a str) -> Message<'a> {
    let context = match algorithm.family() {
        Family::Ed25519 => Context::EMPTY,
        _ => Context::new(context.as_bytes()).unwrap(),
    };
    Message::Pure { message, context }
}

/// Every backend that has the algorithm comes to this verdict.
fn assert_verdict(public: &PublicKey, message: &Message<'_>, signature: &[u8], expected: Verdict) {
    for backend in backends(public.algorithm()) {
        let verdict = backend.verifying_key(public).unwrap().verify(message, signature).unwrap();
        assert_eq!(verdict, expected, "{public:?} by {backend:?}");
    }
}

#[test]
fn what_the_command_signs_is_verified() {
    let peer = Peer::new();
    peer.write("message", b"a message in a file");
    for algorithm in SIGNERS {
        peer.run(&format!("genpkey -algorithm {algorithm} -out key.pem"));
        peer.run("req -x509 -new -key key.pem -subj /CN=signer -days 30 -out cert.pem");
        let options = options(algorithm, "ctx");
        peer.run(&format!("pkeyutl -sign -inkey key.pem -in message -out signature {options}"));
        let mut signature = peer.read("signature");
        // The public half of a private key, and the key in a certificate, verify alike.
        for name in ["key.pem", "cert.pem"] {
            let public = peer.decode(name).into_public();
            let good = message(algorithm, b"a message in a file", "ctx");
            assert_verdict(&public, &good, &signature, Verdict::Accepted);
            let other = message(algorithm, b"another message", "ctx");
            assert_verdict(&public, &other, &signature, Verdict::Rejected);
            if algorithm.family() != Family::Ed25519 {
                let other = message(algorithm, b"a message in a file", "ctX");
                assert_verdict(&public, &other, &signature, Verdict::Rejected);
            }
            signature[9] ^= 4;
            assert_verdict(&public, &good, &signature, Verdict::Rejected);
            signature[9] ^= 4;
        }
    }
}

#[test]
fn what_every_backend_signs_is_verified_by_the_command() {
    let peer = Peer::new();
    peer.write("message", b"a message in a file");
    peer.write("other", b"another message");
    for algorithm in SIGNERS {
        let key = key(algorithm);
        peer.write("pub.pem", encoding::public_key_to_pem(key.public_key()).as_bytes());
        let verify = |file: &str, context: &str| {
            let options = options(algorithm, context);
            let command =
                format!("pkeyutl -verify -pubin -inkey pub.pem -in {file} -sigfile signature {options}");
            peer.output(&command).status.success()
        };
        for backend in backends(algorithm) {
            let signer = backend.signing_key(&key).unwrap();
            let message = message(algorithm, b"a message in a file", "ctx");
            let mut signature = signer.sign(&message, Randomness::Hedged).unwrap();
            peer.write("signature", &signature);
            assert!(verify("message", "ctx"), "{algorithm} by {backend:?}");
            assert!(!verify("other", "ctx"), "{algorithm} by {backend:?}");
            assert!(
                algorithm.family() == Family::Ed25519 || !verify("message", "ctX"),
                "{algorithm} by {backend:?}"
            );
            *signature.last_mut().unwrap() ^= 1;
            peer.write("signature", &signature);
            assert!(!verify("message", "ctx"), "{algorithm} by {backend:?}");
        }
    }
}

#[test]
fn deterministic_signatures_are_the_commands_own() {
    let peer = Peer::new();
    peer.write("message", b"a message in a file");
    for algorithm in SIGNERS {
        let key = key(algorithm);
        let form = key.forms()[0];
        peer.write("key.pem", encoding::private_key_to_pem(&key, form).unwrap().as_bytes());
        let deterministic = match algorithm.family() {
            Family::Ed25519 => "",
            _ => "-pkeyopt deterministic:1",
        };
        let options = options(algorithm, "ctx");
        peer.run(&format!(
            "pkeyutl -sign -inkey key.pem -in message -out signature {options} {deterministic}"
        ));
        let message = message(algorithm, b"a message in a file", "ctx");
        for backend in backends(algorithm) {
            let signer = backend.signing_key(&key).unwrap();
            let signature = signer.sign(&message, Randomness::Deterministic).unwrap();
            assert_eq!(signature, peer.read("signature"), "{algorithm} by {backend:?}");
        }
    }
}

/// bc-java#2060 and the like: a key that was imported in any form signs for the public key that it was exported with.
#[test]
fn keys_of_every_format_sign_in_every_backend() {
    let peer = Peer::new();
    for algorithm in ML_DSA {
        peer.run(&format!("genpkey -algorithm {algorithm} -out key.pem"));
        peer.run("pkey -in key.pem -pubout -out pub.pem");
        let public = peer.decode("pub.pem").into_public();
        for format in ["seed-priv", "priv-only", "oqskeypair", "seed-only", "bare-priv", "bare-seed"] {
            peer.run(&format!(
                "pkey -in key.pem -provparam ml-dsa.output_formats={format} -out {format}.pem"
            ));
            let key = peer.decode(&format!("{format}.pem")).into_private().unwrap();
            for backend in backends(algorithm) {
                let signer = backend.signing_key(&key).unwrap();
                let message = Message::pure(b"message");
                let signature = signer.sign(&message, Randomness::Hedged).unwrap();
                assert_verdict(&public, &message, &signature, Verdict::Accepted);
            }
        }
    }
}
