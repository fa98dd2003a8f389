#![doc = include_str!("../../docs/certificates.md")]

mod clock;
mod config;
mod errors;
mod file;
mod identity;
mod key;
mod noting;
mod pem;
mod trust;

pub use self::config::Security;
pub(crate) use self::config::{SPOKEN, Server, certified, spoken};
pub(crate) use self::errors::explained;
#[cfg(feature = "quic")]
pub(crate) use self::errors::of_alert;
pub use self::identity::Identity;
#[cfg(feature = "quic")]
pub(crate) use self::noting::Noted;
pub use self::trust::Trust;

use pipes::remote::Fingerprint;

/// The name in self-signed certificates, which are trusted by their fingerprint.
const NAME: &str = "pipes";

/// Returns the fingerprint of a certificate in DER.
fn fingerprint(certificate: &[u8]) -> Fingerprint {
    let hash = ring::digest::digest(&ring::digest::SHA256, certificate);
    let mut bytes = [0; 32];
    bytes.copy_from_slice(hash.as_ref());
    bytes.into()
}
