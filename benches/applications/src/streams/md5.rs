//! The checksum of bytes, for comparison with that of the sequential program.

use std::fmt;

use md5::{Digest, Md5};

/// The number of bytes, and their MD5.
#[derive(Clone, Default)]
pub struct Checksum {
    bytes: u64,
    md5: Md5,
}

impl Checksum {
    /// The checksum of these bytes.
    pub fn of(bytes: &[u8]) -> Checksum {
        let mut checksum = Checksum::default();
        checksum.add(bytes);
        checksum
    }

    /// Adds the bytes that follow.
    pub fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.md5.update(bytes);
    }

    /// Describes how this differs from the expected one.
    pub fn verify(&self, due: &Checksum) -> Result<(), String> {
        if self.digits() == due.digits() {
            return Ok(());
        }
        Err(format!("{self} came out, instead of {due}"))
    }

    /// The MD5 in the usual notation.
    pub fn digits(&self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.md5.clone().finalize().into()))
    }
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes with the MD5 {}", self.bytes, self.digits())
    }
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Checksum;

    #[test]
    fn the_sum_is_the_known_one() {
        let mut checksum = Checksum::of(b"a");
        checksum.add(b"bc");
        assert_eq!(checksum.to_string(), "3 bytes with the MD5 900150983cd24fb0d6963f7d28e17f72");
        assert!(checksum.verify(&Checksum::of(b"abd")).is_err());
    }
}
