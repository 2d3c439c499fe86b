//! The adapter's end of the protocol.

use std::io::{self, BufRead, Write};

use super::protocol::{Failure, Hello, Request, Response};

/// Answers requests until there are no more: what `main` of an adapter in Rust does with stdin and stdout. Hello is
/// answered here; everything else by `answer`.
///
/// # Errors
/// What reading and writing report.
pub fn serve(
    requests: impl BufRead,
    mut replies: impl Write,
    hello: &Hello,
    mut answer: impl FnMut(Request) -> Result<Response, Failure>,
) -> io::Result<()> {
    for line in requests.split(b'\n') {
        let line = line?;
        let (id, response) = match Request::from_line(&line) {
            Ok((id, Request::Hello { .. })) => (id, Ok(Response::Hello(hello.clone()))),
            Ok((id, request)) => (id, answer(request)),
            Err((Some(id), reason)) => (id, Err(Failure::unsupported(reason))),
            // There is no reply without an id: the suite will call what follows garbage.
            Err((None, reason)) => return Err(io::Error::new(io::ErrorKind::InvalidData, reason)),
        };
        let response = response.unwrap_or_else(|error| Response::Error { error });
        replies.write_all(&response.to_line(id)?)?;
        replies.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::adapter::protocol::{VERSION, Valid};

    #[test]
    fn every_request_has_one_reply_with_its_id() {
        let hello = Hello {
            protocol: VERSION,
            name: "test".to_owned(),
            version: "1".to_owned(),
            lineage: "test".to_owned(),
            artifacts: Vec::new(),
            algorithms: BTreeMap::new(),
        };
        let requests = concat!(
            r#"{"id":0,"op":"hello","protocol":1}"#,
            "\n",
            r#"{"id":1,"op":"keygen","algorithm":"Ed25519"}"#,
            "\n",
            r#"{"id":2,"op":"fly"}"#,
            "\n",
            r#"{"id":3,"op":"keygen","algorithm":"ML-DSA-44"}"#,
            "\n",
        );
        let mut replies = Vec::new();
        let mut asked = 0;
        serve(requests.as_bytes(), &mut replies, &hello, |_| {
            asked += 1;
            if asked == 1 { Err(Failure::refused("no")) } else { Ok(Response::Valid(Valid { valid: true })) }
        })
        .unwrap();
        let replies = String::from_utf8(replies).unwrap();
        let replies: Vec<_> = replies.lines().collect();
        assert!(replies[0].starts_with(r#"{"id":0,"protocol":1,"name":"test""#));
        assert_eq!(replies[1], r#"{"id":1,"error":{"kind":"refused","reason":"no"}}"#);
        assert!(replies[2].starts_with(r#"{"id":2,"error":{"kind":"unsupported","#));
        assert_eq!(replies[3], r#"{"id":3,"valid":true}"#);
        assert!(serve(&b"nonsense\n"[..], io::sink(), &hello, |_| Err(Failure::refused(""))).is_err());
    }
}
