//! The adapter for `qp-rusty-crystals-dilithium`: requests from stdin, replies to stdout, as `../README.md` says.

mod protocol;
mod scheme;

use std::io::{self, BufRead, Write};

use protocol::{Error, Hello, Operation, Reply, Request};
use scheme::{SCHEMES, Scheme};

fn main() -> io::Result<()> {
    let mut replies = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        serde_json::to_writer(&mut replies, &reply(&line?))?;
        replies.write_all(b"\n")?;
        replies.flush()?;
    }
    Ok(())
}

fn reply(line: &str) -> serde_json::Value {
    let request: Request = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => return protocol::numbered(None, Err(Error::failed(error))),
    };
    let answer = answer(&request);
    protocol::numbered(Some(request.id), answer)
}

fn answer(request: &Request) -> Result<Reply, Error> {
    if let Operation::Hello = request.op {
        return Ok(Reply::Hello(Hello::new()?));
    }
    let name = request.algorithm.as_deref().unwrap_or_default();
    let scheme = scheme_named(name).ok_or_else(|| Error::unsupported(name))?;
    match request.op {
        Operation::Hello | Operation::Unknown => Err(Error::unsupported("an operation of that name")),
        Operation::Keygen => {
            let (private, public) = (scheme.generate)(request.seed.as_ref().map(|seed| &seed.0[..]))?;
            Ok(Reply::KeyPair { private, public })
        }
        Operation::Sign => {
            let randomness = request.randomness()?;
            let signature = (scheme.sign)(request.private()?, request.message()?, randomness)?;
            Ok(Reply::Signature { signature })
        }
        Operation::Verify => {
            let valid = (scheme.verify)(request.public()?, request.message()?, request.signature()?)?;
            Ok(Reply::Verdict { valid })
        }
    }
}

fn scheme_named(name: &str) -> Option<&'static Scheme> {
    SCHEMES.iter().find(|scheme| scheme.name == name)
}
