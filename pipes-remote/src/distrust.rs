//! Certificates that are not trusted.
//!
//! # Layers
//!
//! Uses nothing of the crate; used by `security`, `engine` and the errors.

use pipes::remote::Fingerprint;
use std::error::Error;
use std::fmt;
use std::io;

/// Why a certificate is not trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Distrust {
    /// It is none of the certificates that are trusted.
    Unknown {
        /// The fingerprints of those that are trusted.
        expected: Vec<Fingerprint>,
    },
    /// No authority that is trusted has signed it.
    UnknownAuthority,
    /// It is not for the name in the address.
    OtherName {
        /// The name in the address.
        expected: String,
    },
    /// It has expired.
    Expired,
    /// It is not valid yet, or the clock of this machine is behind.
    NotValidYet,
    /// It is malformed, or its keys may not be used for this.
    Invalid,
}

/// A failure that has to do with certificates. An engine puts it into an `io::Error`, and it becomes a
/// variant of its own in the errors that users see.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "tls"), expect(dead_code, reason = "only engines with certificates make it"))]
pub(crate) enum CertificateError {
    /// The certificate of the other side is not trusted here.
    Untrusted { theirs: Fingerprint, reason: Distrust },
    /// The other side has shown no certificate.
    Missing,
    /// The other side does not trust the certificate of this program, or asks for one.
    Refused,
}

impl From<CertificateError> for io::Error {
    fn from(error: CertificateError) -> Self {
        io::Error::new(io::ErrorKind::PermissionDenied, error)
    }
}

/// The most fingerprints in a text.
const SHOWN: usize = 3;

impl fmt::Display for Distrust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Distrust::Unknown { expected } => match &expected[..] {
                [] => f.write_str("no certificate is trusted"),
                [only] => write!(f, "only the certificate with the fingerprint {only} is trusted"),
                many => {
                    f.write_str("only the certificates with these fingerprints are trusted: ")?;
                    for (number, fingerprint) in many.iter().take(SHOWN).enumerate() {
                        write!(f, "{}{fingerprint}", if number > 0 { ", " } else { "" })?;
                    }
                    match many.len().saturating_sub(SHOWN) {
                        0 => Ok(()),
                        others => write!(f, ", and {others} more"),
                    }
                }
            },
            Distrust::UnknownAuthority => f.write_str("no authority that is trusted has signed it"),
            Distrust::OtherName { expected } => write!(f, "it is not for the name `{expected}`"),
            Distrust::Expired => f.write_str("it has expired"),
            Distrust::NotValidYet => {
                f.write_str("it is not valid yet, or the clock of this machine is behind")
            }
            Distrust::Invalid => f.write_str("it is malformed, or may not be used for this"),
        }
    }
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateError::Untrusted { theirs, reason } => {
                write!(f, "its certificate with the fingerprint {theirs} is not trusted: {reason}")
            }
            CertificateError::Missing => f.write_str("it has shown no certificate"),
            CertificateError::Refused => f.write_str(
                "it does not trust the certificate of this program, or this program has shown none",
            ),
        }
    }
}

impl Error for CertificateError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_shows_a_few_of_many_fingerprints() {
        let expected: Vec<_> = (0..5).map(|byte| Fingerprint::from([byte; 32])).collect();
        let text = Distrust::Unknown { expected }.to_string();
        assert!(text.contains(&"02".repeat(32)) && text.ends_with(", and 2 more"), "{text}");
    }
}
