//! Fingerprints of certificates.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// The SHA-256 hash of a certificate, which is a name for it that cannot be forged. It is written as 64
/// hexadecimal digits, with or without colons between pairs of them. The line that
/// `openssl x509 -fingerprint -sha256` prints can be parsed, too, and space around it is ignored.
///
/// ```
/// use pipes::remote::Fingerprint;
///
/// let written = "0f".repeat(32);
/// let fingerprint: Fingerprint = written.parse()?;
/// assert_eq!(fingerprint.to_string(), written);
/// # Ok::<(), pipes::remote::NoFingerprint>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

/// The error of a text that is not a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoFingerprint;

/// The bytes of a hash.
impl From<[u8; 32]> for Fingerprint {
    fn from(bytes: [u8; 32]) -> Self {
        Fingerprint(bytes)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl FromStr for Fingerprint {
    type Err = NoFingerprint;

    fn from_str(text: &str) -> Result<Self, NoFingerprint> {
        let text = text.trim();
        let text = match text.split_once('=') {
            Some((name, written)) if name.eq_ignore_ascii_case("sha256 Fingerprint") => written,
            _ => text,
        };
        let digits: Vec<u8> = match text.split(':').collect::<Vec<_>>()[..] {
            [digits] => digits.into(),
            ref pairs if pairs.iter().all(|pair| pair.len() == 2) => pairs.concat().into(),
            _ => return Err(NoFingerprint),
        };
        let value = |digit: u8| char::from(digit).to_digit(16).ok_or(NoFingerprint);
        let (pairs, []) = digits.as_chunks::<2>() else { return Err(NoFingerprint) };
        let bytes = pairs.iter().map(|[high, low]| Ok((value(*high)? << 4 | value(*low)?) as u8));
        let bytes = bytes.collect::<Result<Vec<_>, _>>()?;
        bytes.try_into().map(Fingerprint).map_err(|_| NoFingerprint)
    }
}

impl fmt::Display for NoFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a fingerprint is written as 64 hexadecimal digits")
    }
}

impl Error for NoFingerprint {}
