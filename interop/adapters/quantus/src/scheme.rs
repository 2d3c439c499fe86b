//! The library's three parameter sets. They are modules with types of their own, alike but unrelated: a macro stands in
//! for the trait that they lack.

use qp_rusty_crystals_dilithium::{SensitiveBytes32, ml_dsa_44, ml_dsa_65, ml_dsa_87};

use crate::protocol::{Bytes, Error, Form, Key, Message, Randomness};

type Pair = (Key, Key);

/// One parameter set. A pair is the private key and its public one.
pub(crate) struct Scheme {
    pub(crate) name: &'static str,
    pub(crate) generate: fn(Option<&[u8]>) -> Result<Pair, Error>,
    pub(crate) sign: fn(&Key, Message<'_>, Randomness) -> Result<Bytes, Error>,
    pub(crate) verify: fn(&Key, Message<'_>, &[u8]) -> Result<bool, Error>,
}

macro_rules! scheme {
    ($name:literal, $set:ident) => {
        Scheme {
            name: $name,
            generate: |seed| {
                let mut seed = match seed {
                    Some(given) => given.to_vec(),
                    None => fresh()?.to_vec(),
                };
                let pair = $set::Keypair::generate(&mut sensitive(&mut seed, "seed")?);
                let private = Key::new(Form::Expanded, &*pair.secret().to_bytes());
                Ok((private, Key::new(Form::Public, &pair.public().to_bytes())))
            },
            sign: |key, message, randomness| {
                let hedge = hedge(randomness)?;
                let context = Some(message.context);
                let signature = match key.read()? {
                    (Form::Seed, seed) => {
                        let pair = $set::Keypair::generate(&mut sensitive(&mut seed.to_vec(), "seed")?);
                        pair.sign(message.data, context, hedge.as_ref())
                    }
                    (Form::Expanded, bytes) => {
                        let key = $set::SecretKey::from_bytes(bytes).map_err(Error::refused)?;
                        key.sign(message.data, context, hedge.as_ref())
                    }
                    (Form::Public, _) => return Err(Error::refused("a public key signs nothing")),
                };
                Ok(Bytes(signature.map_err(Error::refused)?.to_vec()))
            },
            verify: |key, message, signature| match key.read()? {
                (Form::Public, bytes) => {
                    let key = $set::PublicKey::from_bytes(bytes).map_err(Error::refused)?;
                    Ok(key.verify(message.data, signature, Some(message.context)))
                }
                (Form::Seed | Form::Expanded, _) => Err(Error::refused("a private key verifies nothing")),
            },
        }
    };
}

pub(crate) const SCHEMES: [Scheme; 3] =
    [scheme!("ML-DSA-44", ml_dsa_44), scheme!("ML-DSA-65", ml_dsa_65), scheme!("ML-DSA-87", ml_dsa_87)];

/// The library signs hedged with the bytes that it is given, and deterministically without.
fn hedge(randomness: Randomness) -> Result<Option<SensitiveBytes32>, Error> {
    match randomness {
        Randomness::Deterministic => Ok(None),
        Randomness::Hedged => Ok(Some(SensitiveBytes32::new(&mut fresh()?))),
        Randomness::Given(mut bytes) => sensitive(&mut bytes, "randomness").map(Some),
    }
}

fn fresh() -> Result<[u8; 32], Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(Error::failed)?;
    Ok(bytes)
}

/// The library's type holds 32 bytes: others can't even be handed to it.
fn sensitive(bytes: &mut [u8], what: &str) -> Result<SensitiveBytes32, Error> {
    let length = bytes.len();
    let bytes = <&mut [u8; 32]>::try_from(bytes)
        .map_err(|_| Error::refused(format!("the {what} has {length} bytes, not 32")))?;
    Ok(SensitiveBytes32::new(bytes))
}
