//! A certificate and its secret key.

use super::file::{self, Link};
use super::{NAME, fingerprint, key, pem};
use pipes::remote::Fingerprint;
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// How long, and how often, a program waits for another one that writes the file.
const PAUSE: Duration = Duration::from_millis(50);
const PAUSES: usize = 20;

/// A secret key, and the certificate that says whose it is. A clone is the same identity.
#[derive(Clone)]
pub struct Identity(Arc<Held>);

struct Held {
    /// The certificate, and then those of the authorities above it.
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Identity {
    /// Generates a key with a self-signed certificate, which is trusted by its
    /// [`fingerprint`](Identity::fingerprint). It is valid from 1970 until the year 4096.
    ///
    /// # Errors
    ///
    /// The system gives no random numbers.
    pub fn generate() -> io::Result<Self> {
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let mut params = CertificateParams::new([String::from(NAME)]).map_err(io::Error::other)?;
        params.not_before = date_time_ymd(1970, 1, 1);
        let certificate = params.self_signed(&key).map_err(io::Error::other)?;
        let key = PrivatePkcs8KeyDer::from(key.serialize_der());
        Ok(Identity(Arc::new(Held { chain: vec![certificate.into()], key: key.into() })))
    }

    /// Reads the identity in a file. If there is no such file, generates an identity and writes it there.
    ///
    /// With this, a program has the same fingerprint whenever it is started. Programs that call this at the
    /// same time get the same identity. The file contains the secret key. On Unix, only its owner may read
    /// it.
    ///
    /// Blocks the thread. If the file contains no identity, this waits for a second, because another program
    /// may be writing it.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or it contains something else.
    pub fn kept_in(file: impl AsRef<Path>) -> io::Result<Self> {
        Identity::kept(file.as_ref(), file::LINK, || thread::sleep(PAUSE))
    }

    fn kept(file: &Path, link: Link, mut pause: impl FnMut()) -> io::Result<Self> {
        match Identity::read_when_written(file, &mut pause) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let new = Identity::generate()?;
                match file::create(file, new.to_pem().as_bytes(), link) {
                    // Another program has been faster.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        Identity::read_when_written(file, &mut pause)
                    }
                    written => written.map(|()| new),
                }
            }
            read => read,
        }
    }

    /// Reads the identity in a file. Waits if another program may be writing it.
    fn read_when_written(file: &Path, pause: &mut impl FnMut()) -> io::Result<Self> {
        for _ in 0..PAUSES {
            match Identity::read(file) {
                Err(error) if error.kind() == io::ErrorKind::InvalidData => pause(),
                read => return read,
            }
        }
        Identity::read(file)
    }

    /// Reads the identity in a file in PEM. It contains, in any order, the certificate, the certificates of
    /// the authorities above it if there are any, and the private key (PKCS #8, PKCS #1 or SEC 1; not
    /// encrypted). The key is for RSA with 2048 to 4096 bits, P-256, P-384 or Ed25519.
    ///
    /// # Errors
    ///
    /// The file cannot be read, has no certificate or key, or a key that cannot be used.
    pub fn read(file: impl AsRef<Path>) -> io::Result<Self> {
        let file = file.as_ref();
        read(file).and_then(|bytes| Identity::from_pem(&bytes).map_err(|error| named(file, &error)))
    }

    /// Reads the identity in this text; see [`read`](Identity::read).
    ///
    /// # Errors
    ///
    /// There is no certificate or key in it, or a key that cannot be used.
    pub fn from_pem(pem: &[u8]) -> io::Result<Self> {
        let mut content = pem::read(pem)?;
        let key = content.key.take().ok_or_else(|| content.without("PRIVATE KEY"))?;
        if content.certificates.is_empty() {
            return Err(content.without("CERTIFICATE"));
        }
        key::check(&content.certificates, &key).map_err(pem::invalid)?;
        Ok(Identity(Arc::new(Held { chain: content.certificates, key })))
    }

    /// Writes the identity, with its secret key, to a new file. On Unix, only its owner may read it. The file
    /// is complete as soon as it has its name, except on file systems without hard links.
    ///
    /// # Errors
    ///
    /// The file exists or cannot be written, or the system gives no random numbers for its temporary name.
    pub fn write(&self, file: impl AsRef<Path>) -> io::Result<()> {
        file::create(file.as_ref(), self.to_pem().as_bytes(), file::LINK)
    }

    fn to_pem(&self) -> String {
        let mut text: String = self.0.chain.iter().map(|it| pem::section("CERTIFICATE", it)).collect();
        let label = match &self.0.key {
            PrivateKeyDer::Pkcs1(_) => "RSA PRIVATE KEY",
            PrivateKeyDer::Sec1(_) => "EC PRIVATE KEY",
            _ => "PRIVATE KEY",
        };
        text.push_str(&pem::section(label, self.0.key.secret_der()));
        text
    }

    /// Returns the fingerprint of the certificate, by which others may trust it.
    pub fn fingerprint(&self) -> Fingerprint {
        fingerprint(&self.0.chain[0])
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

/// Reads a file. Errors name it.
pub(super) fn read(file: &Path) -> io::Result<Vec<u8>> {
    fs::read(file)
        .map_err(|error| named(file, &io::Error::new(error.kind(), format!("it cannot be read: {error}"))))
}

/// Returns an error that names its file.
pub(super) fn named(file: &Path, error: &io::Error) -> io::Error {
    let name = if file.as_os_str().is_empty() { Path::new("an empty path") } else { file };
    io::Error::new(error.kind(), format!("{}: {error}", name.display()))
}

#[cfg(test)]
mod tests {
    use super::file::LINK;
    use super::file::tests::NO_LINK;
    use super::*;
    use crate::folder::Folder;
    use std::fs::OpenOptions;
    use std::io::Write;

    /// Threads that begin at the same time, some of them where files have no second name.
    #[test]
    fn programs_that_begin_at_the_same_time_keep_one_identity() {
        const THREADS: usize = 8;
        let folder = Folder::new("one-identity");
        for round in 0..30 {
            let file = &folder.0.join(round.to_string());
            let begin = &std::sync::Barrier::new(THREADS);
            let found: Vec<_> = thread::scope(|scope| {
                let threads: Vec<_> = (0..THREADS)
                    .map(|thread| {
                        let link = if round % 2 == 0 && thread % 2 == 0 { LINK } else { NO_LINK };
                        scope.spawn(move || {
                            begin.wait();
                            Identity::kept(file, link, || thread::sleep(PAUSE)).map(|own| own.fingerprint())
                        })
                    })
                    .collect();
                threads.into_iter().map(|it| it.join().expect("it does not panic")).collect()
            });
            let kept = Identity::read(file).expect("it is kept").fingerprint();
            for found in found {
                assert_eq!(found.expect("it is kept"), kept);
            }
            assert_eq!(folder.files().len(), round + 1);
        }
    }

    #[test]
    fn a_part_of_an_identity_is_none() {
        let whole = Identity::generate().expect("there are random numbers").to_pem();
        // The last line need not have an end.
        for length in 0..whole.len() - 1 {
            let part = Identity::from_pem(&whole.as_bytes()[..length]);
            assert_eq!(part.expect_err("it is cut").kind(), io::ErrorKind::InvalidData);
        }
    }

    #[test]
    fn a_file_that_another_program_is_writing_is_waited_for() {
        let folder = Folder::new("waited-for");
        let own = Identity::generate().expect("there are random numbers");
        let text = own.to_pem();
        let between = text.find("-----BEGIN PRIVATE").expect("it has a key");
        for written in [0, 10, between, text.len() - 10] {
            let file = folder.0.join(written.to_string());
            fs::write(&file, &text[..written]).expect("there is room");
            let mut rest = Some(&text[written..]);
            let kept = Identity::kept(&file, LINK, || {
                let mut file = OpenOptions::new().append(true).open(&file).expect("it is there");
                file.write_all(rest.take().expect("it waits once").as_bytes()).expect("there is room");
            });
            assert_eq!(kept.expect("it was completed").fingerprint(), own.fingerprint());
        }
        // That program has been killed.
        let file = folder.0.join("half");
        fs::write(&file, &text[..between]).expect("there is room");
        let mut pauses = 0;
        let error = Identity::kept(&file, LINK, || pauses += 1).expect_err("it is not completed");
        assert!(error.to_string().contains("it has no section PRIVATE KEY, only CERTIFICATE"), "{error}");
        assert_eq!(pauses, PAUSES);
        assert_eq!(fs::read_to_string(&file).expect("it is there"), text[..between], "it is left as it is");
    }
}
