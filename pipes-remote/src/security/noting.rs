//! Verifiers that note which certificate they have refused, and why.
//!
//! The library's errors go to the other side, too, and pass through the errors of QUIC as text. So what only
//! this side may know is noted here.

use super::fingerprint;
use crate::distrust::{CertificateError, Distrust};
use pipes::remote::Fingerprint;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{CertificateError as Refusal, DigitallySignedStruct, DistinguishedName, Error, SignatureScheme};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// The certificate that was refused on a connection, if one was.
#[derive(Clone, Debug, Default)]
pub(crate) struct Noted(Arc<Mutex<Option<CertificateError>>>);

impl Noted {
    /// Returns the error for what was noted, else `error`.
    pub(crate) fn or(&self, error: impl FnOnce() -> io::Error) -> io::Error {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        noted.map_or_else(error, io::Error::from)
    }
}

/// A verifier for one connection.
#[derive(Debug)]
pub(super) struct Noting<V: ?Sized> {
    verifier: Arc<V>,
    /// The fingerprints that the verifier trusts, unless it trusts authorities.
    known: Arc<[Fingerprint]>,
    noted: Noted,
}

impl<V: ?Sized> Noting<V> {
    pub(super) fn new(verifier: Arc<V>, known: Arc<[Fingerprint]>, noted: Noted) -> Arc<Self> {
        Arc::new(Noting { verifier, known, noted })
    }

    fn note<T>(&self, certificate: &CertificateDer<'_>, verified: Result<T, Error>) -> Result<T, Error> {
        if let Err(error) = &verified {
            let (theirs, reason) = (fingerprint(certificate), self.reason(error));
            let mut noted = self.noted.0.lock().unwrap_or_else(PoisonError::into_inner);
            *noted = Some(CertificateError::Untrusted { theirs, reason });
        }
        verified
    }

    fn reason(&self, error: &Error) -> Distrust {
        let Error::InvalidCertificate(refusal) = error else { return Distrust::Invalid };
        match refusal {
            Refusal::ApplicationVerificationFailure => Distrust::Unknown { expected: self.known.to_vec() },
            // Another authority may have the same name.
            Refusal::UnknownIssuer | Refusal::BadSignature => Distrust::UnknownAuthority,
            Refusal::NotValidForNameContext { expected, .. } => {
                Distrust::OtherName { expected: expected.to_str().into_owned() }
            }
            Refusal::Expired | Refusal::ExpiredContext { .. } => Distrust::Expired,
            Refusal::NotValidYet | Refusal::NotValidYetContext { .. } => Distrust::NotValidYet,
            _ => Distrust::Invalid,
        }
    }
}

impl ServerCertVerifier for Noting<dyn ServerCertVerifier> {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.note(certificate, self.verifier.verify_server_cert(certificate, others, name, ocsp, now))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifier.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifier.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}

impl ClientCertVerifier for Noting<dyn ClientCertVerifier> {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.verifier.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        certificate: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.note(certificate, self.verifier.verify_client_cert(certificate, others, now))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifier.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.verifier.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.verifier.supported_verify_schemes()
    }
}
