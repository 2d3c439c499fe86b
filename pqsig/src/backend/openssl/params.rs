//! Lists of OSSL_PARAM(3): how values go to OpenSSL and come back.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr;

use openssl_sys as sys;

/// A list of OSSL_PARAM(3) for setting, which borrows its values.
pub(super) struct Params<'a> {
    /// Ended by an OSSL_PARAM without a key.
    list: Vec<sys::OSSL_PARAM>,
    values: PhantomData<&'a [u8]>,
}

const INTEGER: c_uint = 1;
pub(super) const UNSIGNED_INTEGER: c_uint = 2;
const UTF8_STRING: c_uint = 4;
const OCTET_STRING: c_uint = 5;
pub(super) const UTF8_PTR: c_uint = 6;

/// One parameter. To make it is safe; the function that it is given to relies on its pointers.
pub(super) fn param(
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
) -> sys::OSSL_PARAM {
    // What OSSL_PARAM_UNMODIFIED stands for.
    sys::OSSL_PARAM { key, data_type, data, data_size, return_size: usize::MAX }
}

/// What ends a list.
pub(super) fn end_of_params() -> sys::OSSL_PARAM {
    param(ptr::null(), 0, ptr::null_mut(), 0)
}

impl<'a> Params<'a> {
    pub(super) fn new() -> Self {
        let mut list = Vec::with_capacity(8);
        list.push(end_of_params());
        Params { list, values: PhantomData }
    }

    fn push(mut self, key: &'a CStr, data_type: c_uint, data: *const c_void, size: usize) -> Self {
        let end = self.list.len() - 1;
        // The functions that set parameters only read them; C's type just can't say so.
        self.list.insert(end, param(key.as_ptr(), data_type, data.cast_mut(), size));
        self
    }

    pub(super) fn octets(self, key: &'a CStr, value: &'a [u8]) -> Self {
        self.push(key, OCTET_STRING, value.as_ptr().cast(), value.len())
    }

    pub(super) fn flag(self, key: &'a CStr, value: bool) -> Self {
        static VALUES: [c_int; 2] = [0, 1];
        let value: *const c_int = &raw const VALUES[usize::from(value)];
        self.push(key, INTEGER, value.cast(), size_of::<c_int>())
    }

    pub(super) fn text(self, key: &'a CStr, value: &'a CStr) -> Self {
        self.push(key, UTF8_STRING, value.as_ptr().cast(), value.count_bytes())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.len() == 1
    }

    /// A list with its end, for functions that read it.
    pub(super) fn as_ptr(&self) -> *const sys::OSSL_PARAM {
        self.list.as_ptr()
    }

    /// As `as_ptr`, for functions whose type does not say that they only read.
    pub(super) fn as_mut_ptr(&mut self) -> *mut sys::OSSL_PARAM {
        self.list.as_mut_ptr()
    }
}
