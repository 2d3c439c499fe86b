//! Contexts that wait for their next use.

use std::sync::{Mutex, PoisonError};

/// Things that are dear to make, of use to one thread at a time, and as good as new after use. Holds as many as threads
/// were at work at once.
pub(super) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Pool<T> {
    pub(super) const fn new() -> Self {
        Pool(Mutex::new(Vec::new()))
    }

    /// One that waits, if any does.
    pub(super) fn take(&self) -> Option<T> {
        // No code that can panic runs under the lock, so a poisoned one still guards a sound list.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    pub(super) fn put(&self, thing: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(thing);
    }

    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
