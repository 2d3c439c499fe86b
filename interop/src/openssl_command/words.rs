//! What the command's output means. It ends with status 1 for a bad signature, a bad key and a failure alike: only its
//! words tell them apart.

use std::process;

use crate::adapter::protocol::Failure;

/// What a run of the command left behind.
pub(super) struct Output {
    status: process::ExitStatus,
    pub(super) stdout: Vec<u8>,
    stderr: String,
}

impl From<process::Output> for Output {
    fn from(output: process::Output) -> Self {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        Output { status: output.status, stdout: output.stdout, stderr }
    }
}

/// What `-verify` found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Valid,
    Invalid,
    /// That the call failed, or something that we don't know.
    Neither,
}

impl Output {
    pub(super) fn success(&self) -> bool {
        self.status.success()
    }

    /// Valid or invalid only by the command's own word for it, and invalid only without a word of anything else.
    pub(super) fn verdict(&self) -> Said {
        said(self.status.code(), &String::from_utf8_lossy(&self.stdout), &self.stderr)
    }

    /// What a run that did not succeed counts as.
    pub(super) fn failure(&self, task: &str) -> Failure {
        match self.status.code() {
            Some(1) => failure(task, &self.stderr),
            _ => Failure::failed(format!("openssl could not {task}: it ended with {}", self.status)),
        }
    }
}

fn said(code: Option<i32>, stdout: &str, stderr: &str) -> Said {
    let lines = |words: [&str; 2]| stdout.lines().any(|line| words.contains(&line));
    let valid = lines(["Signature Verified Successfully", "Verified OK"]);
    let invalid = lines(["Signature Verification Failure", "Verification failure"]);
    match code {
        Some(0) if valid && !invalid => Said::Valid,
        Some(1) if invalid && !valid && stderr.lines().all(is_rejection) => Said::Invalid,
        _ => Said::Neither,
    }
}

/// Whether a line of stderr is one that OpenSSL writes for a bad signature: EVP_DigestVerify from 3.6 on; SLH-DSA of every
/// version and ML-DSA from 4.0 on for a wrong length (ML-DSA from 3.6 on also for that of mu, which no signature is valid
/// for); and what dgst leaves behind whatever it finds: on its way out, and from 4.0 on when it looks for a digest of
/// its own name.
fn is_rejection(line: &str) -> bool {
    let reasons = ["provider signature failure", "invalid signature size", "bad length", "no digest set"];
    ErrorLine::parse(line).is_some_and(|error| {
        let own_name = error.reason == "unsupported" && error.data.contains("Algorithm (dgst :");
        own_name || reasons.contains(&error.reason)
    })
}

/// `ID:error:CODE:library routines:function:reason:file:line:data`, a line of ERR_print_errors(3).
struct ErrorLine<'a> {
    library: &'a str,
    reason: &'a str,
    data: &'a str,
}

impl<'a> ErrorLine<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let parts: Vec<&str> = line.splitn(9, ':').collect();
        match parts[..] {
            [_, "error", _, library, _, reason, _, _, data] => Some(ErrorLine { library, reason, data }),
            _ => None,
        }
    }

    fn words(&self) -> String {
        let data = if self.data.is_empty() { String::new() } else { format!(" ({})", self.data) };
        format!("{}: {}{data}", self.library, self.reason)
    }
}

/// The parameters whose values come with a request: when OpenSSL does not take one, it refuses the request.
const REFUSABLE: [&str; 2] = ["hexcontext-string", "hextest-entropy"];

fn failure(task: &str, stderr: &str) -> Failure {
    let errors: Vec<ErrorLine<'_>> = stderr.lines().filter_map(ErrorLine::parse).collect();
    let mut reasons: Vec<String> = errors.iter().map(ErrorLine::words).collect();
    // Words of the program itself, without the values that it quotes.
    let own = stderr.lines().find(|line| ErrorLine::parse(line).is_none() && !line.trim().is_empty());
    if let Some(own) = own {
        reasons.insert(0, unquoted(own));
    }
    let reason = format!("openssl could not {task}: {}", reasons.join("; "));
    let bad_key = stderr.lines().any(|line| line.starts_with("Could not find"));
    let bad_value = own.and_then(parameter).is_some_and(|name| REFUSABLE.contains(&name));
    if bad_key || bad_value { Failure::refused(reason) } else { Failure::failed(reason) }
}

/// The name in `Can't set parameter "NAME:VALUE"` (pkeyutl) and `Signature parameter error "NAME:VALUE"` (dgst).
fn parameter(line: &str) -> Option<&str> {
    let says = line.contains("Can't set parameter") || line.contains("Signature parameter error");
    let (_, quoted) = line.split_once('"')?;
    says.then_some(quoted.split_once(':')?.0)
}

fn unquoted(line: &str) -> String {
    match (line.split_once('"'), parameter(line)) {
        (Some((before, _)), Some(name)) => format!("{before}{name}"),
        _ => line.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::protocol::FailureKind;

    /// Lines of 3.6.3, with its own numbers.
    const BAD_SIGNATURE: &str = "40A7:error:030000EA:digital envelope routines:EVP_DigestVerify:provider signature failure:crypto/evp/m_sigver.c:785:ML-DSA-44 digest_verify:\n";
    const BAD_LENGTH: &str = "40A7:error:1C80008E:Provider routines:ml_dsa_verify_internal:bad length:crypto/ml_dsa/ml_dsa_sign.c:343:\n";
    const BAD_KEY: &str = "Could not find private key of key from private.der\n40B7:error:1C80009E:Provider routines:ossl_ml_dsa_generate_key:invalid key:crypto/ml_dsa/ml_dsa_key.c:495:explicit ML-DSA-44 private key does not match seed\n";
    /// A line of 4.0.3.
    const NO_DIGEST: &str = "40A7:error:0308010C:digital envelope routines:inner_evp_generic_fetch:unsupported:crypto/evp/evp_fetch.c:376:Global default library context, Algorithm (dgst : 0), Properties (<null>)\n";
    const FAILURE: &str = "Signature Verification Failure\n";

    #[test]
    fn a_bad_signature_and_a_failed_call_are_told_apart() {
        assert_eq!(said(Some(0), "Signature Verified Successfully\n", ""), Said::Valid);
        assert_eq!(said(Some(0), "Verified OK\n", ""), Said::Valid);
        assert_eq!(said(Some(1), FAILURE, ""), Said::Invalid);
        assert_eq!(said(Some(1), FAILURE, BAD_SIGNATURE), Said::Invalid);
        assert_eq!(said(Some(1), FAILURE, BAD_LENGTH), Said::Invalid);
        assert_eq!(said(Some(1), "Verification failure\n", BAD_SIGNATURE), Said::Invalid);
        assert_eq!(said(Some(1), "Verification failure\n", NO_DIGEST), Said::Invalid);
        for (code, stdout, stderr) in [
            (Some(1), FAILURE, "Error reading raw input data\n"),
            (Some(1), FAILURE, "40A7:error:07880000:common libcrypto routines::malloc failure:a.c:1:\n"),
            (Some(1), FAILURE, &NO_DIGEST.replace("dgst", "ML-DSA-44")),
            (Some(1), "", BAD_KEY),
            (Some(1), "", BAD_SIGNATURE),
            (Some(0), "", ""),
            (Some(0), FAILURE, ""),
            (None, FAILURE, ""),
            (Some(1), "Signature Verified Successfully\n", ""),
        ] {
            assert_eq!(said(code, stdout, stderr), Said::Neither, "{code:?} {stdout} {stderr}");
        }
    }

    #[test]
    fn what_openssl_will_not_take_is_refused_and_the_rest_has_failed() {
        let long = "pkeyutl: Can't set parameter \"hexcontext-string:0000\":\n40D7:error:07800074:common libcrypto routines:get_string_internal:too small buffer:crypto/params.c:1373:\n";
        let cases = [
            (BAD_KEY, FailureKind::Refused, "does not match seed"),
            ("Could not find or decode public key of key from public.der\n", FailureKind::Refused, "decode"),
            (
                long,
                FailureKind::Refused,
                "Can't set parameter hexcontext-string; common libcrypto routines: too small",
            ),
            ("Signature parameter error \"hextest-entropy:00\"\n", FailureKind::Refused, "hextest-entropy"),
            (BAD_LENGTH, FailureKind::Failed, "bad length"),
            ("pkeyutl: Can't set parameter \"mu:1\":\n", FailureKind::Failed, "parameter mu"),
            ("Could not open file or uri for loading private key from none\n", FailureKind::Failed, "none"),
            (
                "pkeyutl: Could not allocate 0 bytes for oneshot sign/verify buffer\n",
                FailureKind::Failed,
                "allocate",
            ),
            (BAD_SIGNATURE, FailureKind::Failed, "provider signature failure"),
            ("", FailureKind::Failed, "could not sign"),
        ];
        for (stderr, kind, expected) in cases {
            let failure = failure("sign", stderr);
            assert_eq!(failure.kind, kind, "{stderr}");
            assert!(failure.reason.contains(expected), "{}", failure.reason);
            assert!(!failure.reason.contains("0000"), "{}", failure.reason);
        }
    }
}
