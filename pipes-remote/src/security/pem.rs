//! The text form of certificates and keys, as files contain them.
//!
//! Reading is rustls's work. It does not write, and a library for these few lines would be two more packages
//! for every user.

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The characters of a line.
const LINE: usize = 64;

/// Bytes as a section of a file with this label (RFC 7468).
pub(super) fn section(label: &str, bytes: &[u8]) -> String {
    let mut encoded = String::new();
    for bytes in bytes.chunks(3) {
        let [first, second, third] = [0, 1, 2].map(|at| u32::from(bytes.get(at).copied().unwrap_or(0)));
        let group = first << 16 | second << 8 | third;
        for place in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * place) & 63) as usize];
            // A byte is one digit and a part of the next one.
            encoded.push(if place <= bytes.len() { char::from(digit) } else { '=' });
        }
        if encoded.len() % (LINE + 1) == LINE {
            encoded.push('\n');
        }
    }
    if !encoded.ends_with('\n') {
        encoded.push('\n');
    }
    format!("-----BEGIN {label}-----\n{encoded}-----END {label}-----\n")
}

/// All certificates in a file.
pub(super) fn certificates(pem: &[u8]) -> io::Result<Vec<CertificateDer<'static>>> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let found =
        found.map_err(|error| invalid(format!("it has a certificate that cannot be read: {error}")))?;
    if found.is_empty() {
        return Err(invalid("it has no certificate".into()));
    }
    Ok(found)
}

/// The private key in a file.
pub(super) fn key(pem: &[u8]) -> io::Result<PrivateKeyDer<'static>> {
    PrivateKeyDer::from_pem_slice(pem).map_err(|_| invalid("it has no private key that can be read".into()))
}

fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for length in [1, 2, 3, 47, 48, 49, 96, 500] {
            let bytes: Vec<u8> = (0..length).map(|at| (at * 37) as u8).collect();
            let written = section("CERTIFICATE", &bytes);
            assert!(written.lines().all(|line| line.len() <= LINE), "{written}");
            let read = certificates(written.as_bytes()).expect("it is a section");
            assert_eq!(read, [CertificateDer::from(bytes)]);
        }
    }
}
