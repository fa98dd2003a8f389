//! What TLS reports, in our words.

use crate::distrust::CertificateError;
use rustls::Error;
use std::io::{self, ErrorKind};

/// Returns the error for what the library has reported on a connection.
pub(crate) fn explained(error: io::Error) -> io::Error {
    if let Some(error) = error.get_ref().and_then(|it| it.downcast_ref::<Error>()) {
        return of_library(error);
    }
    match error.kind() {
        // The library's text is about its own use.
        ErrorKind::UnexpectedEof => io::Error::new(
            ErrorKind::UnexpectedEof,
            "it ended in the middle of the session, perhaps with the other program",
        ),
        _ => error,
    }
}

fn of_library(error: &Error) -> io::Error {
    let text = match error {
        Error::AlertReceived(alert) => return of_alert((*alert).into()),
        Error::NoCertificatesPresented => return CertificateError::Missing.into(),
        Error::NoApplicationProtocol => return not_ours(),
        Error::InvalidMessage(_) | Error::InappropriateMessage { .. } => "it does not speak TLS",
        Error::PeerIncompatible(_) => "it does not speak TLS 1.3",
        Error::DecryptError => "what came was changed on its way",
        _ => "it does not speak TLS as this program does",
    };
    io::Error::new(ErrorKind::InvalidData, text)
}

/// Returns the error for an alert with which the other side has ended a handshake of TLS or QUIC.
pub(crate) fn of_alert(code: u8) -> io::Error {
    match code {
        // Those about certificates, with `unknown_ca`, `access_denied` and `certificate_required`.
        41..=46 | 48 | 49 | 116 => CertificateError::Refused.into(),
        70 => io::Error::new(ErrorKind::InvalidData, "it does not speak TLS 1.3"),
        120 => not_ours(),
        _ => {
            let text = format!("it has ended the handshake of TLS with the alert {code}");
            io::Error::new(ErrorKind::InvalidData, text)
        }
    }
}

/// Returns the error for a program that has not named our protocol inside of TLS.
pub(super) fn not_ours() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "it does not speak `pipes`")
}
