//! Where the service listens, and the certificates.

use pipes_remote::Via;
use pipes_remote::engine::{Engine, Quic, Tls};
use pipes_remote::security::{Identity, Security, Trust};
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An engine. Over TLS and QUIC, clients need a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    Unix,
    Tcp,
    Tls,
    Quic,
}

impl Place {
    pub const ALL: [Place; 4] = [Place::Unix, Place::Tcp, Place::Tls, Place::Quic];
}

/// All that the service allows a peer.
pub const SESSIONS: usize = 100;

/// The most time for a handshake.
pub const HANDSHAKE: Duration = Duration::from_secs(3);

/// The service's limits.
pub fn limited<E: Engine>(via: Via<E>) -> Via<E> {
    // The time after which a silent side is lost is the usual one: a busy machine may stand still for
    // seconds.
    let via = via.limit(4096).window(64, 16 << 10).beat(Duration::from_secs(1));
    via.handshake(HANDSHAKE).sessions(SESSIONS)
}

/// The folder with the certificates, and the addresses.
#[derive(Clone, Debug)]
pub struct Places {
    folder: PathBuf,
    addresses: Vec<String>,
}

impl Places {
    /// From what the service says: its folder, and an address for each place.
    pub fn read(said: &str) -> Self {
        let mut words = said.split(' ').map(str::to_owned);
        let folder = words.next().expect("the folder is first").into();
        Places { folder, addresses: words.collect() }
    }

    /// What another process needs to know.
    pub fn written(&self) -> String {
        format!("{} {}", self.folder.display(), self.addresses.join(" "))
    }

    pub fn address(&self, place: Place) -> &str {
        &self.addresses[place as usize]
    }

    /// What a client with this name shows, if it has one, and trusts.
    pub fn security(&self, name: Option<&str>) -> Security {
        let server = Trust::fingerprint(identity(&self.folder, "service").fingerprint());
        let security = Security::new().servers(server);
        name.iter().fold(security, |security, name| security.identity(&identity(&self.folder, name)))
    }

    pub fn tls(&self, name: Option<&str>) -> Tls {
        Tls::new(self.address(Place::Tls), self.security(name))
    }

    pub fn quic(&self, name: Option<&str>) -> Quic {
        Quic::new(self.address(Place::Quic), self.security(name))
    }
}

pub fn identity(folder: &Path, name: &str) -> Identity {
    Identity::read(folder.join(name)).expect("it was written")
}

/// Those that the service trusts. One of them has expired.
pub fn trusted(folder: &Path) -> Trust {
    Trust::fingerprints(["honest", "insider", "expired"].map(|name| identity(folder, name).fingerprint()))
}

/// Writes the certificates of all.
pub fn write(folder: &Path) {
    for name in ["service", "honest", "insider", "stranger"] {
        Identity::generate().and_then(|new| new.write(folder.join(name))).expect("it can be written");
    }
    let mut params = CertificateParams::new([String::from("pipes")]).expect("it is a name");
    (params.not_before, params.not_after) = (date_time_ymd(2000, 1, 1), date_time_ymd(2001, 1, 1));
    let key = KeyPair::generate().expect("there are random numbers");
    let certificate = params.self_signed(&key).expect("it can be signed");
    let text = certificate.pem() + &key.serialize_pem();
    std::fs::write(folder.join("expired"), text).expect("it can be written");
}
