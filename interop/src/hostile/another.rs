//! A valid signature beside another message, context, key or algorithm.

use pqsig::{Algorithm, Context, Family};

use super::{Cases, Signed};
use crate::key::{EncodedKey, KeyForm};
use crate::message::{Message, Mode};
use crate::question::Question;
use crate::record::Depth;

/// Another message. An external mu of another length than 64 is no message at all, and refused as well
/// (aws-lc#2841).
pub(super) fn messages(signed: &Signed<'_>, cases: &mut Cases) {
    let data = &signed.message.data;
    let changed = |data: Vec<u8>| {
        let message = Message { data: data.into(), ..signed.message.clone() };
        signed.with_message(message)
    };
    cases.rejected("message with a zero byte appended", changed([data, &[0][..]].concat()));

    let flipped = |index: usize, bit: u8| {
        let mut data = data.to_vec();
        data[index] ^= bit;
        changed(data)
    };
    let last = data.len().checked_sub(1);
    for (name, question) in [
        ("message with a bit flipped, first byte", last.map(|_| flipped(0, 0x01))),
        ("message with a bit flipped, last byte", last.map(|last| flipped(last, 0x80))),
        ("message one byte short", last.map(|last| changed(data[..last].to_vec()))),
        // Of one byte, this is the case before.
        ("message empty", last.filter(|last| *last > 0).map(|_| changed(Vec::new()))),
    ] {
        cases.rejected_if(name, question, "the message is too short");
    }
}

/// Another context, where there can be one: not with mu or M', in which it is enclosed, and not with pure
/// Ed25519, which has none.
pub(super) fn contexts(signed: &Signed<'_>, cases: &mut Cases) {
    let Message { mode, context, data } = signed.message;
    let is_ed25519 = signed.algorithm().family() == Family::Ed25519;
    match mode {
        Mode::Pure if !is_ed25519 => boundaries(signed, cases),
        Mode::PreHash(_) => {}
        _ => return,
    }
    let with = |context: Vec<u8>| {
        let message = Message { mode: *mode, context, data: data.clone() };
        signed.with_message(message)
    };
    let last = context.len().checked_sub(1);
    let flipped = |index: usize| {
        let mut context = context.clone();
        context[index] ^= 1;
        with(context)
    };
    cases.rejected("context with a zero byte appended", with([&context[..], &[0]].concat()));
    cases.rejected_if("context with a bit flipped", last.map(flipped), "the context is empty");
    let short = last.map(|last| with(context[..last].to_vec()));
    cases.rejected_if("context one byte short", short, "the context is empty");
    let several = last.filter(|last| *last > 0);
    cases.rejected_if(
        "context left out",
        several.map(|_| with(Vec::new())),
        "the context has no more than one byte",
    );
    // ACVP-Server#476: one more than the standards allow.
    cases.rejected("context of 256 bytes", with(vec![0; Context::MAX + 1]));
}

/// Context and message stand side by side in M' (FIPS 204 Algorithm 2, FIPS 205 Algorithm 22). Only the byte
/// that gives the context's length keeps the one from running into the other.
fn boundaries(signed: &Signed<'_>, cases: &mut Cases) {
    let Message { context, data, .. } = signed.message;
    let split = |length: Option<usize>| -> Option<Question> {
        let both = [context, &data[..]].concat();
        let (context, data) = both.split_at_checked(length?)?;
        Some(signed.with_message(Message::pure(data.to_vec()).with_context(context)))
    };
    let longer = Some(context.len() + 1).filter(|length| *length <= Context::MAX);
    let shorter = context.len().checked_sub(1);
    cases.rejected_if(
        "first byte of the message moved into the context",
        split(longer),
        "the message is empty, or the context is full",
    );
    cases.rejected_if(
        "last byte of the context moved into the message",
        split(shorter),
        "the context is empty",
    );
    // A verifier that writes the length into one byte without a look builds the very M' that was signed.
    cases.rejected_if(
        "context 256 bytes too long, whose length wraps to the same M'",
        split(Some(context.len() + 256)),
        "the message has fewer than 256 bytes",
    );
}

/// Another key, and the same bytes as a key of another set of SLH-DSA, where the sizes coincide: of another
/// hash function, and with [`Depth::Full`] also of another height, whose signatures have another length.
pub(super) fn keys(signed: &Signed<'_>, depth: Depth, cases: &mut Cases) {
    cases.rejected("another key", signed.with_key(EncodedKey::public(signed.other, KeyForm::RawPublic)));
    let own = signed.algorithm().parameters();
    let coincides = |other: &Algorithm| {
        let other = other.parameters();
        other.algorithm != own.algorithm
            && other.family == own.family
            && other.public_key == own.public_key
            && (depth == Depth::Full || other.signature == own.signature)
    };
    for algorithm in Algorithm::all().filter(coincides) {
        let bytes = signed.private.public_key().as_bytes().to_vec();
        let key = EncodedKey { algorithm, form: KeyForm::RawPublic, bytes };
        cases.rejected(format!("the key as one of {algorithm}"), signed.with_key(key));
    }
}
