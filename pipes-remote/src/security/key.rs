//! Which keys can be used.

use rustls::crypto::ring::sign::any_supported_type;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{Error, InconsistentKeys};

/// Checks that the key can sign and belongs to the first certificate.
///
/// # Errors
///
/// Returns a text that says why it cannot be used.
pub(super) fn check(chain: &[CertificateDer<'static>], key: &PrivateKeyDer<'_>) -> Result<(), String> {
    let signing = any_supported_type(key).map_err(|_| why_not(key))?;
    match CertifiedKey::new(chain.to_vec(), signing).keys_match() {
        Ok(()) | Err(Error::InconsistentKeys(InconsistentKeys::Unknown)) => Ok(()),
        Err(Error::InconsistentKeys(_)) => {
            Err(String::from("its private key does not belong to its first certificate"))
        }
        Err(error) => Err(format!("its first certificate cannot be read: {error}")),
    }
}

/// Identifiers of algorithms and curves as keys in DER contain them. The first [`USED`] of them can be used.
const KINDS: [(&[u8], &str); 9] = [
    (b"\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07", "P-256"),
    (b"\x06\x05\x2b\x81\x04\x00\x22", "P-384"),
    (b"\x06\x03\x2b\x65\x70", "Ed25519"),
    (b"\x06\x05\x2b\x81\x04\x00\x21", "P-224"),
    (b"\x06\x05\x2b\x81\x04\x00\x23", "P-521"),
    (b"\x06\x05\x2b\x81\x04\x00\x0a", "secp256k1"),
    (b"\x06\x03\x2b\x65\x71", "Ed448"),
    (b"\x06\x03\x2b\x65\x6e", "X25519"),
    (b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0a", "RSA-PSS"),
];
const USED: usize = 3;
const RSA: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01";

/// Returns why a key cannot be used.
fn why_not(key: &PrivateKeyDer<'_>) -> String {
    let der = key.secret_der();
    let contains = |id: &[u8]| der.windows(id.len()).any(|window| window == id);
    let rejected = match key {
        PrivateKeyDer::Pkcs1(_) => ring::rsa::KeyPair::from_der(der).err(),
        PrivateKeyDer::Pkcs8(_) if contains(RSA) => ring::rsa::KeyPair::from_pkcs8(der).err(),
        _ => None,
    };
    if let Some(rejected) = rejected {
        return match rejected.to_string().as_str() {
            "TooSmall" => {
                String::from("its private key is of RSA with fewer than 2048 bits, too few to be used")
            }
            "TooLarge" => {
                String::from("its private key is of RSA with more than 4096 bits, too many to be used")
            }
            other => format!("its private key, of RSA, is damaged: {other}"),
        };
    }
    match KINDS.iter().position(|(id, _)| contains(id)) {
        Some(kind) if kind < USED => format!("its private key, of {}, is damaged", KINDS[kind].1),
        kind => format!(
            "its private key is of {}; only RSA, P-256, P-384 and Ed25519 can be used",
            kind.map_or("another kind", |kind| KINDS[kind].1)
        ),
    }
}
