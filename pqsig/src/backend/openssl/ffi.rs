//! The C functions of libcrypto behind safe types: the only unsafe code of this backend.
//!
//! Ownership: [`Library`] owns an OSSL_LIB_CTX, [`Signature`] an EVP_SIGNATURE, [`Pkey`] an EVP_PKEY, and
//! [`Generator`], [`Signer`] and [`Verifier`] an initialised EVP_PKEY_CTX each. All but the first refer to a library
//! context that lives for ever, see [`Library::leak`].
//!
//! Threads: OpenSSL's contexts may move between threads but not be shared, so [`Generator`], [`Signer`] and
//! [`Verifier`] are `Send`, and need `&mut self`. Library contexts lock what they hold; an EVP_SIGNATURE and an
//! EVP_PKEY that nobody changes any more are counted atomically. Those are `Sync`.
#![allow(unsafe_code, reason = "calls C; every block says why it is sound")]

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_ulong};
use std::marker::PhantomData;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::sync::Once;

use openssl_sys as sys;

use super::errors::{Entry, Errors};
use super::params::{Params, UNSIGNED_INTEGER, UTF8_PTR, end_of_params, param};

/// Opaque: OpenSSL's EVP_KEYMGMT, which openssl-sys does not declare.
#[repr(C)]
struct EvpKeymgmt {
    _private: [u8; 0],
}

// Declared as in OpenSSL 3.5's headers: crypto.h, provider.h, evp.h. openssl-sys 0.9.118 lacks these.
unsafe extern "C" {
    fn OPENSSL_init_crypto(options: u64, settings: *const sys::OPENSSL_INIT_SETTINGS) -> c_int;
    fn OPENSSL_info(kind: c_int) -> *const c_char;

    fn OSSL_PROVIDER_load_ex(
        libctx: *mut sys::OSSL_LIB_CTX,
        name: *const c_char,
        settings: *mut sys::OSSL_PARAM,
    ) -> *mut sys::OSSL_PROVIDER;
    fn OSSL_PROVIDER_get0_name(provider: *const sys::OSSL_PROVIDER) -> *const c_char;
    fn OSSL_PROVIDER_get_params(provider: *const sys::OSSL_PROVIDER, params: *mut sys::OSSL_PARAM) -> c_int;

    fn EVP_SIGNATURE_get0_provider(signature: *const sys::EVP_SIGNATURE) -> *mut sys::OSSL_PROVIDER;
    fn EVP_SIGNATURE_settable_ctx_params(signature: *const sys::EVP_SIGNATURE) -> *const sys::OSSL_PARAM;

    fn EVP_KEYMGMT_fetch(
        libctx: *mut sys::OSSL_LIB_CTX,
        algorithm: *const c_char,
        properties: *const c_char,
    ) -> *mut EvpKeymgmt;
    fn EVP_KEYMGMT_free(keymgmt: *mut EvpKeymgmt);
    fn EVP_KEYMGMT_gen_settable_params(keymgmt: *const EvpKeymgmt) -> *const sys::OSSL_PARAM;

    fn EVP_PKEY_get0_provider(key: *const sys::EVP_PKEY) -> *const sys::OSSL_PROVIDER;
    fn EVP_PKEY_fromdata_settable(ctx: *mut sys::EVP_PKEY_CTX, selection: c_int) -> *const sys::OSSL_PARAM;
    fn EVP_PKEY_CTX_new_from_pkey(
        libctx: *mut sys::OSSL_LIB_CTX,
        key: *mut sys::EVP_PKEY,
        propq: *const c_char,
    ) -> *mut sys::EVP_PKEY_CTX;
    fn EVP_PKEY_sign_init_ex2(
        ctx: *mut sys::EVP_PKEY_CTX,
        algorithm: *mut sys::EVP_SIGNATURE,
        params: *const sys::OSSL_PARAM,
    ) -> c_int;
    fn EVP_PKEY_verify_init_ex2(
        ctx: *mut sys::EVP_PKEY_CTX,
        algorithm: *mut sys::EVP_SIGNATURE,
        params: *const sys::OSSL_PARAM,
    ) -> c_int;
}

/// OPENSSL_init_crypto(3), once, before anything else of OpenSSL is called.
///
/// Without an atexit handler: OpenSSL's own would free the library's global state while other threads may still
/// sign. The process's end frees it all anyway. No configuration file is read.
pub(super) fn initialize() {
    const LOAD_CRYPTO_STRINGS: u64 = 0x2;
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the function may be called at any time, and takes a null pointer for its defaults. It can fail for
        // want of memory only, which the next call would report.
        unsafe { OPENSSL_init_crypto(sys::OPENSSL_INIT_NO_ATEXIT | LOAD_CRYPTO_STRINGS, ptr::null()) };
    });
}

/// What [`info`] can tell; the values are OpenSSL's.
#[derive(Clone, Copy)]
pub(super) enum Info {
    ConfigurationFolder = 1001,
    ModulesFolder = 1003,
    CpuSettings = 1008,
}

/// OPENSSL_info(3): a fact of the linked library.
pub(super) fn info(kind: Info) -> Option<String> {
    initialize();
    // SAFETY: takes any number, and answers with a null pointer or a string that stays.
    let text = unsafe { OPENSSL_info(kind as c_int) };
    // SAFETY: as above, null or a C string.
    unsafe { owned_text(text) }
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

/// Keeps this thread's error stack empty around a call: what others left there would be taken for this call's
/// errors, and what this call leaves would be taken for theirs.
pub(super) struct CleanStack(());

impl CleanStack {
    pub(super) fn new() -> Self {
        clear_errors();
        CleanStack(())
    }
}

impl Drop for CleanStack {
    fn drop(&mut self) {
        clear_errors();
    }
}

/// ERR_clear_error(3), which costs more than the look whether it is needed.
fn clear_errors() {
    if has_errors() {
        // SAFETY: works on this thread's own stack.
        unsafe { sys::ERR_clear_error() };
    }
}

/// ERR_peek_last_error(3): whether this thread's stack holds anything.
pub(super) fn has_errors() -> bool {
    // SAFETY: works on this thread's own stack.
    unsafe { sys::ERR_peek_last_error() != 0 }
}

/// ERR_get_error_all(3), until this thread's stack is empty: the oldest error first.
pub(super) fn drain_errors() -> Errors {
    let mut entries = Vec::new();
    loop {
        let mut data = ptr::null();
        let mut flags = 0;
        // SAFETY: each pointer is null, which means not wanted, or points to a local variable of the right type.
        let code = unsafe {
            sys::ERR_get_error_all(
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null_mut(),
                &raw mut data,
                &raw mut flags,
            )
        };
        if code == 0 {
            return Errors::new(entries);
        }
        // SAFETY: OpenSSL gives a C string, empty if there is no data, that stays until the next call on the stack.
        let data = unsafe { owned_text(data) }.filter(|data| !data.is_empty());
        entries.push(Entry {
            library: sys::ERR_GET_LIB(code),
            code: reason_code(code),
            reason: words(code),
            data,
        });
    }
}

fn reason_code(code: c_ulong) -> c_int {
    sys::ERR_GET_REASON(code)
}

/// ERR_reason_error_string(3), which knows no words for the errors of the operating system.
fn words(code: c_ulong) -> String {
    // SAFETY: takes any number, and answers with a null pointer or a string that stays.
    let text = unsafe { sys::ERR_reason_error_string(code) };
    // SAFETY: as above, null or a C string.
    unsafe { owned_text(text) }.unwrap_or_else(|| {
        if sys::ERR_SYSTEM_ERROR(code) {
            std::io::Error::from_raw_os_error(reason_code(code)).to_string()
        } else {
            format!("error {code:08X}")
        }
    })
}

/// What a C function returned: 1 and above is success.
fn cvt(result: c_int) -> Result<(), Errors> {
    if result > 0 { Ok(()) } else { Err(drain_errors()) }
}

/// What a C function returned: null is failure.
fn cvt_p<T>(result: *mut T) -> Result<NonNull<T>, Errors> {
    NonNull::new(result).ok_or_else(drain_errors)
}

/// Whether a list that a provider describes itself with has this key: OSSL_PARAM_locate_const(3).
///
/// # Safety
/// `list` is null or a list of OSSL_PARAM with its end.
unsafe fn has_key(list: *const sys::OSSL_PARAM, key: &CStr) -> bool {
    if list.is_null() {
        return false;
    }
    // SAFETY: the list is one by the caller's promise, the key is a C string.
    !unsafe { sys::OSSL_PARAM_locate_const(list, key.as_ptr()) }.is_null()
}

/// A library context of its own, OSSL_LIB_CTX(3), with the default provider and the one that was asked for.
pub(super) struct Library {
    libctx: LibCtx,
    provider: NonNull<sys::OSSL_PROVIDER>,
}

// SAFETY: the library context and its providers do their own locking. Not `Send`, since OSSL_LIB_CTX_free stops the
// calling thread's part in it only: it must run on the thread that loaded the providers.
unsafe impl Sync for Library {}

struct LibCtx(NonNull<sys::OSSL_LIB_CTX>);

impl Drop for LibCtx {
    fn drop(&mut self) {
        // SAFETY: owned, and nothing refers to it any more. Frees the providers with it.
        unsafe { sys::OSSL_LIB_CTX_free(self.0.as_ptr()) };
    }
}

impl Library {
    /// OSSL_LIB_CTX_new, OSSL_PROVIDER_set_default_search_path and OSSL_PROVIDER_load_ex. The default provider
    /// is always loaded too: it gives the context its random number generator, and loading another one keeps it
    /// from being loaded unasked. No configuration file is read; `settings` are given to the provider instead.
    pub(super) fn load(
        name: &CStr,
        folder: Option<&CStr>,
        settings: &[(CString, CString)],
    ) -> Result<Self, Errors> {
        initialize();
        // SAFETY: takes nothing.
        let libctx = LibCtx(cvt_p(unsafe { sys::OSSL_LIB_CTX_new() })?);
        if let Some(folder) = folder {
            // SAFETY: a live library context and a C string, which is copied.
            cvt(unsafe { sys::OSSL_PROVIDER_set_default_search_path(libctx.0.as_ptr(), folder.as_ptr()) })?;
        }
        // SAFETY: a live library context and a C string. The provider goes with the context.
        cvt_p(unsafe { sys::OSSL_PROVIDER_load(libctx.0.as_ptr(), c"default".as_ptr()) })?;
        let mut params = settings.iter().fold(Params::new(), |params, (key, value)| params.text(key, value));
        let given = if params.is_empty() { ptr::null_mut() } else { params.as_mut_ptr() };
        // SAFETY: a live library context, C strings, and null or a list with its end; all are copied.
        let loaded = unsafe { OSSL_PROVIDER_load_ex(libctx.0.as_ptr(), name.as_ptr(), given) };
        Ok(Library { provider: cvt_p(loaded)?, libctx })
    }

    /// Gives the library context up to live for ever. Everything that keeps state in it needs that: OpenSSL keeps
    /// a random number generator per thread and context, which it frees when the thread ends, through a pointer
    /// to the context. OSSL_LIB_CTX_free can't reach those of other threads.
    pub(super) fn leak(self) -> &'static Self {
        Box::leak(Box::new(self))
    }

    /// The provider that was asked for.
    pub(super) fn provider(&self) -> Provider<'_> {
        Provider { provider: self.provider, library: PhantomData }
    }

    fn as_ptr(&self) -> *mut sys::OSSL_LIB_CTX {
        self.libctx.0.as_ptr()
    }
}

/// A loaded provider: OSSL_PROVIDER(3).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Provider<'library> {
    provider: NonNull<sys::OSSL_PROVIDER>,
    library: PhantomData<&'library Library>,
}

impl Provider<'_> {
    /// OSSL_PROVIDER_get0_name: the name that it was loaded by.
    pub(super) fn name(self) -> String {
        // SAFETY: the provider lives as long as its library.
        let name = unsafe { OSSL_PROVIDER_get0_name(self.provider.as_ptr()) };
        // SAFETY: null or a C string of the provider.
        unsafe { owned_text(name) }.unwrap_or_default()
    }

    /// OSSL_PROVIDER_get_params: one of its texts, `name` (a longer one than its own), `version` or `buildinfo`.
    pub(super) fn text(self, key: &CStr) -> Option<String> {
        let mut text: *const c_char = ptr::null();
        let mut params = [param(key.as_ptr(), UTF8_PTR, (&raw mut text).cast(), 0), end_of_params()];
        // SAFETY: a live provider, and a list with its end whose value is a pointer to be set.
        unsafe { OSSL_PROVIDER_get_params(self.provider.as_ptr(), params.as_mut_ptr()) };
        // SAFETY: still null, or set to a C string of the provider.
        unsafe { owned_text(text) }
    }

    /// OSSL_PROVIDER_get_params, `status`: false in a provider that has stopped itself, as the FIPS provider
    /// does after a failed self-test. Such a one answers every call with failure and no words. `None` if it
    /// does not say.
    pub(super) fn is_running(self) -> Option<bool> {
        let mut status: c_uint = 0;
        let data = (&raw mut status).cast();
        let mut params =
            [param(c"status".as_ptr(), UNSIGNED_INTEGER, data, size_of::<c_uint>()), end_of_params()];
        // SAFETY: a live provider, and a list with its end whose value has the size that it states.
        let answered = unsafe { OSSL_PROVIDER_get_params(self.provider.as_ptr(), params.as_mut_ptr()) } > 0;
        (answered && params[0].return_size != usize::MAX).then_some(status != 0)
    }
}

/// An implementation of a signature algorithm, fetched once: EVP_SIGNATURE(3).
pub(super) struct Signature(NonNull<sys::EVP_SIGNATURE>);

// SAFETY: read only after it was fetched, and counted atomically.
unsafe impl Send for Signature {}
// SAFETY: as above.
unsafe impl Sync for Signature {}

impl Drop for Signature {
    fn drop(&mut self) {
        // SAFETY: owned; gives up one count.
        unsafe { sys::EVP_SIGNATURE_free(self.0.as_ptr()) };
    }
}

impl Signature {
    /// EVP_SIGNATURE_fetch.
    pub(super) fn fetch(library: &'static Library, algorithm: &CStr, query: &CStr) -> Result<Self, Errors> {
        // SAFETY: a library context that stays, and C strings.
        let fetched =
            unsafe { sys::EVP_SIGNATURE_fetch(library.as_ptr(), algorithm.as_ptr(), query.as_ptr()) };
        cvt_p(fetched).map(Signature)
    }

    /// EVP_SIGNATURE_get0_provider.
    pub(super) fn provider(&self) -> Option<Provider<'static>> {
        // SAFETY: a live EVP_SIGNATURE.
        let provider = unsafe { EVP_SIGNATURE_get0_provider(self.0.as_ptr()) };
        NonNull::new(provider).map(|provider| Provider { provider, library: PhantomData })
    }

    /// EVP_SIGNATURE_settable_ctx_params: whether a context of it takes this parameter.
    pub(super) fn takes(&self, key: &CStr) -> bool {
        // SAFETY: a live EVP_SIGNATURE; null or a list of the provider that stays.
        let list = unsafe { EVP_SIGNATURE_settable_ctx_params(self.0.as_ptr()) };
        // SAFETY: as above.
        unsafe { has_key(list, key) }
    }
}

/// What a provider's key management offers for one algorithm: EVP_KEYMGMT(3).
pub(super) struct KeyManagement {
    /// Generates from a given seed.
    pub(super) generates_from_seed: bool,
    /// Takes a private key in the standard's encoding.
    pub(super) imports_private: bool,
    /// Takes the seed of a private key.
    pub(super) imports_seed: bool,
}

impl KeyManagement {
    /// EVP_KEYMGMT_fetch, EVP_KEYMGMT_gen_settable_params and EVP_PKEY_fromdata_settable. `None` if the provider
    /// has no such keys.
    pub(super) fn of(library: &'static Library, algorithm: &CStr, query: &CStr) -> Option<Self> {
        // SAFETY: a library context that stays, and C strings.
        let fetched = unsafe { EVP_KEYMGMT_fetch(library.as_ptr(), algorithm.as_ptr(), query.as_ptr()) };
        let keymgmt = NonNull::new(fetched)?;
        // SAFETY: a live EVP_KEYMGMT; null or a list of the provider that stays.
        let list = unsafe { EVP_KEYMGMT_gen_settable_params(keymgmt.as_ptr()) };
        // SAFETY: as above.
        let generates_from_seed = unsafe { has_key(list, c"seed") };
        // SAFETY: owned; gives up one count.
        unsafe { EVP_KEYMGMT_free(keymgmt.as_ptr()) };

        let mut ctx = PkeyCtx::from_name(library, algorithm, query).ok()?;
        // SAFETY: an EVP_PKEY_CTX that nobody else uses; null or a list of the provider that stays.
        let list = unsafe { EVP_PKEY_fromdata_settable(ctx.as_mut_ptr(), sys::EVP_PKEY_KEYPAIR) };
        // SAFETY: as above.
        let imports_private = unsafe { has_key(list, c"priv") };
        // SAFETY: as above.
        let imports_seed = unsafe { has_key(list, c"seed") };
        Some(KeyManagement { generates_from_seed, imports_private, imports_seed })
    }
}

/// A key that is not changed any more: EVP_PKEY(3).
pub(super) struct Pkey(NonNull<sys::EVP_PKEY>);

// SAFETY: no function here changes a key once it is made; what OpenSSL caches in it is behind the key's lock.
unsafe impl Send for Pkey {}
// SAFETY: as above.
unsafe impl Sync for Pkey {}

impl Drop for Pkey {
    fn drop(&mut self) {
        // SAFETY: owned; gives up one count.
        unsafe { sys::EVP_PKEY_free(self.0.as_ptr()) };
    }
}

/// Which half of a key is imported.
#[derive(Clone, Copy)]
pub(super) enum Half {
    Public,
    Private,
}

impl Pkey {
    /// EVP_PKEY_fromdata.
    pub(super) fn import(
        library: &'static Library,
        algorithm: &CStr,
        query: &CStr,
        half: Half,
        mut params: Params<'_>,
    ) -> Result<Self, Errors> {
        let mut ctx = PkeyCtx::from_name(library, algorithm, query)?;
        // SAFETY: an EVP_PKEY_CTX that nobody else uses.
        cvt(unsafe { sys::EVP_PKEY_fromdata_init(ctx.as_mut_ptr()) })?;
        let selection = match half {
            Half::Public => sys::EVP_PKEY_PUBLIC_KEY,
            Half::Private => sys::EVP_PKEY_KEYPAIR,
        };
        let mut key = ptr::null_mut();
        // SAFETY: as above; a null pointer to be set to a new key; a list with its end, which is only read.
        cvt(unsafe {
            sys::EVP_PKEY_fromdata(ctx.as_mut_ptr(), &raw mut key, selection, params.as_mut_ptr())
        })?;
        cvt_p(key).map(Pkey)
    }

    /// EVP_PKEY_get0_provider: the provider that holds the key.
    pub(super) fn provider(&self) -> Option<Provider<'static>> {
        // SAFETY: a live EVP_PKEY.
        let provider = unsafe { EVP_PKEY_get0_provider(self.0.as_ptr()) };
        NonNull::new(provider.cast_mut()).map(|provider| Provider { provider, library: PhantomData })
    }

    /// EVP_PKEY_get_octet_string_param: how many bytes of `buffer` one of the key's parts filled. `None` if the
    /// key does not have the part, or more of it than fits; then the error stack may say why.
    pub(super) fn octets(&self, part: &CStr, buffer: &mut [u8]) -> Option<usize> {
        let mut length = 0;
        // SAFETY: a live EVP_PKEY, a C string, and a buffer of the stated length.
        let found = unsafe {
            sys::EVP_PKEY_get_octet_string_param(
                self.0.as_ptr(),
                part.as_ptr(),
                buffer.as_mut_ptr(),
                buffer.len(),
                &raw mut length,
            )
        };
        (found == 1).then_some(length)
    }
}

/// An operation with a key or an algorithm: EVP_PKEY_CTX(3).
struct PkeyCtx(NonNull<sys::EVP_PKEY_CTX>);

// SAFETY: has no tie to a thread, and is never shared: every use needs `&mut self`.
unsafe impl Send for PkeyCtx {}

impl Drop for PkeyCtx {
    fn drop(&mut self) {
        // SAFETY: owned. Wipes what the provider keeps of secrets.
        unsafe { sys::EVP_PKEY_CTX_free(self.0.as_ptr()) };
    }
}

impl PkeyCtx {
    /// EVP_PKEY_CTX_new_from_name.
    fn from_name(library: &'static Library, algorithm: &CStr, query: &CStr) -> Result<Self, Errors> {
        // SAFETY: a library context that stays, and C strings.
        let ctx =
            unsafe { sys::EVP_PKEY_CTX_new_from_name(library.as_ptr(), algorithm.as_ptr(), query.as_ptr()) };
        cvt_p(ctx).map(PkeyCtx)
    }

    /// EVP_PKEY_CTX_new_from_pkey. The new context counts as a holder of the key.
    fn from_key(library: &'static Library, key: &Pkey, query: &CStr) -> Result<Self, Errors> {
        // SAFETY: a library context that stays, a live key and a C string.
        let ctx = unsafe { EVP_PKEY_CTX_new_from_pkey(library.as_ptr(), key.0.as_ptr(), query.as_ptr()) };
        cvt_p(ctx).map(PkeyCtx)
    }

    fn as_mut_ptr(&mut self) -> *mut sys::EVP_PKEY_CTX {
        self.0.as_ptr()
    }

    /// EVP_PKEY_CTX_set_params.
    fn set(&mut self, params: &Params<'_>) -> Result<(), Errors> {
        // SAFETY: an initialised EVP_PKEY_CTX, a list with its end; the values are copied.
        cvt(unsafe { sys::EVP_PKEY_CTX_set_params(self.as_mut_ptr(), params.as_ptr()) })
    }
}

/// A context for generating keys. A seed that was set stays: see [`Generator::seed`].
pub(super) struct Generator(PkeyCtx);

impl Generator {
    /// EVP_PKEY_keygen_init.
    pub(super) fn new(library: &'static Library, algorithm: &CStr, query: &CStr) -> Result<Self, Errors> {
        let mut ctx = PkeyCtx::from_name(library, algorithm, query)?;
        // SAFETY: an EVP_PKEY_CTX that nobody else uses.
        cvt(unsafe { sys::EVP_PKEY_keygen_init(ctx.as_mut_ptr()) })?;
        Ok(Generator(ctx))
    }

    /// Generates one key from a seed and is used up: all further keys would be the same.
    pub(super) fn seed(mut self, seed: &[u8]) -> Result<Pkey, Errors> {
        self.0.set(&Params::new().octets(c"seed", seed))?;
        self.generate()
    }

    /// EVP_PKEY_generate.
    pub(super) fn generate(&mut self) -> Result<Pkey, Errors> {
        let mut key = ptr::null_mut();
        // SAFETY: an initialised EVP_PKEY_CTX, and a null pointer to be set to a new key.
        cvt(unsafe { sys::EVP_PKEY_generate(self.0.as_mut_ptr(), &raw mut key) })?;
        cvt_p(key).map(Pkey)
    }
}

/// What an algorithm's context takes: the message (the `_message_init` functions), or its digest (`_init_ex2`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Message,
    Digest,
}

/// A context for signing with one key, again and again.
pub(super) struct Signer(PkeyCtx);

impl Signer {
    /// EVP_PKEY_sign_message_init or EVP_PKEY_sign_init_ex2.
    pub(super) fn new(
        library: &'static Library,
        key: &Pkey,
        signature: &Signature,
        query: &CStr,
        over: Over,
    ) -> Result<Self, Errors> {
        let mut ctx = PkeyCtx::from_key(library, key, query)?;
        let initialize = match over {
            Over::Message => sys::EVP_PKEY_sign_message_init,
            Over::Digest => EVP_PKEY_sign_init_ex2,
        };
        // SAFETY: an EVP_PKEY_CTX that nobody else uses, and an EVP_SIGNATURE that it counts as a holder of.
        cvt(unsafe { initialize(ctx.as_mut_ptr(), signature.0.as_ptr(), ptr::null()) })?;
        Ok(Signer(ctx))
    }

    /// EVP_PKEY_CTX_set_params. What is set stays set.
    pub(super) fn set(&mut self, params: &Params<'_>) -> Result<(), Errors> {
        self.0.set(params)
    }

    /// EVP_PKEY_sign: the length of the signature, which `buffer` starts with.
    pub(super) fn sign(&mut self, message: &[u8], buffer: &mut [u8]) -> Result<usize, Errors> {
        let mut length = buffer.len();
        // SAFETY: a context that was initialised for signing; buffers of the stated lengths. The pointers of empty
        // slices are not null, which OpenSSL asks for.
        cvt(unsafe {
            sys::EVP_PKEY_sign(
                self.0.as_mut_ptr(),
                buffer.as_mut_ptr(),
                &raw mut length,
                message.as_ptr(),
                message.len(),
            )
        })?;
        Ok(length)
    }
}

/// What EVP_PKEY_verify(3) returned. The error stack is left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// 1: the signature is valid.
    One,
    /// 0: it is not, or the call failed.
    Zero,
    /// Below 0: the call failed.
    Negative,
}

/// A context for verifying with one key, again and again.
pub(super) struct Verifier(PkeyCtx);

impl Verifier {
    /// EVP_PKEY_verify_message_init or EVP_PKEY_verify_init_ex2.
    pub(super) fn new(
        library: &'static Library,
        key: &Pkey,
        signature: &Signature,
        query: &CStr,
        over: Over,
    ) -> Result<Self, Errors> {
        let mut ctx = PkeyCtx::from_key(library, key, query)?;
        let initialize = match over {
            Over::Message => sys::EVP_PKEY_verify_message_init,
            Over::Digest => EVP_PKEY_verify_init_ex2,
        };
        // SAFETY: as in `Signer::new`.
        cvt(unsafe { initialize(ctx.as_mut_ptr(), signature.0.as_ptr(), ptr::null()) })?;
        Ok(Verifier(ctx))
    }

    /// EVP_PKEY_CTX_set_params. What is set stays set.
    pub(super) fn set(&mut self, params: &Params<'_>) -> Result<(), Errors> {
        self.0.set(params)
    }

    /// EVP_PKEY_verify.
    pub(super) fn verify(&mut self, message: &[u8], signature: &[u8]) -> Answer {
        // SAFETY: a context that was initialised for verifying; buffers of the stated lengths, which are only read.
        let result = unsafe {
            sys::EVP_PKEY_verify(
                self.0.as_mut_ptr(),
                signature.as_ptr(),
                signature.len(),
                message.as_ptr(),
                message.len(),
            )
        };
        match result {
            1.. => Answer::One,
            0 => Answer::Zero,
            _ => Answer::Negative,
        }
    }
}

/// A path as OpenSSL takes it; `None` if it is not UTF-8 or holds a NUL.
pub(super) fn c_path(path: &Path) -> Option<CString> {
    CString::new(path.to_str()?).ok()
}
