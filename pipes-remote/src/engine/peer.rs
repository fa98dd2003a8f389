//! What is known of the other side of a stream.

use std::fmt;
use std::net::IpAddr;

/// What is known of the other side of a stream: its address, and who it is, as far as the engine can tell.
///
/// It is printed as [`Link::peer`](pipes::Link::peer) shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    name: String,
    holder: String,
    #[cfg(feature = "tls")]
    fingerprint: Option<crate::security::Fingerprint>,
}

impl Peer {
    /// Creates the peer with this name. All peers of the same name count as one, unless
    /// [`held_by`](Peer::held_by) says otherwise.
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        Peer {
            holder: name.clone(),
            name,
            #[cfg(feature = "tls")]
            fingerprint: None,
        }
    }

    /// Counts the sessions of this peer together with all others of this holder: a machine, a user, a
    /// certificate.
    pub fn held_by(mut self, holder: impl fmt::Display) -> Self {
        self.holder = holder.to_string();
        self
    }

    /// Creates the peer of a program at this address, which has shown this certificate, or none.
    #[cfg(feature = "tls")]
    pub(crate) fn certified(
        address: std::net::SocketAddr,
        fingerprint: Option<crate::security::Fingerprint>,
    ) -> Self {
        let name = match &fingerprint {
            None => address.to_string(),
            Some(fingerprint) => format!("{address}, certificate {fingerprint}"),
        };
        let peer = match &fingerprint {
            None => Peer::at(address.ip(), name),
            Some(fingerprint) => Peer::new(name).held_by(fingerprint),
        };
        Peer { fingerprint, ..peer }
    }

    /// Creates the peer of a program on the machine with this address. A socket for both families has another
    /// form for those of IPv4, which is the same machine.
    pub(crate) fn at(machine: IpAddr, name: impl Into<String>) -> Self {
        Peer::new(name).held_by(machine.to_canonical())
    }

    /// Returns the holder, whose sessions are counted together.
    pub fn holder(&self) -> &str {
        &self.holder
    }

    /// Returns the fingerprint of the certificate that it has shown.
    #[cfg(feature = "tls")]
    pub fn fingerprint(&self) -> Option<crate::security::Fingerprint> {
        self.fingerprint
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
