//! Where the bank listens, and the certificates.

use pipes_remote::Via;
use pipes_remote::engine::{Engine, Quic, Tcp, Tls, Unix};
use pipes_remote::security::{Identity, Security, Trust};
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An engine, and whether clients need a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    Unix,
    Tcp,
    Tls,
    Quic,
    KnownTls,
    KnownQuic,
}

impl Place {
    pub const ALL: [Place; 6] =
        [Place::Unix, Place::Tcp, Place::Tls, Place::Quic, Place::KnownTls, Place::KnownQuic];

    /// Only clients with a certificate that the bank trusts get in.
    pub fn is_known(self) -> bool {
        matches!(self, Place::KnownTls | Place::KnownQuic)
    }

    pub fn is_quic(self) -> bool {
        matches!(self, Place::Quic | Place::KnownQuic)
    }

    pub fn is_tls(self) -> bool {
        matches!(self, Place::Tls | Place::KnownTls)
    }
}

/// All that the bank allows a peer.
pub const SESSIONS: usize = 100;

/// The most bytes of a message for the bank.
pub const LIMIT: usize = 4096;

/// The most time for a handshake.
pub const HANDSHAKE: Duration = Duration::from_secs(3);

/// The bank's limits.
pub fn limited<E: Engine>(via: Via<E>) -> Via<E> {
    // The time after which a silent side is lost is the usual one: a busy machine may stand still for
    // seconds.
    let via = via.limit(LIMIT).window(64, 16 << 10).beat(Duration::from_secs(1));
    via.handshake(HANDSHAKE).sessions(SESSIONS)
}

/// The folder with the certificates, and the addresses.
#[derive(Clone, Debug)]
pub struct Places {
    pub folder: PathBuf,
    addresses: Vec<String>,
}

impl Places {
    /// From what the bank says: an address for each place.
    pub fn new(folder: &Path, said: &str) -> Self {
        let addresses: Vec<_> = said.split(' ').map(str::to_owned).collect();
        assert_eq!(addresses.len(), Place::ALL.len(), "{said}");
        Places { folder: folder.to_owned(), addresses }
    }

    /// What another process needs to know.
    pub fn written(&self) -> String {
        format!("{} {}", self.folder.display(), self.addresses.join(" "))
    }

    pub fn address(&self, place: Place) -> &str {
        &self.addresses[place as usize]
    }

    pub fn tcp(&self) -> Via<Tcp> {
        patient(pipes_remote::tcp(self.address(Place::Tcp)))
    }

    pub fn unix(&self) -> Via<Unix> {
        patient(pipes_remote::unix(self.address(Place::Unix)))
    }

    pub fn tls(&self, place: Place) -> Via<Tls> {
        patient(pipes_remote::tls(self.address(place), self.honest()))
    }

    pub fn quic(&self, place: Place) -> Via<Quic> {
        patient(pipes_remote::quic(self.address(place), self.honest()))
    }

    /// What an honest client shows and trusts.
    fn honest(&self) -> Security {
        let server = Trust::fingerprint(self.identity("bank").fingerprint());
        Security::new().servers(server).identity(&self.identity("honest"))
    }

    pub fn identity(&self, name: &str) -> Identity {
        identity(&self.folder, name)
    }
}

/// A client's patience is longer than any load lasts.
fn patient<E: Engine>(via: Via<E>) -> Via<E> {
    via.handshake(Duration::from_secs(60))
}

pub fn identity(folder: &Path, name: &str) -> Identity {
    Identity::read(file(folder, name)).expect("it was written")
}

pub fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).with_extension("pem")
}

/// Those that the bank's guarded places trust. One of them has expired.
pub fn trusted(folder: &Path) -> Trust {
    Trust::fingerprints(
        ["honest", "insider", "crowd", "expired"].map(|name| identity(folder, name).fingerprint()),
    )
}

/// Writes the certificates of all.
pub fn write(folder: &Path) {
    for name in ["bank", "honest", "insider", "crowd", "stranger"] {
        Identity::generate().and_then(|new| new.write(file(folder, name))).expect("it can be written");
    }
    let mut params = CertificateParams::new([String::from("pipes")]).expect("it is a name");
    (params.not_before, params.not_after) = (date_time_ymd(2000, 1, 1), date_time_ymd(2001, 1, 1));
    let key = KeyPair::generate().expect("there are random numbers");
    let certificate = params.self_signed(&key).expect("it can be signed");
    let text = certificate.pem() + &key.serialize_pem();
    std::fs::write(file(folder, "expired"), text).expect("it can be written");
}
