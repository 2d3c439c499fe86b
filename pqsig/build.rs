//! Refuses an OpenSSL that is too old before its missing functions turn into errors of the linker.

use std::env;

/// OpenSSL 3.5.0, the first with ML-DSA and SLH-DSA, as `OPENSSL_VERSION_NUMBER` spells it: `0xMNN00PP0`.
const NEEDED: u64 = 0x3050_0000;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Some(found) = unsuitable() {
        println!(
            "cargo::error=pqsig needs OpenSSL 3.5 or later (ML-DSA, SLH-DSA), but {found} was found. Enable pqsig's \
             feature `vendored`, which builds a suitable OpenSSL, or set OPENSSL_DIR to the folder of an OpenSSL 3.5 \
             or later."
        );
    }
}

/// What openssl-sys found, if it can't serve. Its build script tells through these variables
/// (`links = "openssl"`).
fn unsuitable() -> Option<String> {
    if env::var_os("DEP_OPENSSL_LIBRESSL").is_some() {
        return Some("LibreSSL".to_owned());
    }
    if env::var_os("DEP_OPENSSL_BORINGSSL").is_some() {
        return Some("BoringSSL".to_owned());
    }
    if env::var_os("DEP_OPENSSL_AWSLC").is_some() {
        return Some("AWS-LC".to_owned());
    }
    let Ok(text) = env::var("DEP_OPENSSL_VERSION_NUMBER") else {
        return Some("an OpenSSL of unknown version".to_owned());
    };
    match u64::from_str_radix(&text, 16) {
        Ok(number) if number >= NEEDED => None,
        Ok(number) => Some(format!(
            "OpenSSL {}.{}.{}",
            number >> 28,
            (number >> 20) & 0xff,
            if number >= 0x3000_0000 { (number >> 4) & 0xff } else { (number >> 12) & 0xff }
        )),
        Err(_) => Some(format!("an OpenSSL with the version number `{text}`")),
    }
}
