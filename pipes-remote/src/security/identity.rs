//! A certificate and its secret key.

use super::{Fingerprint, NAME, pem};
use ring::rand::SystemRandom;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// A secret key, and the certificate that says whose it is. A clone is the same identity.
#[derive(Clone)]
pub struct Identity(Arc<Held>);

struct Held {
    /// The certificate first, then those of the authorities above it.
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Identity {
    /// A new key, with a certificate that stands for itself: it is trusted by its
    /// [`fingerprint`](Identity::fingerprint). It does not expire before the year 4096.
    ///
    /// # Errors
    ///
    /// The system gives no random numbers.
    pub fn generate() -> io::Result<Self> {
        let signed = rcgen::generate_simple_self_signed([String::from(NAME)]).map_err(io::Error::other)?;
        let key = PrivatePkcs8KeyDer::from(signed.signing_key.serialize_der());
        Ok(Identity(Arc::new(Held { chain: vec![signed.cert.der().clone()], key: key.into() })))
    }

    /// The identity in a file; if there is no such file, a new one, which is written there. So a program has
    /// the same fingerprint whenever it is started.
    ///
    /// The file has the secret key in it. On Unix only its owner may read it.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or it contains something else.
    pub fn kept_in(file: impl AsRef<Path>) -> io::Result<Self> {
        let file = file.as_ref();
        match Identity::read(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let new = Identity::generate()?;
                match new.write(file) {
                    // Another program was faster.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Identity::read(file),
                    written => written.map(|()| new),
                }
            }
            read => read,
        }
    }

    /// The identity in a file in PEM: the certificate, those of authorities above it if it has any, and the
    /// private key (PKCS #8, PKCS #1 or SEC 1), in any order.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or has no certificate or key.
    pub fn read(file: impl AsRef<Path>) -> io::Result<Self> {
        let file = file.as_ref();
        let read = fs::read(file).and_then(|bytes| Identity::from_pem(&bytes));
        read.map_err(|error| named(file, &error))
    }

    /// The identity in this text; see [`read`](Identity::read).
    ///
    /// # Errors
    ///
    /// There is no certificate or key in it.
    pub fn from_pem(pem: &[u8]) -> io::Result<Self> {
        Ok(Identity(Arc::new(Held { chain: pem::certificates(pem)?, key: pem::key(pem)? })))
    }

    /// Writes the identity, with its secret key, into a new file. The file is complete as soon as it has its
    /// name. On Unix only its owner may read it.
    ///
    /// # Errors
    ///
    /// The file exists, or cannot be written, or the system gives no random numbers for its first name.
    pub fn write(&self, file: impl AsRef<Path>) -> io::Result<()> {
        let file = file.as_ref();
        // In the same folder, so that it can be linked to its name. No other thread or program writes to a
        // file of this name, not even one with the same process number in another container.
        let unique = SystemRandom::new();
        let unique =
            ring::rand::generate::<[u8; 8]>(&unique).map_err(|_| io::Error::other("no random numbers"))?;
        let mut part = file.as_os_str().to_owned();
        part.push(format!(".{:016x}.part", u64::from_be_bytes(unique.expose())));
        let written = self.write_part(part.as_ref()).and_then(|()| fs::hard_link(&part, file));
        // If this fails, a file is left that has another name.
        let _ = fs::remove_file(&part);
        written.map_err(|error| named(file, &error))
    }

    fn write_part(&self, part: &Path) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut text: String = self.0.chain.iter().map(|it| pem::section("CERTIFICATE", it)).collect();
        let label = match &self.0.key {
            PrivateKeyDer::Pkcs1(_) => "RSA PRIVATE KEY",
            PrivateKeyDer::Sec1(_) => "EC PRIVATE KEY",
            _ => "PRIVATE KEY",
        };
        text.push_str(&pem::section(label, self.0.key.secret_der()));
        let mut file = options.open(part)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }

    /// The fingerprint of the certificate, by which others may trust it.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.0.chain[0])
    }

    pub(super) fn chain(&self) -> Vec<CertificateDer<'static>> {
        self.0.chain.clone()
    }

    pub(super) fn key(&self) -> PrivateKeyDer<'static> {
        self.0.key.clone_key()
    }
}

/// The secret is not printed.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Identity").field(&self.fingerprint()).finish()
    }
}

/// An error that names its file.
pub(super) fn named(file: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", file.display()))
}
