//! The C functions of AWS-LC behind safe types: the only unsafe code of this backend.
//!
//! Ownership: [`Pkey`] owns an EVP_PKEY, [`PkeyContext`] an EVP_PKEY_CTX and [`DigestContext`] an EVP_MD_CTX.
//! [`ExpandedKey`], [`PublicBytes`] and [`EdKey`] own plain bytes, whose lengths are right from the start.
//!
//! Threads: an EVP_PKEY that nobody changes may be used by many threads at once (evp.h says so beside each function
//! that is called here), and its references are counted atomically. A context belongs to one call.
//!
//! Random bytes come from AWS-LC's own generator, which ends the process when it has none.
#![allow(unsafe_code, reason = "calls C; every block says why it is sound")]

use std::ffi::{CStr, c_char, c_int};
use std::ptr::{self, NonNull};

use aws_lc_sys as sys;
use zeroize::Zeroizing;

use super::errors::{Entry, Errors};
use crate::{Algorithm, Verdict};

/// ml_dsa_N_sign_internal(private key, signature, its length, message, its length, prefix, its length, rnd) and
/// ml_dsa_extmu_N_sign_internal, which takes mu for the message.
type SignInternal = unsafe extern "C" fn(
    *const u8,
    *mut u8,
    *mut usize,
    *const u8,
    usize,
    *const u8,
    usize,
    *const u8,
) -> c_int;

/// ml_dsa_N_verify_internal(public key, signature, its length, message, its length, prefix, its length).
type VerifyInternal =
    unsafe extern "C" fn(*const u8, *const u8, usize, *const u8, usize, *const u8, usize) -> c_int;

/// One parameter set of ML-DSA in AWS-LC's terms.
pub(super) struct Set {
    algorithm: Algorithm,
    nid: c_int,
    sign: SignInternal,
    sign_mu: SignInternal,
    verify: VerifyInternal,
}

/// The internal interface of one set, as AWS-LC's crypto/fipsmodule/ml_dsa/ml_dsa.h declares it. AWS-LC exports these
/// functions for its validation by NIST, without putting them among the headers for applications, so aws-lc-sys does
/// not declare them. They may change with any release: Cargo.toml pins the version that stands in their names, and
/// another one does not link. They return 1 or 0 and leave the error queue alone.
macro_rules! set {
    ($algorithm:ident, $nid:ident, $sign:literal, $sign_mu:literal, $verify:literal) => {{
        unsafe extern "C" {
            #[link_name = $sign]
            fn sign_internal(
                private_key: *const u8,
                signature: *mut u8,
                signature_length: *mut usize,
                message: *const u8,
                message_length: usize,
                prefix: *const u8,
                prefix_length: usize,
                rnd: *const u8,
            ) -> c_int;
            #[link_name = $sign_mu]
            fn sign_mu_internal(
                private_key: *const u8,
                signature: *mut u8,
                signature_length: *mut usize,
                mu: *const u8,
                mu_length: usize,
                prefix: *const u8,
                prefix_length: usize,
                rnd: *const u8,
            ) -> c_int;
            #[link_name = $verify]
            fn verify_internal(
                public_key: *const u8,
                signature: *const u8,
                signature_length: usize,
                message: *const u8,
                message_length: usize,
                prefix: *const u8,
                prefix_length: usize,
            ) -> c_int;
        }
        Set {
            algorithm: Algorithm::$algorithm,
            nid: sys::$nid,
            sign: sign_internal,
            sign_mu: sign_mu_internal,
            verify: verify_internal,
        }
    }};
}

static SETS: [Set; 3] = [
    set!(
        MlDsa44,
        NID_MLDSA44,
        "aws_lc_0_47_0_ml_dsa_44_sign_internal",
        "aws_lc_0_47_0_ml_dsa_extmu_44_sign_internal",
        "aws_lc_0_47_0_ml_dsa_44_verify_internal"
    ),
    set!(
        MlDsa65,
        NID_MLDSA65,
        "aws_lc_0_47_0_ml_dsa_65_sign_internal",
        "aws_lc_0_47_0_ml_dsa_extmu_65_sign_internal",
        "aws_lc_0_47_0_ml_dsa_65_verify_internal"
    ),
    set!(
        MlDsa87,
        NID_MLDSA87,
        "aws_lc_0_47_0_ml_dsa_87_sign_internal",
        "aws_lc_0_47_0_ml_dsa_extmu_87_sign_internal",
        "aws_lc_0_47_0_ml_dsa_87_verify_internal"
    ),
];

impl Set {
    pub(super) fn of(algorithm: Algorithm) -> Option<&'static Set> {
        SETS.iter().find(|set| set.algorithm == algorithm)
    }

    pub(super) fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    fn signature_length(&self) -> usize {
        self.algorithm.parameters().signature
    }
}

/// OpenSSL_version(3) of the linked library, such as `AWS-LC 5.12.0`.
pub(super) fn version() -> String {
    // SAFETY: takes any number, and answers with a C string that stays.
    let text = unsafe { sys::OpenSSL_version(sys::OPENSSL_VERSION) };
    // SAFETY: as above, a C string.
    unsafe { owned_text(text) }.unwrap_or_default()
}

/// # Safety
/// `text` is null or a C string.
unsafe fn owned_text(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: not null, so a C string by the caller's promise.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// Keeps this thread's error queue empty around a call: what others left there would be taken for this call's
/// errors, and what this call leaves would be taken for theirs.
pub(super) struct CleanQueue(());

impl CleanQueue {
    pub(super) fn new() -> Self {
        clear_errors();
        CleanQueue(())
    }
}

impl Drop for CleanQueue {
    fn drop(&mut self) {
        clear_errors();
    }
}

/// ERR_clear_error(3), where there is something to clear.
fn clear_errors() {
    if has_errors() {
        // SAFETY: works on this thread's own queue.
        unsafe { sys::ERR_clear_error() };
    }
}

/// ERR_peek_error(3): whether this thread's queue holds anything.
pub(super) fn has_errors() -> bool {
    // SAFETY: works on this thread's own queue.
    unsafe { sys::ERR_peek_error() != 0 }
}

/// ERR_get_error(3), until this thread's queue is empty: the oldest error first.
fn drain_errors() -> Errors {
    let mut entries = Vec::new();
    loop {
        // SAFETY: works on this thread's own queue.
        let code = unsafe { sys::ERR_get_error() };
        if code == 0 {
            return Errors::new(entries);
        }
        // SAFETY: takes any number, and answers with a null pointer or a string that stays.
        let text = unsafe { sys::ERR_reason_error_string(code) };
        // SAFETY: as above, null or a C string.
        let reason = unsafe { owned_text(text) }.unwrap_or_else(|| format!("error {code:08X}"));
        entries.push(Entry { library: sys::ERR_GET_LIB(code), code: sys::ERR_GET_REASON(code), reason });
    }
}

/// Puts an error into this thread's queue, as another user of AWS-LC may leave one there.
#[cfg(test)]
pub(super) fn leave_an_error() {
    // SAFETY: a null input is refused before it is looked at.
    let key = unsafe { sys::EVP_PKEY_pqdsa_new_raw_public_key(sys::NID_MLDSA44, ptr::null(), 0) };
    assert!(key.is_null() && has_errors());
}

/// What a C function returned: 1 is success.
fn cvt(result: c_int) -> Result<(), Errors> {
    if result == 1 { Ok(()) } else { Err(drain_errors()) }
}

/// What a C function returned: null is failure.
fn cvt_p<T>(result: *mut T) -> Result<NonNull<T>, Errors> {
    NonNull::new(result).ok_or_else(drain_errors)
}

/// What an EVP function returned for a signature. It returns 0 for a bad signature and for a failed call.
fn judge_evp(result: c_int) -> Result<Verdict, Errors> {
    match cvt(result) {
        Ok(()) => Ok(Verdict::Accepted),
        Err(errors) if result == 0 && errors.are_a_rejection() => Ok(Verdict::Rejected),
        Err(errors) => Err(errors),
    }
}

/// What a function without EVP around it returned for a signature: 0 in silence for a bad one. The ways in which
/// these fail (Ed25519ph's context over 255 bytes) leave an error.
fn judge_plain(result: c_int) -> Result<Verdict, Errors> {
    match cvt(result) {
        Ok(()) => Ok(Verdict::Accepted),
        Err(errors) if result == 0 && errors.is_empty() => Ok(Verdict::Rejected),
        Err(errors) => Err(errors),
    }
}

/// An ML-DSA key.
pub(super) struct Pkey {
    set: &'static Set,
    key: NonNull<sys::EVP_PKEY>,
}

// SAFETY: nothing in an EVP_PKEY belongs to a thread, and its references are counted atomically.
unsafe impl Send for Pkey {}
// SAFETY: `&Pkey` only reaches functions of which evp.h says that they leave the key as it is and may run at once.
unsafe impl Sync for Pkey {}

impl Drop for Pkey {
    fn drop(&mut self) {
        // SAFETY: owned; the last reference wipes and frees it.
        unsafe { sys::EVP_PKEY_free(self.key.as_ptr()) };
    }
}

impl Pkey {
    /// EVP_PKEY_keygen(3): a key from fresh randomness.
    pub(super) fn generate(set: &'static Set) -> Result<Self, Errors> {
        // SAFETY: takes any number, and a null engine for its own code.
        let context = unsafe { sys::EVP_PKEY_CTX_new_id(sys::EVP_PKEY_PQDSA, ptr::null_mut()) };
        let context = PkeyContext(cvt_p(context)?);
        // SAFETY: the context is valid.
        cvt(unsafe { sys::EVP_PKEY_keygen_init(context.0.as_ptr()) })?;
        // SAFETY: the context is valid and for this family.
        cvt(unsafe { sys::EVP_PKEY_CTX_pqdsa_set_params(context.0.as_ptr(), set.nid) })?;
        let mut key = ptr::null_mut();
        // SAFETY: the context is valid; the key is written to a local variable, whose null asks for a new one.
        cvt(unsafe { sys::EVP_PKEY_keygen(context.0.as_ptr(), &raw mut key) })?;
        Ok(Pkey { set, key: cvt_p(key)? })
    }

    /// `EVP_PKEY_pqdsa_new_raw_private_key`: the key of a seed, or the key with this expanded form, of which it checks
    /// the ranges of s1 and s2, and t0 and tr against what it recomputes.
    pub(super) fn from_private(set: &'static Set, bytes: &[u8]) -> Result<Self, Errors> {
        // SAFETY: reads as many bytes as it is told.
        let key = unsafe { sys::EVP_PKEY_pqdsa_new_raw_private_key(set.nid, bytes.as_ptr(), bytes.len()) };
        Ok(Pkey { set, key: cvt_p(key)? })
    }

    /// `EVP_PKEY_pqdsa_new_raw_public_key`
    pub(super) fn from_public(set: &'static Set, bytes: &[u8]) -> Result<Self, Errors> {
        // SAFETY: reads as many bytes as it is told.
        let key = unsafe { sys::EVP_PKEY_pqdsa_new_raw_public_key(set.nid, bytes.as_ptr(), bytes.len()) };
        Ok(Pkey { set, key: cvt_p(key)? })
    }

    pub(super) fn set(&self) -> &'static Set {
        self.set
    }

    /// `EVP_PKEY_get_private_seed`; fails for a key that came in its expanded form.
    pub(super) fn seed(&self) -> Result<Zeroizing<Vec<u8>>, Errors> {
        self.part(self.set.algorithm.parameters().seed, sys::EVP_PKEY_get_private_seed)
    }

    /// EVP_PKEY_get_raw_private_key(3): the expanded key.
    pub(super) fn expanded(&self) -> Result<ExpandedKey, Errors> {
        let length = self.set.algorithm.parameters().private_key;
        let bytes = self.part(length, sys::EVP_PKEY_get_raw_private_key)?;
        Ok(ExpandedKey { set: self.set, bytes })
    }

    /// EVP_PKEY_get_raw_public_key(3)
    pub(super) fn public(&self) -> Result<Vec<u8>, Errors> {
        let length = self.set.algorithm.parameters().public_key;
        self.part(length, sys::EVP_PKEY_get_raw_public_key).map(|bytes| bytes.to_vec())
    }

    /// One of the key's parts, which has `length` bytes.
    fn part(
        &self,
        length: usize,
        read: unsafe extern "C" fn(*const sys::EVP_PKEY, *mut u8, *mut usize) -> c_int,
    ) -> Result<Zeroizing<Vec<u8>>, Errors> {
        let mut bytes = Zeroizing::new(vec![0; length]);
        let mut written = bytes.len();
        // SAFETY: the key is valid; at most `written` bytes are written, then `written` says how many.
        cvt(unsafe { read(self.key.as_ptr(), bytes.as_mut_ptr(), &raw mut written) })?;
        if written == length { Ok(bytes) } else { Err(Errors::wrong_length(written, length)) }
    }

    /// EVP_DigestSign(3): hedged, over the message and a context of at most 255 bytes.
    pub(super) fn sign(&self, message: &[u8], context: &[u8]) -> Result<Vec<u8>, Errors> {
        let digest_context = DigestContext::new(self, sys::EVP_DigestSignInit, context)?;
        self.signature(|signature, length| {
            // SAFETY: the context is ready to sign and holds the key; at most `length` bytes are written; the message
            // is read for its length.
            unsafe {
                sys::EVP_DigestSign(
                    digest_context.0.as_ptr(),
                    signature,
                    length,
                    message.as_ptr(),
                    message.len(),
                )
            }
        })
    }

    /// EVP_PKEY_sign(3): hedged, over mu.
    pub(super) fn sign_mu(&self, mu: &[u8; 64]) -> Result<Vec<u8>, Errors> {
        let context = PkeyContext::new(self)?;
        // SAFETY: the context is valid.
        cvt(unsafe { sys::EVP_PKEY_sign_init(context.0.as_ptr()) })?;
        self.signature(|signature, length| {
            // SAFETY: the context is ready to sign and holds the key; at most `length` bytes are written; mu is read
            // for its length.
            unsafe { sys::EVP_PKEY_sign(context.0.as_ptr(), signature, length, mu.as_ptr(), mu.len()) }
        })
    }

    /// A signature that `sign` writes into a buffer, of which it is told where it is and how long.
    fn signature(&self, sign: impl FnOnce(*mut u8, *mut usize) -> c_int) -> Result<Vec<u8>, Errors> {
        let expected = self.set.signature_length();
        let mut signature = vec![0; expected];
        let mut written = expected;
        cvt(sign(signature.as_mut_ptr(), &raw mut written))?;
        if written == expected { Ok(signature) } else { Err(Errors::wrong_length(written, expected)) }
    }

    /// EVP_DigestVerify(3), over the message and a context of at most 255 bytes.
    pub(super) fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> Result<Verdict, Errors> {
        let digest_context = DigestContext::new(self, sys::EVP_DigestVerifyInit, context)?;
        // SAFETY: the context is ready to verify and holds the key; both inputs are read for their lengths.
        judge_evp(unsafe {
            sys::EVP_DigestVerify(
                digest_context.0.as_ptr(),
                signature.as_ptr(),
                signature.len(),
                message.as_ptr(),
                message.len(),
            )
        })
    }

    /// EVP_PKEY_verify(3), over mu.
    pub(super) fn verify_mu(&self, mu: &[u8], signature: &[u8]) -> Result<Verdict, Errors> {
        let context = PkeyContext::new(self)?;
        // SAFETY: the context is valid.
        cvt(unsafe { sys::EVP_PKEY_verify_init(context.0.as_ptr()) })?;
        // SAFETY: the context is ready to verify and holds the key; both inputs are read for their lengths.
        judge_evp(unsafe {
            sys::EVP_PKEY_verify(
                context.0.as_ptr(),
                signature.as_ptr(),
                signature.len(),
                mu.as_ptr(),
                mu.len(),
            )
        })
    }
}

/// An EVP_PKEY_CTX for one call.
struct PkeyContext(NonNull<sys::EVP_PKEY_CTX>);

impl PkeyContext {
    fn new(key: &Pkey) -> Result<Self, Errors> {
        // SAFETY: the key is valid, and the context takes a reference to it; a null engine stands for AWS-LC's code.
        cvt_p(unsafe { sys::EVP_PKEY_CTX_new(key.key.as_ptr(), ptr::null_mut()) }).map(PkeyContext)
    }
}

impl Drop for PkeyContext {
    fn drop(&mut self) {
        // SAFETY: owned.
        unsafe { sys::EVP_PKEY_CTX_free(self.0.as_ptr()) };
    }
}

/// An EVP_MD_CTX for one call.
struct DigestContext(NonNull<sys::EVP_MD_CTX>);

/// EVP_DigestSignInit(3) or EVP_DigestVerifyInit(3).
type DigestInit = unsafe extern "C" fn(
    *mut sys::EVP_MD_CTX,
    *mut *mut sys::EVP_PKEY_CTX,
    *const sys::EVP_MD,
    *mut sys::ENGINE,
    *mut sys::EVP_PKEY,
) -> c_int;

impl DigestContext {
    /// A context that is ready to sign or verify whole messages with the key, under a context string.
    fn new(key: &Pkey, init: DigestInit, context: &[u8]) -> Result<Self, Errors> {
        // SAFETY: takes nothing.
        let digest_context = DigestContext(cvt_p(unsafe { sys::EVP_MD_CTX_new() })?);
        let mut key_context = ptr::null_mut();
        // SAFETY: the context is new, the key is valid and is referred to by the context; a null digest says that
        // whole messages come, a null engine stands for AWS-LC's code; the inner context is written to a local.
        cvt(unsafe {
            init(
                digest_context.0.as_ptr(),
                &raw mut key_context,
                ptr::null(),
                ptr::null_mut(),
                key.key.as_ptr(),
            )
        })?;
        if !context.is_empty() {
            // SAFETY: the inner context lives as long as the outer one; the bytes are copied.
            cvt(unsafe {
                sys::EVP_PKEY_CTX_set1_signature_context_string(key_context, context.as_ptr(), context.len())
            })?;
        }
        Ok(digest_context)
    }
}

impl Drop for DigestContext {
    fn drop(&mut self) {
        // SAFETY: owned, with its inner context.
        unsafe { sys::EVP_MD_CTX_free(self.0.as_ptr()) };
    }
}

/// The expanded form of an ML-DSA private key, for the internal interface.
pub(super) struct ExpandedKey {
    set: &'static Set,
    bytes: Zeroizing<Vec<u8>>,
}

impl ExpandedKey {
    pub(super) fn into_bytes(self) -> Zeroizing<Vec<u8>> {
        self.bytes
    }

    /// `ml_dsa_N_sign_internal` (FIPS 204, Algorithm 7), over M' in two parts.
    pub(super) fn sign(&self, [prefix, body]: [&[u8]; 2], rnd: &[u8; 32]) -> Result<Vec<u8>, Errors> {
        self.call(self.set.sign, body, prefix, rnd)
    }

    /// `ml_dsa_extmu_N_sign_internal`: from line 7 of Algorithm 7 on.
    pub(super) fn sign_mu(&self, mu: &[u8; 64], rnd: &[u8; 32]) -> Result<Vec<u8>, Errors> {
        self.call(self.set.sign_mu, mu, &[], rnd)
    }

    fn call(
        &self,
        sign: SignInternal,
        body: &[u8],
        prefix: &[u8],
        rnd: &[u8; 32],
    ) -> Result<Vec<u8>, Errors> {
        let expected = self.set.signature_length();
        let mut signature = vec![0; expected];
        let mut written = 0;
        // SAFETY: `sign` is of the set that the key is of, so the key's and the signature's buffers have the lengths
        // that it takes for granted; `written` is a local; the inputs are read for their lengths, rnd for 32 bytes.
        cvt(unsafe {
            sign(
                self.bytes.as_ptr(),
                signature.as_mut_ptr(),
                &raw mut written,
                body.as_ptr(),
                body.len(),
                prefix.as_ptr(),
                prefix.len(),
                rnd.as_ptr(),
            )
        })?;
        if written == expected { Ok(signature) } else { Err(Errors::wrong_length(written, expected)) }
    }
}

/// An ML-DSA public key, for the internal interface.
pub(super) struct PublicBytes {
    set: &'static Set,
    bytes: Vec<u8>,
}

impl PublicBytes {
    /// `None` if the length is not the set's.
    pub(super) fn new(set: &'static Set, bytes: &[u8]) -> Option<Self> {
        (bytes.len() == set.algorithm.parameters().public_key)
            .then(|| PublicBytes { set, bytes: bytes.to_vec() })
    }

    /// `ml_dsa_N_verify_internal` (FIPS 204, Algorithm 8), over M' in two parts.
    pub(super) fn verify(&self, [prefix, body]: [&[u8]; 2], signature: &[u8]) -> Result<Verdict, Errors> {
        // SAFETY: the function is of the set that the key is of, so the key has the length that it takes for granted;
        // it looks at the signature's length first; the other inputs are read for their lengths.
        judge_plain(unsafe {
            (self.set.verify)(
                self.bytes.as_ptr(),
                signature.as_ptr(),
                signature.len(),
                body.as_ptr(),
                body.len(),
                prefix.as_ptr(),
                prefix.len(),
            )
        })
    }
}

/// An Ed25519 private key as AWS-LC's curve25519.h has it: the seed, then the public key.
pub(super) struct EdKey(Box<Zeroizing<[u8; 64]>>);

impl EdKey {
    /// `ED25519_keypair`: a key from fresh randomness.
    pub(super) fn generate() -> Self {
        let mut key = EdKey(Box::new(Zeroizing::new([0; 64])));
        let mut public = [0; 32];
        // SAFETY: writes 32 and 64 bytes.
        unsafe { sys::ED25519_keypair(public.as_mut_ptr(), key.0.as_mut_ptr()) };
        key
    }

    /// `ED25519_keypair_from_seed`
    pub(super) fn from_seed(seed: &[u8; 32]) -> Self {
        let mut key = EdKey(Box::new(Zeroizing::new([0; 64])));
        let mut public = [0; 32];
        // SAFETY: writes 32 and 64 bytes, reads 32.
        unsafe {
            sys::ED25519_keypair_from_seed(public.as_mut_ptr(), key.0.as_mut_ptr(), seed.as_ptr());
        }
        key
    }

    pub(super) fn seed(&self) -> &[u8] {
        &self.0[..32]
    }

    pub(super) fn public(&self) -> &[u8] {
        &self.0[32..]
    }

    /// `ED25519_sign`
    pub(super) fn sign(&self, message: &[u8]) -> Result<[u8; 64], Errors> {
        let mut signature = [0; 64];
        // SAFETY: writes 64 bytes, reads the key's 64 and the message for its length.
        cvt(unsafe {
            sys::ED25519_sign(signature.as_mut_ptr(), message.as_ptr(), message.len(), self.0.as_ptr())
        })?;
        Ok(signature)
    }

    /// `ED25519ph_sign_digest`: over a SHA-512 digest and a context of at most 255 bytes.
    pub(super) fn sign_digest(&self, digest: &[u8; 64], context: &[u8]) -> Result<[u8; 64], Errors> {
        let mut signature = [0; 64];
        // SAFETY: writes 64 bytes, reads the digest's and the key's 64 and the context for its length.
        cvt(unsafe {
            sys::ED25519ph_sign_digest(
                signature.as_mut_ptr(),
                digest.as_ptr(),
                self.0.as_ptr(),
                context.as_ptr(),
                context.len(),
            )
        })?;
        Ok(signature)
    }
}

/// `ED25519_verify`
pub(super) fn ed25519_verify(
    public: &[u8; 32],
    message: &[u8],
    signature: &[u8; 64],
) -> Result<Verdict, Errors> {
    // SAFETY: reads the signature's 64 bytes, the key's 32 and the message for its length.
    judge_plain(unsafe {
        sys::ED25519_verify(message.as_ptr(), message.len(), signature.as_ptr(), public.as_ptr())
    })
}

/// `ED25519ph_verify_digest`: over a SHA-512 digest and a context of at most 255 bytes.
pub(super) fn ed25519_verify_digest(
    public: &[u8; 32],
    digest: &[u8; 64],
    context: &[u8],
    signature: &[u8; 64],
) -> Result<Verdict, Errors> {
    // SAFETY: reads the digest's and the signature's 64 bytes, the key's 32 and the context for its length.
    judge_plain(unsafe {
        sys::ED25519ph_verify_digest(
            digest.as_ptr(),
            signature.as_ptr(),
            public.as_ptr(),
            context.as_ptr(),
            context.len(),
        )
    })
}
