//! An adapter as a peer.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pqsig::{Algorithm, Family};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Launch;
use super::process::{Process, printable};
use super::protocol::{self, Failure, FailureKind, Hello, Request};
use crate::key::{EncodedKey, KeyForm};
use crate::message::{Message, Mode, Randomness};
use crate::peer::{
    Ability, Identity, KeyPair, Kind, Operation, Peer, Refusal, Reply, Signer, Verifier, fingerprint_files,
};

/// How often an adapter is started anew without having answered anything in between.
const RESTARTS_IN_A_ROW: u32 = 3;
/// How often it is started anew in all.
const RESTARTS_IN_ALL: u32 = 10;

/// An implementation behind an adapter.
///
/// One request is under way at a time: others wait. A crash, a reply that is garbage and no reply in time fail the
/// request, with a reason that says what happened; the next request starts the adapter anew. An adapter that does
/// not come back is given up: from then on every request fails at once.
///
/// Dropping the last of the adapter, its signers and its verifiers ends its stdin, and kills the process if that does
/// not end it.
pub struct Adapter {
    link: Arc<Link>,
}

/// What the adapter and its loaded keys share.
struct Link {
    launch: Launch,
    greeting: Greeting,
    state: Mutex<State>,
}

/// Who the adapter said that it is. It must be the same after each start.
#[derive(PartialEq)]
struct Greeting {
    identity: Identity,
    abilities: BTreeMap<Algorithm, Ability>,
}

struct State {
    process: Option<Process>,
    next_id: u64,
    crashes: u32,
    crashes_in_a_row: u32,
    last_crash: String,
}

impl Adapter {
    /// Starts an adapter and asks who it is.
    ///
    /// # Errors
    /// What went wrong, in words for the adapter's author: no such program, an end or silence before hello was answered
    /// (with the last line on stderr), a name, algorithm, ability or form of key that is none.
    pub fn start(launch: Launch) -> Result<Self, String> {
        let (process, greeting) = greet(&launch)?;
        let state = State {
            process: Some(process),
            next_id: 1,
            crashes: 0,
            crashes_in_a_row: 0,
            last_crash: String::new(),
        };
        Ok(Adapter { link: Arc::new(Link { launch, greeting, state: Mutex::new(state) }) })
    }

    /// What the adapter claims for the algorithm, if that includes the operation.
    fn claimed(&self, algorithm: Algorithm, operation: Operation) -> Reply<&Ability> {
        let ability = self.link.greeting.abilities.get(&algorithm);
        let ability = ability.ok_or_else(|| Refusal::Unsupported(algorithm.name().to_owned()))?;
        ability.admit_operation(operation)?;
        Ok(ability)
    }
}

/// Starts a process and says hello to it.
fn greet(launch: &Launch) -> Result<(Process, Greeting), String> {
    let (program, scripts) = launch.own_files()?;
    let mut process = Process::spawn(&program, launch)?;
    let request = Request::Hello { protocol: protocol::VERSION };
    let line = request.to_line(0).map_err(|error| error.to_string())?;
    let reply = process.exchange(line, launch.timeouts.hello)?;
    let hello = in_frame(&reply, 0)
        .and_then(|reply| match reply.get("error") {
            Some(error) => Err(format!("answered hello with an error: {error}")),
            None => Hello::parse(reply).map_err(|reason| format!("answered hello wrongly: {reason}")),
        })
        .map_err(|reason| process.post_mortem(&reason))?;
    let own_files = [program].into_iter().chain(scripts);
    let identity = identity(launch, &hello, own_files)?;
    Ok((process, Greeting { identity, abilities: with_lineages(hello) }))
}

fn identity(
    launch: &Launch,
    hello: &Hello,
    own_files: impl Iterator<Item = PathBuf>,
) -> Result<Identity, String> {
    let by_algorithm = |own: fn(&Ability) -> &Option<String>, whole: &str| {
        let word = |ability| own(ability).clone().unwrap_or_else(|| whole.to_owned());
        hello.algorithms.iter().map(|(algorithm, a)| (algorithm.name().to_owned(), word(a))).collect()
    };
    let mut files: Vec<PathBuf> = Vec::new();
    for file in hello.artifacts.iter().cloned().chain(own_files) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    Ok(Identity {
        name: launch.name.clone(),
        kind: Kind::Adapter,
        versions: by_algorithm(|ability| &ability.version, &hello.version),
        lineages: by_algorithm(|ability| &ability.lineage, &hello.lineage),
        artifacts: fingerprint_files(&files)?,
    })
}

/// The abilities, each with its lineage.
fn with_lineages(hello: Hello) -> BTreeMap<Algorithm, Ability> {
    let Hello { algorithms, lineage, .. } = hello;
    let with_lineage = |(algorithm, mut ability): (_, Ability)| {
        ability.lineage.get_or_insert_with(|| lineage.clone());
        (algorithm, ability)
    };
    algorithms.into_iter().map(with_lineage).collect()
}

/// The reply in a line, if it is one to this request.
fn in_frame(line: &[u8], id: u64) -> Result<Map<String, Value>, String> {
    let garbage = |what: String| {
        let line = printable(&String::from_utf8_lossy(line), 80);
        format!("answered garbage: {what}: {line}")
    };
    let reply: Value = serde_json::from_slice(line).map_err(|_| garbage("no JSON".to_owned()))?;
    let Value::Object(reply) = reply else {
        return Err(garbage("no JSON object".to_owned()));
    };
    if reply.get("id").and_then(Value::as_u64) == Some(id) {
        Ok(reply)
    } else {
        Err(garbage(format!("not a reply with the id {id}")))
    }
}

impl Link {
    /// Asks, and reads the answer. `what` names the request: it is what the adapter claims to do.
    fn ask<T: DeserializeOwned>(&self, request: &Request, limit: Duration, what: &str) -> Reply<T> {
        let mut reply = self.exchange(request, limit).map_err(Refusal::Failed)?;
        let wrong = |error| Refusal::Failed(format!("answered garbage: {error}"));
        let Some(error) = reply.remove("error") else {
            return serde_json::from_value(Value::Object(reply)).map_err(wrong);
        };
        let Failure { kind, reason } = serde_json::from_value(error).map_err(wrong)?;
        let reason = printable(&reason, 300);
        Err(match kind {
            FailureKind::Refused => Refusal::Refused(reason),
            FailureKind::Unsupported => {
                Refusal::Failed(format!("claims {what}, then answers unsupported: {reason}"))
            }
            FailureKind::Failed => Refusal::Failed(reason),
        })
    }

    fn exchange(&self, request: &Request, limit: Duration) -> Result<Map<String, Value>, String> {
        // A thread that panicked meanwhile left a request unanswered, whose reply will have the wrong id.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let id = state.next_id;
        state.next_id += 1;
        let line = request.to_line(id).map_err(|error| error.to_string())?;
        let mut process = state.running(&self.launch, &self.greeting)?;
        let reply = process
            .exchange(line, limit)
            .and_then(|line| in_frame(&line, id).map_err(|reason| process.post_mortem(&reason)));
        match reply {
            Ok(reply) => {
                state.crashes_in_a_row = 0;
                state.process = Some(process);
                Ok(reply)
            }
            Err(reason) => Err(state.crashed(reason)),
        }
    }
}

impl State {
    /// The process, started anew if it has to be.
    fn running(&mut self, launch: &Launch, expected: &Greeting) -> Result<Process, String> {
        if let Some(process) = self.process.take() {
            return Ok(process);
        }
        if self.crashes_in_a_row > RESTARTS_IN_A_ROW || self.crashes > RESTARTS_IN_ALL {
            return Err(format!("gave up after {} crashes: {}", self.crashes, self.last_crash));
        }
        match greet(launch) {
            Ok((process, greeting)) if greeting == *expected => Ok(process),
            Ok(_) => Err(self.crashed("said that it is another one after it was started anew".to_owned())),
            Err(reason) => Err(self.crashed(format!("could not be started anew: {reason}"))),
        }
    }

    fn crashed(&mut self, reason: String) -> String {
        self.crashes += 1;
        self.crashes_in_a_row += 1;
        self.last_crash.clone_from(&reason);
        reason
    }
}

impl Peer for Adapter {
    fn identity(&self) -> &Identity {
        &self.link.greeting.identity
    }

    fn ability(&self, algorithm: Algorithm) -> Option<Ability> {
        self.link.greeting.abilities.get(&algorithm).cloned()
    }

    fn generate(&self, algorithm: Algorithm, seed: Option<&[u8]>) -> Reply<KeyPair> {
        let ability = self.claimed(algorithm, Operation::Keygen)?;
        if seed.is_some() && !ability.seed_keygen {
            return Err(Refusal::Unsupported("key generation from a seed".to_owned()));
        }
        let request = Request::Keygen { algorithm, seed: seed.map(<[u8]>::to_vec) };
        let what = format!("key generation of {algorithm}");
        let pair: protocol::Pair = self.link.ask(&request, self.link.launch.timeouts.private, &what)?;
        Ok(KeyPair { private: private(pair.private, algorithm)?, public: public(pair.public, algorithm)? })
    }

    fn public_key(&self, private: &EncodedKey) -> Reply<EncodedKey> {
        let algorithm = private.algorithm;
        self.claimed(algorithm, Operation::Public)?.admit_form(private.form)?;
        let request = Request::Public { algorithm, private: private.into() };
        let what = format!("public keys of {algorithm} from {}", private.form);
        let made: protocol::Public = self.link.ask(&request, self.link.launch.timeouts.private, &what)?;
        public(made.public, algorithm)
    }

    fn signer(&self, private: &EncodedKey) -> Reply<Arc<dyn Signer>> {
        self.claimed(private.algorithm, Operation::Sign)?.admit_form(private.form)?;
        Ok(Arc::new(LoadedKey::new(self, private)))
    }

    fn verifier(&self, public: &EncodedKey) -> Reply<Arc<dyn Verifier>> {
        self.claimed(public.algorithm, Operation::Verify)?.admit_form(public.form)?;
        Ok(Arc::new(LoadedKey::new(self, public)))
    }
}

fn private(key: protocol::Key, algorithm: Algorithm) -> Reply<EncodedKey> {
    if key.form.is_public() {
        return Err(Refusal::Failed(format!("answered garbage: a private key in the form {}", key.form)));
    }
    Ok(key.of(algorithm))
}

fn public(key: protocol::Key, algorithm: Algorithm) -> Reply<EncodedKey> {
    if !key.form.is_public() {
        return Err(Refusal::Failed(format!("answered garbage: a public key in the form {}", key.form)));
    }
    Ok(key.of(algorithm))
}

/// A key that goes along with each request: the protocol has no memory.
struct LoadedKey {
    link: Arc<Link>,
    algorithm: Algorithm,
    form: KeyForm,
    key: protocol::Key,
}

impl LoadedKey {
    fn new(adapter: &Adapter, key: &EncodedKey) -> Self {
        LoadedKey { link: adapter.link.clone(), algorithm: key.algorithm, form: key.form, key: key.into() }
    }

    fn admit(&self, message: &Message) -> Reply<&Ability> {
        let algorithm = self.algorithm;
        // Who claims a context for Ed25519 claims it for Ed25519ph: pure Ed25519 has none.
        let pure = message.mode == Mode::Pure && algorithm.family() == Family::Ed25519;
        if pure && !message.context.is_empty() {
            return Err(Refusal::Unsupported("a context on pure Ed25519".to_owned()));
        }
        let ability = self.link.greeting.abilities.get(&algorithm);
        let ability = ability.ok_or_else(|| Refusal::Unsupported(algorithm.name().to_owned()))?;
        ability.admit_message(message)?;
        Ok(ability)
    }

    /// What is asked, for who claims to know it.
    fn what(&self, verb: &str, message: &Message) -> String {
        let context = if message.context.is_empty() { "" } else { ", with a context" };
        format!("{verb} {} ({}{context}, key as {})", self.algorithm, message.mode, self.form)
    }
}

impl Signer for LoadedKey {
    fn sign(&self, message: &Message, randomness: &Randomness) -> Reply<Vec<u8>> {
        self.admit(message)?.admit_randomness(randomness)?;
        let request = Request::Sign {
            algorithm: self.algorithm,
            private: self.key.clone(),
            message: message.clone(),
            randomness: randomness.clone(),
        };
        let what = self.what("signing", message);
        let made: protocol::Signature = self.link.ask(&request, self.link.launch.timeouts.private, &what)?;
        Ok(made.signature)
    }
}

impl Verifier for LoadedKey {
    fn verify(&self, message: &Message, signature: &[u8]) -> Reply<bool> {
        self.admit(message)?;
        let request = Request::Verify {
            algorithm: self.algorithm,
            public: self.key.clone(),
            message: message.clone(),
            signature: signature.to_vec(),
        };
        let what = self.what("verifying", message);
        let said: protocol::Valid = self.link.ask(&request, self.link.launch.timeouts.verify, &what)?;
        Ok(said.valid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_json_object_of_the_right_id_is_a_reply() {
        assert!(in_frame(br#"{"id":3,"valid":true}"#, 3).is_ok());
        for (line, expected) in [
            (&b"Traceback (most recent call last):"[..], "answered garbage: no JSON: Traceback (most"),
            (b"[3]", "no JSON object: [3]"),
            (b"", "no JSON: "),
            (b"\xff{}", "no JSON"),
            (br#"{"valid":true}"#, "not a reply with the id 3"),
            (br#"{"id":2,"valid":true}"#, r#"not a reply with the id 3: {"id":2,"valid":true}"#),
            (br#"{"id":"3","valid":true}"#, "not a reply with the id 3"),
        ] {
            let error = in_frame(line, 3).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
