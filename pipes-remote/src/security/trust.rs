//! Which certificates a side trusts.

use super::identity::{named, read};
use super::{NAME, fingerprint, pem};
use pipes::remote::Fingerprint;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, OtherError, RootCertStore,
    SignatureScheme,
};
use std::io;
use std::path::Path;
use std::sync::Arc;
use webpki::{EndEntityCert, KeyUsage};

/// The certificates that one side accepts from the other.
#[derive(Clone, Debug)]
pub struct Trust(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Known(Arc<[Fingerprint]>),
    Authority(Arc<RootCertStore>),
}

impl Trust {
    /// Trusts only the certificate with this fingerprint. It is trusted until it expires, whatever authority
    /// has signed it. The date from which it is valid does not matter, so a machine whose clock is not set
    /// yet can trust it.
    pub fn fingerprint(fingerprint: Fingerprint) -> Self {
        Trust::fingerprints([fingerprint])
    }

    /// Trusts the certificates with these fingerprints. If there are none, no certificate is trusted.
    pub fn fingerprints(fingerprints: impl IntoIterator<Item = Fingerprint>) -> Self {
        Trust(Kind::Known(fingerprints.into_iter().collect()))
    }

    /// Trusts the certificates that these authorities have signed. `file` contains the certificates of the
    /// authorities in PEM. The certificate of a server must be for the name in the address to which the
    /// client connects.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or has no certificate of an authority.
    pub fn authority(file: impl AsRef<Path>) -> io::Result<Self> {
        let file = file.as_ref();
        read(file).and_then(|bytes| Trust::authority_from_pem(&bytes).map_err(|error| named(file, &error)))
    }

    /// Trusts the certificates that the authorities in this text have signed; see
    /// [`authority`](Trust::authority).
    ///
    /// # Errors
    ///
    /// The text contains no certificate of an authority.
    pub fn authority_from_pem(pem: &[u8]) -> io::Result<Self> {
        let mut roots = RootCertStore::empty();
        let content = pem::read(pem)?;
        if content.certificates.is_empty() {
            return Err(content.without("CERTIFICATE"));
        }
        for certificate in content.certificates {
            let added = roots.add(certificate);
            added.map_err(|error| pem::invalid(format!("a certificate of it cannot be read: {error}")))?;
        }
        Ok(Trust(Kind::Authority(Arc::new(roots))))
    }

    /// Returns the fingerprints that are trusted. There are none if authorities are.
    pub(super) fn known(&self) -> Arc<[Fingerprint]> {
        match &self.0 {
            Kind::Known(known) => known.clone(),
            Kind::Authority(_) => Arc::new([]),
        }
    }

    /// Returns the verifier of servers' certificates, and the name that a certificate must have, if the name
    /// does not depend on the address.
    pub(super) fn of_servers(
        &self,
        provider: &Arc<CryptoProvider>,
    ) -> io::Result<(Arc<dyn ServerCertVerifier>, Option<&'static str>)> {
        match &self.0 {
            Kind::Known(known) => Ok((Arc::new(Known::new(known, provider)), Some(NAME))),
            Kind::Authority(roots) => {
                let verifier = WebPkiServerVerifier::builder_with_provider(roots.clone(), provider.clone());
                Ok((verifier.build().map_err(io::Error::other)?, None))
            }
        }
    }

    /// Returns the verifier of clients' certificates.
    pub(super) fn of_clients(
        &self,
        provider: &Arc<CryptoProvider>,
    ) -> io::Result<Arc<dyn ClientCertVerifier>> {
        match &self.0 {
            Kind::Known(known) => Ok(Arc::new(Known::new(known, provider))),
            Kind::Authority(roots) => {
                let verifier = WebPkiClientVerifier::builder_with_provider(roots.clone(), provider.clone());
                verifier.build().map_err(io::Error::other)
            }
        }
    }
}

/// Verifies certificates by their fingerprints.
#[derive(Debug)]
struct Known {
    known: Arc<[Fingerprint]>,
    provider: Arc<CryptoProvider>,
}

impl Known {
    fn new(known: &Arc<[Fingerprint]>, provider: &Arc<CryptoProvider>) -> Self {
        Known { known: known.clone(), provider: provider.clone() }
    }

    /// Checks that this certificate is known, may be used for this, and has not expired. Its signature does
    /// not matter, because the fingerprint is trusted.
    fn check(&self, certificate: &CertificateDer<'_>, usage: KeyUsage, now: UnixTime) -> Result<(), Error> {
        if !self.known.contains(&fingerprint(certificate)) {
            return Err(CertificateError::ApplicationVerificationFailure.into());
        }
        let other = |error| CertificateError::Other(OtherError(Arc::new(error)));
        let certificate = EndEntityCert::try_from(certificate).map_err(other)?;
        let algorithms = self.provider.signature_verification_algorithms.all;
        let verify =
            |now| certificate.verify_for_usage(algorithms, &[], &[], now, usage, None, None).map(drop);
        let verified = match verify(now) {
            // The clock is behind, as on a machine without a battery.
            Err(webpki::Error::CertNotValidYet { not_before, .. }) => verify(not_before),
            verified => verified,
        };
        match verified {
            // The dates are checked first, and the issuer last. Here, no issuer is known. A certificate that
            // `openssl` makes may be that of an authority itself.
            Ok(()) | Err(webpki::Error::UnknownIssuer | webpki::Error::CaUsedAsEndEntity) => Ok(()),
            Err(webpki::Error::CertExpired { .. }) => Err(CertificateError::Expired.into()),
            Err(error) => Err(other(error).into()),
        }
    }

    fn schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }

    /// Refuses TLS 1.2, which is not offered.
    fn no_old_version() -> Result<HandshakeSignatureValid, Error> {
        Err(Error::General(String::from("only TLS 1.3 is spoken")))
    }
}

impl ServerCertVerifier for Known {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        // The name does not matter, because the fingerprint is checked.
        _: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.check(certificate, KeyUsage::server_auth(), now)?;
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Known::no_old_version()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes()
    }
}

impl ClientCertVerifier for Known {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.check(certificate, KeyUsage::client_auth(), now)?;
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Known::no_old_version()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        ServerCertVerifier::verify_tls13_signature(self, message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes()
    }
}
