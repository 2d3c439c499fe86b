//! Fresh prompts, whose answers exist nowhere until somebody computes them.

use std::collections::BTreeMap;
use std::sync::Arc;

use pqsig::{Algorithm, Family, HashAlgorithm, PrivateKey};
use rayon::prelude::*;

use super::disposition::{Disposition, deal};
use super::error::Error;
use super::head::{Head, Task};
use super::perform::perform;
use super::prompt::Interface;
use super::response::{Key, Outcome};
use super::secret::{Secret, Stream};
use super::wire;
use crate::key::{EncodedKey, KeyForm};
use crate::message::{Message, Mode, Randomness};
use crate::peer::Peer;
use crate::question::Question;

/// The most cases of a group.
pub const MAX_COUNT: usize = 1000;

/// The longest message, in bytes: NIST's.
const MAX_MESSAGE: usize = 8192;

/// Fresh prompts for one algorithm.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The prompts as JSON, one for each task.
    pub prompts: Vec<(Task, Vec<u8>)>,
    /// What was done to each signature of the sigVer prompt. It stands in no file: it would be the answer.
    pub dispositions: BTreeMap<Key, Disposition>,
}

/// Makes three prompts for an algorithm, keyGen, sigGen and sigVer, with `count` cases in every group. Groups: each interface
/// (pure, pre-hash, external mu for ML-DSA, internal), for sigGen once deterministic, once with given and once with
/// fresh randomness. All that is in them comes from the secret. The first peer that can signs for sigVer.
///
/// # Errors
/// [`Error::NoPrompts`] for Ed25519, [`Error::Count`], [`Error::NoSigner`].
pub fn ask(
    algorithm: Algorithm,
    secret: &Secret,
    count: usize,
    peers: &[Arc<dyn Peer>],
) -> Result<Asked, Error> {
    if algorithm.family() == Family::Ed25519 {
        return Err(Error::NoPrompts { algorithm });
    }
    if !(1..=MAX_COUNT).contains(&count) {
        return Err(Error::Count { max: MAX_COUNT, actual: count });
    }
    let asking = Asking { algorithm, secret, count, peers };
    let (sig_ver, dispositions) = asking.sig_ver()?;
    let prompts =
        [(Task::KeyGen, asking.key_gen()), (Task::SigGen, asking.sig_gen()?), (Task::SigVer, sig_ver)];
    let prompts = prompts.into_iter().map(|(task, groups)| {
        let head = Head {
            vs_id: u64::from(asking.stream(task, "vsId").number()),
            family: algorithm.family(),
            task,
            is_sample: Some(false),
            acv_version: None,
        };
        Ok((task, wire::write(&head.write(groups), None)?))
    });
    Ok(Asked { prompts: prompts.collect::<Result<_, Error>>()?, dispositions })
}

struct Asking<'a> {
    algorithm: Algorithm,
    secret: &'a Secret,
    count: usize,
    peers: &'a [Arc<dyn Peer>],
}

impl Asking<'_> {
    fn stream(&self, task: Task, purpose: &str) -> Stream {
        self.secret.stream(&format!("{} {} {purpose}", self.algorithm, task.name()))
    }

    /// A case's own bytes: no case depends on how many there are.
    fn case_stream(&self, task: Task, group: usize, case: usize) -> Stream {
        self.stream(task, &format!("group {group} case {case}"))
    }

    fn interfaces(&self) -> &'static [Interface] {
        match self.algorithm.family() {
            Family::MlDsa => {
                &[Interface::Pure, Interface::PreHash, Interface::ExternalMu, Interface::Internal]
            }
            _ => &[Interface::Pure, Interface::PreHash, Interface::Internal],
        }
    }

    fn key_gen(&self) -> Vec<wire::PromptGroup> {
        let tests = (0..self.count).map(|case| {
            let seed = self.case_stream(Task::KeyGen, 0, case).bytes(self.algorithm.parameters().seed);
            let mut test = wire::PromptTest { tc_id: self.tc_id(0, case), ..Default::default() };
            if self.algorithm.family() == Family::MlDsa {
                test.seed = upper(&seed);
            } else {
                let mut parts = seed.chunks(seed.len() / 3);
                test.sk_seed = parts.next().and_then(upper);
                test.sk_prf = parts.next().and_then(upper);
                test.pk_seed = parts.next().and_then(upper);
            }
            test
        });
        vec![wire::PromptGroup { tests: tests.collect(), ..self.group(0) }]
    }

    fn sig_gen(&self) -> Result<Vec<wire::PromptGroup>, Error> {
        let kinds = [(true, false), (false, true), (false, false)];
        let shapes: Vec<_> = kinds
            .iter()
            .flat_map(|kind| self.interfaces().iter().map(move |interface| (*kind, *interface)))
            .collect();
        let groups = shapes.par_iter().enumerate().map(|(index, &((deterministic, given), interface))| {
            let tests = (0..self.count).into_par_iter().map(|case| {
                let mut stream = self.case_stream(Task::SigGen, index, case);
                let private = self.private_key(&mut stream)?;
                let message = self.message(interface, case, &mut stream);
                let mut test = wire::PromptTest {
                    tc_id: self.tc_id(index, case),
                    sk: upper(private.expanded()),
                    ..Default::default()
                };
                describe(&message, &mut test);
                if given {
                    let randomness = upper(&stream.bytes(self.algorithm.parameters().randomness));
                    match self.algorithm.family() {
                        Family::MlDsa => test.rnd = randomness,
                        _ => test.additional_randomness = randomness,
                    }
                }
                Ok(test)
            });
            let tests = tests.collect::<Result<_, Error>>()?;
            let mut group = wire::PromptGroup { tests, ..self.group(index) };
            group.deterministic = Some(deterministic);
            self.name_interface(interface, &mut group);
            Ok(group)
        });
        groups.collect()
    }

    fn sig_ver(&self) -> Result<(Vec<wire::PromptGroup>, BTreeMap<Key, Disposition>), Error> {
        let interfaces = self.interfaces();
        let mut stream = self.stream(Task::SigVer, "dispositions");
        let dealt = deal(interfaces.len() * self.count, &mut stream);
        let groups = interfaces.par_iter().enumerate().map(|(index, &interface)| {
            let tests = (0..self.count)
                .into_par_iter()
                .with_max_len(1)
                .map(|case| self.verification(index, interface, case, dealt[index * self.count + case]));
            let tests = tests.collect::<Result<_, Error>>()?;
            let mut group = wire::PromptGroup { tests, ..self.group(index) };
            self.name_interface(interface, &mut group);
            Ok(group)
        });
        let groups = groups.collect::<Result<Vec<_>, Error>>()?;
        let keys = groups.iter().flat_map(|group| group.tests.iter().map(|test| (group.tg_id, test.tc_id)));
        let dispositions = keys.zip(dealt.iter().copied()).collect();
        Ok((groups, dispositions))
    }

    fn verification(
        &self,
        index: usize,
        interface: Interface,
        case: usize,
        disposition: Disposition,
    ) -> Result<wire::PromptTest, Error> {
        let mut stream = self.case_stream(Task::SigVer, index, case);
        let private = self.private_key(&mut stream)?;
        let message = self.message(interface, case, &mut stream);
        let mut signature = self.sign(&private, &message)?;
        let mut public = private.public_key().clone();
        let mut asked = message;
        match disposition {
            Disposition::OtherHash if matches!(asked.mode, Mode::PreHash(_)) => {
                asked.mode = self.other_hash(asked.mode);
            }
            Disposition::OtherKey => public = self.private_key(&mut stream)?.public_key().clone(),
            _ => disposition.apply(&mut asked, &mut signature, &mut stream),
        }
        let mut test = wire::PromptTest {
            tc_id: self.tc_id(index, case),
            pk: upper(public.as_bytes()),
            signature: upper(&signature),
            ..Default::default()
        };
        describe(&asked, &mut test);
        Ok(test)
    }

    /// A signature by the first peer that can: the same by each, or they are at odds and it is for `check` to see.
    fn sign(&self, private: &PrivateKey, message: &Message) -> Result<Vec<u8>, Error> {
        let no_signer = |reason: String| Error::NoSigner { reason };
        let private = EncodedKey::private(private, KeyForm::RawExpanded)
            .map_err(|error| no_signer(error.to_string()))?;
        let question =
            Question::Sign { private, message: message.clone(), randomness: Randomness::Deterministic };
        let mut reason = "there is no peer".to_owned();
        for peer in self.peers {
            match perform(&question, peer.as_ref()) {
                Ok(Outcome::Signature(signature)) => return Ok(signature),
                Ok(_) => reason = format!("{} gave no signature", peer.name()),
                Err(refusal) => reason = format!("{}: {refusal}", peer.name()),
            }
        }
        Err(no_signer(reason))
    }

    fn private_key(&self, stream: &mut Stream) -> Result<PrivateKey, Error> {
        let seed = stream.bytes(self.algorithm.parameters().seed);
        PrivateKey::from_seed(self.algorithm, &seed)
            .map_err(|error| Error::NoSigner { reason: error.to_string() })
    }

    /// Sizes at the borders first, then any, small ones as often as large ones.
    fn message(&self, interface: Interface, case: usize, stream: &mut Stream) -> Message {
        if interface == Interface::ExternalMu {
            return Message::pure(stream.bytes(64)).with_mode(Mode::ExternalMu);
        }
        let length = match case {
            // M' starts with two bytes in every case.
            0 if interface == Interface::Internal => 2,
            0 => 0,
            1 => MAX_MESSAGE,
            _ => {
                let bits = stream.below(MAX_MESSAGE.ilog2() as usize + 1);
                2 + stream.below(1 << bits).min(MAX_MESSAGE - 2)
            }
        };
        let message = Message::pure(stream.bytes(length));
        let context_length = match case {
            0 => 255,
            1 => 0,
            2 => 1,
            _ => stream.below(256),
        };
        match interface {
            Interface::Internal => message.with_mode(Mode::Internal),
            Interface::PreHash => {
                let hashes: Vec<_> = HashAlgorithm::allowed_for(self.algorithm).collect();
                let hash = hashes[(case + stream.below(hashes.len())) % hashes.len()];
                message.with_mode(Mode::PreHash(hash)).with_context(stream.bytes(context_length))
            }
            _ => message.with_context(stream.bytes(context_length)),
        }
    }

    fn other_hash(&self, mode: Mode) -> Mode {
        let others = HashAlgorithm::allowed_for(self.algorithm).map(Mode::PreHash);
        others.into_iter().find(|other| *other != mode).unwrap_or(mode)
    }

    fn tc_id(&self, group: usize, case: usize) -> u64 {
        (group * self.count + case + 1) as u64
    }

    fn group(&self, index: usize) -> wire::PromptGroup {
        wire::PromptGroup {
            tg_id: index as u64 + 1,
            test_type: Some("AFT".to_owned()),
            parameter_set: Some(self.algorithm.name().to_owned()),
            deterministic: None,
            signature_interface: None,
            pre_hash: None,
            external_mu: None,
            tests: Vec::new(),
        }
    }

    fn name_interface(&self, interface: Interface, group: &mut wire::PromptGroup) {
        let external = matches!(interface, Interface::Pure | Interface::PreHash);
        group.signature_interface = Some(if external { "external" } else { "internal" }.to_owned());
        if external {
            group.pre_hash = Some(if interface == Interface::Pure { "pure" } else { "preHash" }.to_owned());
        } else if self.algorithm.family() == Family::MlDsa {
            group.external_mu = Some(interface == Interface::ExternalMu);
        }
    }
}

/// NIST writes bytes in upper case.
#[expect(clippy::unnecessary_wraps, reason = "every use is a field that may be absent")]
fn upper(bytes: &[u8]) -> Option<String> {
    Some(hex::encode_upper(bytes))
}

fn describe(message: &Message, test: &mut wire::PromptTest) {
    let data = upper(&message.data);
    match message.mode {
        Mode::ExternalMu => test.mu = data,
        Mode::Internal => test.message = data,
        Mode::Pure => {
            test.message = data;
            test.context = upper(&message.context);
        }
        Mode::PreHash(hash) => {
            test.message = data;
            test.context = upper(&message.context);
            test.hash_alg = Some(hash.acvp_name().to_owned());
        }
    }
}
