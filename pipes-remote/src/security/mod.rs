#![doc = include_str!("../../docs/certificates.md")]

mod clock;
mod config;
mod file;
mod fingerprint;
mod identity;
mod key;
mod pem;
mod trust;

pub use self::config::Security;
pub(crate) use self::config::{shown, spoken};
pub use self::fingerprint::{Fingerprint, NoFingerprint};
pub use self::identity::Identity;
pub use self::trust::Trust;

/// The name in self-signed certificates, which are trusted by their fingerprint.
const NAME: &str = "pipes";
