//! Generating keys, signing and verifying, with any algorithm and any backend.

use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pqsig::backend::Generate;
use pqsig::{Algorithm, Backend, Context, Feature, Message, Randomness, SigningKey, Verdict, VerifyingKey};

use super::corpus::{Corpus, Messages};
use crate::workload::{Failure, Identity, NotReady, Source, Workload};
use crate::{Operation, Options, Unmeasured};

/// The most signatures that are made to be verified.
const MAX_SIGNATURES: usize = 256;

/// When making signatures has taken this long, those that there are must do. One always is.
const SIGNING_TIME: Duration = Duration::from_millis(100);

/// What can be timed of an algorithm, and what of that was asked for can't.
pub(super) fn sources(algorithm: Algorithm, options: &Options) -> (Vec<Box<dyn Source>>, Vec<Unmeasured>) {
    let corpus = Rc::new(Corpus::new(algorithm, options.message_size, options.context_size));
    let mut sources: Vec<Box<dyn Source>> = Vec::new();
    let mut skipped = Vec::new();
    for backend in options.backends_for(algorithm) {
        for operation in &options.operations {
            let identity = Identity {
                algorithm: algorithm.name().to_owned(),
                backend: backend.name(),
                backend_version: backend.version(algorithm),
                operation: operation.name().to_owned(),
            };
            match obstacle(algorithm, &backend, *operation, options) {
                Some(reason) => skipped.push(Unmeasured { identity, reason }),
                None => sources.push(Box::new(SignatureSource {
                    identity,
                    algorithm,
                    backend: backend.clone(),
                    operation: *operation,
                    deterministic: options.deterministic,
                    corpus: Rc::clone(&corpus),
                    signatures: None,
                })),
            }
        }
    }
    (sources, skipped)
}

/// Why an operation can't be timed as it was asked for.
fn obstacle(
    algorithm: Algorithm,
    backend: &Backend,
    operation: Operation,
    options: &Options,
) -> Option<String> {
    let mut needed = vec![Feature::Algorithm];
    if operation != Operation::Keygen {
        if options.context_size > 0 {
            if algorithm == Algorithm::Ed25519 {
                return Some("pure Ed25519 has no context".to_owned());
            }
            needed.push(Feature::Context);
        }
        if options.deterministic {
            needed.push(Feature::Deterministic);
        } else if algorithm != Algorithm::Ed25519 {
            // Ed25519 has one way to sign, whatever it is called.
            needed.push(Feature::Hedged);
        }
    }
    let missing = needed.into_iter().find(|feature| !backend.supports(algorithm, *feature))?;
    Some(format!("the backend does not support {missing}"))
}

struct SignatureSource {
    identity: Identity,
    algorithm: Algorithm,
    backend: Backend,
    operation: Operation,
    deterministic: bool,
    corpus: Rc<Corpus>,
    /// What there is to verify, shared by the threads.
    signatures: Option<Arc<[Vec<u8>]>>,
}

impl Source for SignatureSource {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn workload(&mut self, is_cancelled: &mut dyn FnMut() -> bool) -> Result<Box<dyn Workload>, NotReady> {
        Ok(match self.operation {
            Operation::Keygen => {
                Box::new(Keygen { backend: self.backend.clone(), algorithm: self.algorithm })
            }
            Operation::Sign => Box::new(self.sign()?),
            Operation::Verify => Box::new(Verify {
                signatures: self.signatures(is_cancelled)?,
                key: self.backend.verifying_key(self.corpus.key()?.public_key())?,
                messages: self.corpus.messages(),
                context: self.corpus.context().to_vec(),
            }),
        })
    }
}

impl SignatureSource {
    fn sign(&self) -> Result<Sign, Failure> {
        Ok(Sign {
            key: self.backend.signing_key(self.corpus.key()?)?,
            messages: self.corpus.messages(),
            context: self.corpus.context().to_vec(),
            deterministic: self.deterministic,
        })
    }

    /// Signatures of the first messages, by this backend itself. Slow signers make few.
    fn signatures(&mut self, is_cancelled: &mut dyn FnMut() -> bool) -> Result<Arc<[Vec<u8>]>, NotReady> {
        if let Some(signatures) = &self.signatures {
            return Ok(Arc::clone(signatures));
        }
        let mut signer = self.sign()?;
        let start = Instant::now();
        let mut signatures = Vec::new();
        for index in 0.. {
            if is_cancelled() {
                return Err(NotReady::Cancelled);
            }
            signatures.push(signer.sign(index)?);
            if signatures.len() == MAX_SIGNATURES || start.elapsed() >= SIGNING_TIME {
                break;
            }
        }
        let signatures: Arc<[Vec<u8>]> = signatures.into();
        self.signatures = Some(Arc::clone(&signatures));
        Ok(signatures)
    }
}

/// Generates a key from fresh randomness, and drops it.
struct Keygen {
    backend: Backend,
    algorithm: Algorithm,
}

impl Workload for Keygen {
    fn operate(&mut self, _index: u64) -> Result<(), Failure> {
        black_box(self.backend.generate(self.algorithm, Generate::Random)?);
        Ok(())
    }

    /// The provider that generates a key is the one that then holds it.
    fn provider(&self) -> Option<String> {
        self.backend.generate(self.algorithm, Generate::Random).ok()?.provider()
    }
}

/// Signs one message after the other.
struct Sign {
    key: SigningKey,
    messages: Messages,
    context: Vec<u8>,
    deterministic: bool,
}

impl Sign {
    fn sign(&mut self, index: u64) -> Result<Vec<u8>, pqsig::Error> {
        let randomness = if self.deterministic { Randomness::Deterministic } else { Randomness::Hedged };
        let message =
            Message::Pure { message: self.messages.nth(index), context: Context::new(&self.context)? };
        self.key.sign(&message, randomness)
    }
}

impl Workload for Sign {
    fn operate(&mut self, index: u64) -> Result<(), Failure> {
        black_box(self.sign(index)?);
        Ok(())
    }

    fn provider(&self) -> Option<String> {
        self.key.provider()
    }
}

/// Verifies one valid signature after the other.
struct Verify {
    key: VerifyingKey,
    messages: Messages,
    context: Vec<u8>,
    signatures: Arc<[Vec<u8>]>,
}

impl Workload for Verify {
    fn operate(&mut self, index: u64) -> Result<(), Failure> {
        let index = index % self.signatures.len() as u64;
        let signature = usize::try_from(index).ok().and_then(|index| self.signatures.get(index));
        let Some(signature) = signature else { return Err(Failure::new("there is nothing to verify")) };
        let message =
            Message::Pure { message: self.messages.nth(index), context: Context::new(&self.context)? };
        match self.key.verify(&message, signature)? {
            Verdict::Accepted => Ok(()),
            Verdict::Rejected => Err(Failure::new("rejected a valid signature")),
        }
    }

    fn provider(&self) -> Option<String> {
        self.key.provider()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pqsig::backend::{self, ranking};

    fn source(backend: &Backend, operation: Operation, corpus: &Rc<Corpus>) -> SignatureSource {
        SignatureSource {
            identity: Identity {
                algorithm: "ML-DSA-44".to_owned(),
                backend: backend.name(),
                backend_version: String::new(),
                operation: operation.name().to_owned(),
            },
            algorithm: Algorithm::MlDsa44,
            backend: backend.clone(),
            operation,
            deterministic: true,
            corpus: Rc::clone(corpus),
            signatures: None,
        }
    }

    fn corpus() -> Rc<Corpus> {
        Rc::new(Corpus::new(Algorithm::MlDsa44, 32, 7))
    }

    #[test]
    fn without_randomness_every_backend_makes_the_same_signatures() {
        let made: Vec<Vec<_>> = ranking::ranked(Algorithm::MlDsa44)
            .map(|backend| {
                let mut signer = source(&backend, Operation::Sign, &corpus()).sign().unwrap();
                (0..4).map(|index| signer.sign(index).unwrap()).collect()
            })
            .collect();
        assert!(made.len() > 1 && made.iter().all(|signatures| *signatures == made[0]));
        assert_ne!(made[0][0], made[0][1]);
    }

    #[test]
    fn a_rejected_signature_is_a_failure() {
        for backend in ranking::ranked(Algorithm::MlDsa44) {
            let mut source = source(&backend, Operation::Verify, &corpus());
            let mut signatures = source.signatures(&mut || false).unwrap().to_vec();
            signatures.truncate(1);
            let mut flipped = signatures[0].clone();
            flipped[0] ^= 1;
            signatures.push(flipped);
            source.signatures = Some(signatures.into());
            let mut workload = source.workload(&mut || false).unwrap();
            assert_eq!(workload.operate(0), Ok(()));
            assert_eq!(workload.operate(1), Err(Failure::new("rejected a valid signature")));
            // The inputs repeat when they are used up.
            assert_eq!(workload.operate(2), Ok(()));
        }
    }

    #[test]
    fn making_signatures_can_be_cancelled() {
        let mut source = source(&backend::all()[0], Operation::Verify, &corpus());
        assert_eq!(source.workload(&mut || true).err(), Some(NotReady::Cancelled));
    }

    #[test]
    fn what_was_asked_for_is_a_source_or_skipped_with_the_reason() {
        let options = Options::new([Algorithm::Ed25519]).unwrap();
        let backends = ranking::ranked(Algorithm::Ed25519).count();
        let (ready, skipped) = sources(Algorithm::Ed25519, &options);
        assert_eq!((ready.len(), skipped.len()), (3 * backends, 0));
        let (ready, skipped) = sources(Algorithm::Ed25519, &options.with_context_size(1).unwrap());
        assert_eq!((ready.len(), skipped.len()), (backends, 2 * backends));
        assert!(skipped.iter().all(|skipped| skipped.reason == "pure Ed25519 has no context"));
    }

    #[test]
    fn a_named_backend_without_the_algorithm_is_skipped_with_the_reason() {
        let named =
            Options::new([Algorithm::Ed25519]).unwrap().with_backends(backend::all().to_vec()).unwrap();
        let (ready, skipped) = sources(Algorithm::Ed25519, &named);
        let backends = ranking::ranked(Algorithm::Ed25519).count();
        assert_eq!((ready.len(), skipped.len()), (3 * backends, 3 * (backend::all().len() - backends)));
        assert!(skipped.iter().all(|skipped| skipped.reason == "the backend does not support the algorithm"));
    }
}
