//! PEM, the text form of certificates and keys.
//!
//! rustls reads it, but does not write it. A library for writing would add two packages for every user, and
//! replace only a few lines.

use rustls::pki_types::pem::{Error, PemObject, SectionKind, SliceIter};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::io;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The length of a line.
const LINE: usize = 64;

/// Returns bytes as a section of a file with this label (RFC 7468).
pub(super) fn section(label: &str, bytes: &[u8]) -> String {
    let mut encoded = String::new();
    for bytes in bytes.chunks(3) {
        let [first, second, third] = [0, 1, 2].map(|at| u32::from(bytes.get(at).copied().unwrap_or(0)));
        let group = first << 16 | second << 8 | third;
        for place in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * place) & 63) as usize];
            // n bytes are n + 1 digits.
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

const ENCRYPTED: &str = "its private key is encrypted; `openssl pkey` writes it without a password";

/// Errors must not repeat lines of the file, because a line could be part of a key.
const LAYOUT: &str =
    "it is cut off, or lacks line breaks: each `-----BEGIN …-----` must be a line of its own, not indented";

const DASHES: &[u8] = b"-----";

/// The content of a file.
pub(super) struct Content {
    pub(super) certificates: Vec<CertificateDer<'static>>,
    pub(super) key: Option<PrivateKeyDer<'static>>,
    /// The labels of all sections, for error messages.
    labels: Vec<String>,
    /// Set if there are sections that do not begin on a line of their own, and so were not read.
    is_cramped: bool,
}

const BEGIN: &[u8] = b"-----BEGIN ";

/// Parses a file. It may begin with a byte-order mark.
pub(super) fn read(file: &[u8]) -> io::Result<Content> {
    if file.starts_with(b"\xff\xfe") || file.starts_with(b"\xfe\xff") {
        return Err(invalid("it is text in UTF-16; PEM is ASCII or UTF-8"));
    }
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let lines = file.split(|byte| matches!(byte, b'\n' | b'\r'));
    let labels: Vec<_> = lines.filter_map(|line| label(line.strip_prefix(BEGIN)?)).collect();
    if labels.is_empty() {
        return Err(invalid(match file {
            _ if file.trim_ascii().is_empty() => "it is empty",
            _ if file.contains(&0) || str::from_utf8(file).is_err() => {
                "it is binary, perhaps DER or PKCS #12; it must be text in PEM"
            }
            _ if contains(file, BEGIN) => LAYOUT,
            _ => "it is not in PEM: no line of it is like `-----BEGIN CERTIFICATE-----`",
        }));
    }
    let (mut certificates, mut key) = (Vec::new(), None);
    for section in SliceIter::<(SectionKind, Vec<u8>)>::new(file) {
        let (kind, der) = section.map_err(|error| match error {
            Error::MissingSectionEnd { end_marker } => match label(&[&end_marker, DASHES].concat()) {
                Some(label) => invalid(format!("it is cut off: no line of it is `-----END {label}-----`")),
                None => invalid(LAYOUT),
            },
            Error::IllegalSectionStart { .. } => invalid(LAYOUT),
            Error::Base64Decode(_) if contains(file, b"Proc-Type: 4,ENCRYPTED") => invalid(ENCRYPTED),
            Error::Base64Decode(_) => invalid("a section of it is damaged: it is not in base64"),
            error => invalid(error.to_string()),
        })?;
        match kind {
            SectionKind::Certificate => certificates.push(der.into()),
            // The first key counts.
            _ => key = key.or_else(|| PrivateKeyDer::from_pem(kind, der)),
        }
    }
    let is_cramped = file.windows(BEGIN.len()).filter(|window| *window == BEGIN).count() > labels.len();
    Ok(Content { certificates, key, labels, is_cramped })
}

impl Content {
    /// Returns the error for a missing section with this label.
    pub(super) fn without(&self, label: &str) -> io::Error {
        if self.labels.iter().any(|it| *it == format!("ENCRYPTED {label}")) {
            return invalid(ENCRYPTED);
        }
        if self.is_cramped {
            return invalid(LAYOUT);
        }
        invalid(format!("it has no section {label}, only {}", self.labels.join(", ")))
    }
}

/// Parses the rest of the first line of a section. Returns the label, if nothing but dashes follow it.
fn label(rest: &[u8]) -> Option<String> {
    let label = rest.trim_ascii_end().strip_suffix(DASHES)?;
    let is_label = label.iter().all(|it| matches!(it, b'A'..=b'Z' | b'0'..=b'9' | b' '));
    is_label.then(|| String::from_utf8_lossy(label).into_owned())
}

fn contains(file: &[u8], text: &[u8]) -> bool {
    file.windows(text.len()).any(|window| window == text)
}

pub(super) fn invalid(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
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
            let read = read(written.as_bytes()).expect("it is a section");
            assert_eq!(read.certificates, [CertificateDer::from(bytes)]);
        }
    }
}
