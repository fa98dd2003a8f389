//! What QUIC reports, in our words.

use crate::distrust::CertificateError;
use crate::security::of_alert;
use quinn::{ConnectionError, TransportErrorCode};
use std::io::{self, ErrorKind};

/// Codes from here on are alerts of TLS, and that for a side that has shown no certificate.
const ALERTS: u64 = 0x100;
const CERTIFICATE_REQUIRED: u64 = ALERTS + 116;

/// Returns the error for a connection that has failed or was lost.
pub(super) fn explained(error: ConnectionError) -> io::Error {
    let (kind, text) = match &error {
        ConnectionError::ConnectionClosed(closed) => match u64::from(closed.error_code) {
            code @ ALERTS..0x200 => return of_alert(code as u8),
            _ if closed.error_code == TransportErrorCode::CONNECTION_REFUSED => {
                (ErrorKind::ConnectionRefused, "no program accepts connections there now")
            }
            _ => (ErrorKind::ConnectionAborted, "the other side has ended the connection"),
        },
        ConnectionError::TransportError(failed) => match u64::from(failed.code) {
            CERTIFICATE_REQUIRED => return CertificateError::Missing.into(),
            _ => (ErrorKind::InvalidData, "the other side does not speak QUIC as this program does"),
        },
        ConnectionError::ApplicationClosed(_) => {
            (ErrorKind::ConnectionAborted, "the other side has closed the connection")
        }
        ConnectionError::Reset => (
            ErrorKind::ConnectionReset,
            "the other side has lost the connection; perhaps it was started again",
        ),
        ConnectionError::TimedOut => (ErrorKind::TimedOut, "nothing was heard of the other side"),
        ConnectionError::VersionMismatch => {
            (ErrorKind::InvalidData, "the other side speaks another version of QUIC")
        }
        ConnectionError::LocallyClosed => (ErrorKind::Other, "this program has closed the connection"),
        ConnectionError::CidsExhausted => (ErrorKind::Other, "this program has too many connections"),
    };
    io::Error::new(kind, text)
}
