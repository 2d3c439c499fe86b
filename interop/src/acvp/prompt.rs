//! Prompts: what NIST asks, as questions that any peer can be asked.

use std::collections::HashSet;

use pqsig::{Algorithm, Family, HashAlgorithm};

use super::error::{Error, Place};
use super::head::{Head, Task};
use super::wire;
use crate::key::{EncodedKey, KeyForm};
use crate::message::{Message, Mode, Randomness};
use crate::question::Question;

/// A prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// Its head.
    pub head: Head,
    /// Its groups, in the file's order.
    pub groups: Vec<Group>,
}

/// A group: cases of one parameter set.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// NIST's number for the group.
    pub tg_id: u64,
    /// The parameter set.
    pub algorithm: Algorithm,
    /// Its cases, in the file's order.
    pub cases: Vec<Case>,
}

/// A case.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// NIST's number for the case.
    pub tc_id: u64,
    /// What is asked. Keys are bare: the standards' encodings. Randomness is [`Randomness::Hedged`] where the group is
    /// not deterministic and the case gives none.
    pub question: Question,
}

impl Prompt {
    /// Reads a prompt: the object itself, or NIST's array `[{"acvVersion": ...}, {...}]`. Lengths of keys, signatures and
    /// contexts are not checked: what an implementation makes of wrong ones is what it is asked.
    ///
    /// # Errors
    /// [`Error::Json`]; [`Error::Malformed`], which names the group, the case and the field.
    pub fn parse(json: &[u8]) -> Result<Self, Error> {
        let (set, acv_version) = wire::read::<wire::PromptGroup>(json)?;
        let head = Head::parse(&set, acv_version)?;
        let mut known = HashSet::new();
        let groups = set.test_groups.into_iter().map(|group| {
            if !known.insert(group.tg_id) {
                return Err(Place::group(group.tg_id).malformed("this tgId stands twice in the file"));
            }
            Group::parse(&head, group)
        });
        let groups = groups.collect::<Result<_, _>>()?;
        Ok(Prompt { head, groups })
    }

    /// Every case with its group, in the file's order.
    pub fn cases(&self) -> impl Iterator<Item = (&Group, &Case)> {
        self.groups.iter().flat_map(|group| group.cases.iter().map(move |case| (group, case)))
    }

    /// The number of cases.
    #[must_use]
    pub fn len(&self) -> usize {
        self.groups.iter().map(|group| group.cases.len()).sum()
    }

    /// True if nothing is asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Group {
    fn parse(head: &Head, group: wire::PromptGroup) -> Result<Self, Error> {
        let tg_id = group.tg_id;
        let malformed = |reason: String| Place::group(tg_id).malformed(reason);
        let name =
            group.parameter_set.as_deref().ok_or_else(|| missing(Place::group(tg_id), "parameterSet"))?;
        let algorithm = Algorithm::all()
            .find(|algorithm| algorithm.name() == name && algorithm.family() == head.family)
            .ok_or_else(|| {
                malformed(format!("`parameterSet` is `{name}`, which is no set of {}", head.family))
            })?;
        // Both families know the algorithm functional test only. Another type would be asked in another way.
        if let Some(other) = group.test_type.as_deref().filter(|kind| *kind != "AFT") {
            return Err(malformed(format!("`testType` is `{other}`: AFT is known")));
        }
        let shape = match head.task {
            Task::KeyGen => Shape::KeyGen,
            Task::SigGen => {
                let deterministic =
                    group.deterministic.ok_or_else(|| missing(Place::group(tg_id), "deterministic"))?;
                Shape::SigGen { interface: Interface::parse(head.family, &group)?, deterministic }
            }
            Task::SigVer => Shape::SigVer { interface: Interface::parse(head.family, &group)? },
        };
        let mut known = HashSet::new();
        let cases = group.tests.into_iter().map(|test| {
            let place = Place::case(tg_id, test.tc_id);
            if !known.insert(test.tc_id) {
                return Err(place.malformed("this tcId stands twice in its group"));
            }
            let tc_id = test.tc_id;
            let question = Fields { place, test }.question(algorithm, shape)?;
            Ok(Case { tc_id, question })
        });
        let cases = cases.collect::<Result<_, _>>()?;
        Ok(Group { tg_id, algorithm, cases })
    }
}

/// What the fields of a group say about the fields of its cases.
#[derive(Clone, Copy)]
enum Shape {
    KeyGen,
    SigGen { interface: Interface, deterministic: bool },
    SigVer { interface: Interface },
}

/// How messages reach the implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interface {
    /// ML-DSA.Sign, slh_sign.
    Pure,
    /// HashML-DSA.Sign, hash_slh_sign.
    PreHash,
    /// ML-DSA.Sign_internal from mu on.
    ExternalMu,
    /// ML-DSA.Sign_internal, slh_sign_internal: the message is M'.
    Internal,
}

impl Interface {
    fn parse(family: Family, group: &wire::PromptGroup) -> Result<Self, Error> {
        let place = Place::group(group.tg_id);
        let unknown = |field: &str, value: &str, known: &str| {
            Err(place.malformed(format!("`{field}` is `{value}`: {known} are known")))
        };
        let interface = group.signature_interface.as_deref();
        match interface.ok_or_else(|| missing(place, "signatureInterface"))? {
            "external" => match group.pre_hash.as_deref().ok_or_else(|| missing(place, "preHash"))? {
                "pure" => Ok(Interface::Pure),
                "preHash" => Ok(Interface::PreHash),
                other => unknown("preHash", other, "pure and preHash"),
            },
            "internal" => match (family, group.external_mu) {
                (Family::MlDsa, None) => Err(missing(place, "externalMu")),
                (Family::MlDsa, Some(true)) => Ok(Interface::ExternalMu),
                (_, Some(true)) => Err(place.malformed("`externalMu` is true, and only ML-DSA has a mu")),
                _ => Ok(Interface::Internal),
            },
            other => unknown("signatureInterface", other, "external and internal"),
        }
    }
}

/// A case's fields, each asked for by the name that an error has to give.
struct Fields {
    place: Place,
    test: wire::PromptTest,
}

impl Fields {
    fn question(&self, algorithm: Algorithm, shape: Shape) -> Result<Question, Error> {
        match shape {
            Shape::KeyGen => Ok(Question::Derive { algorithm, seed: self.seed(algorithm.family())? }),
            Shape::SigGen { interface, deterministic } => {
                let bytes = self.required("sk", self.test.sk.as_deref())?;
                Ok(Question::Sign {
                    private: EncodedKey { algorithm, form: KeyForm::RawExpanded, bytes },
                    message: self.message(interface)?,
                    randomness: self.randomness(algorithm.family(), deterministic)?,
                })
            }
            Shape::SigVer { interface } => {
                let bytes = self.required("pk", self.test.pk.as_deref())?;
                Ok(Question::Verify {
                    public: EncodedKey { algorithm, form: KeyForm::RawPublic, bytes },
                    message: self.message(interface)?,
                    signature: self.required("signature", self.test.signature.as_deref())?,
                })
            }
        }
    }

    fn seed(&self, family: Family) -> Result<Vec<u8>, Error> {
        if family == Family::MlDsa {
            return self.required("seed", self.test.seed.as_deref());
        }
        let parts = [
            self.required("skSeed", self.test.sk_seed.as_deref())?,
            self.required("skPrf", self.test.sk_prf.as_deref())?,
            self.required("pkSeed", self.test.pk_seed.as_deref())?,
        ];
        // One after the other they are the seed of this project, where the borders must lie between equal parts.
        if parts.iter().any(|part| part.len() != parts[0].len()) {
            return Err(self.place.malformed("skSeed, skPrf and pkSeed differ in length"));
        }
        Ok(parts.concat())
    }

    fn message(&self, interface: Interface) -> Result<Message, Error> {
        let test = &self.test;
        if interface == Interface::ExternalMu {
            let mu = self.required("mu", test.mu.as_deref())?;
            return Ok(Message::pure(mu).with_mode(Mode::ExternalMu));
        }
        let data = self.required("message", test.message.as_deref())?;
        if let Some(bits) = test.message_length.filter(|bits| *bits != 8 * data.len() as u64) {
            let actual = 8 * data.len();
            return Err(self
                .place
                .malformed(format!("`messageLength` is {bits}, `message` has {actual} bits")));
        }
        let message = Message::pure(data);
        match interface {
            Interface::Internal => Ok(message.with_mode(Mode::Internal)),
            Interface::PreHash => {
                let name = test.hash_alg.as_deref().ok_or_else(|| missing(self.place, "hashAlg"))?;
                let hash = HashAlgorithm::ALL.into_iter().find(|hash| hash.acvp_name() == name);
                let hash = hash.ok_or_else(|| {
                    let known = HashAlgorithm::ALL.map(HashAlgorithm::acvp_name).join(", ");
                    self.place.malformed(format!("`hashAlg` is `{name}`: {known} are known"))
                })?;
                Ok(message.with_mode(Mode::PreHash(hash)).with_context(self.context()?))
            }
            _ => Ok(message.with_context(self.context()?)),
        }
    }

    fn context(&self) -> Result<Vec<u8>, Error> {
        self.required("context", self.test.context.as_deref())
    }

    fn randomness(&self, family: Family, deterministic: bool) -> Result<Randomness, Error> {
        let given = match family {
            Family::MlDsa => self.optional("rnd", self.test.rnd.as_deref())?,
            _ => self.optional("additionalRandomness", self.test.additional_randomness.as_deref())?,
        };
        Ok(match (deterministic, given) {
            (true, _) => Randomness::Deterministic,
            (false, Some(bytes)) => Randomness::Fixed(bytes),
            (false, None) => Randomness::Hedged,
        })
    }

    fn required(&self, field: &str, given: Option<&str>) -> Result<Vec<u8>, Error> {
        self.optional(field, given)?.ok_or_else(|| missing(self.place, field))
    }

    fn optional(&self, field: &str, given: Option<&str>) -> Result<Option<Vec<u8>>, Error> {
        given
            .map(|text| bytes(text).map_err(|why| self.place.malformed(format!("`{field}` {why}"))))
            .transpose()
    }
}

/// Hexadecimal in either case.
pub(super) fn bytes(text: &str) -> Result<Vec<u8>, String> {
    hex::decode(text).map_err(|error| match error {
        hex::FromHexError::OddLength => format!("has an odd number of hexadecimal digits, {}", text.len()),
        error => format!("is not hexadecimal: {}", error.to_string().to_lowercase()),
    })
}

fn missing(place: Place, field: &str) -> Error {
    place.malformed(format!("`{field}` is missing"))
}
