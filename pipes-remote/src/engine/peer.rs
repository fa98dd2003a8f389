//! What is known about the other side of a stream.

use std::fmt;
use std::net::IpAddr;

/// What is known about the other side of a stream: its address, and its ID, as far as the engine can tell.
///
/// The ID is what limits count by. It is the fingerprint of the certificate that the peer has shown. Without
/// a certificate, it is the machine, or at a Unix socket the user.
///
/// A peer is printed as [`Link::peer`](pipes::Link::peer) shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    name: String,
    id: String,
    #[cfg(feature = "tls")]
    fingerprint: Option<crate::security::Fingerprint>,
}

impl Peer {
    /// Creates a peer with this name, which is also its ID unless [`held_by`](Peer::held_by) sets another.
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        Peer {
            id: name.clone(),
            name,
            #[cfg(feature = "tls")]
            fingerprint: None,
        }
    }

    /// Sets the ID, such as a machine, a user or a certificate. All peers with the same ID count as one.
    pub fn held_by(mut self, id: impl fmt::Display) -> Self {
        self.id = id.to_string();
        self
    }

    /// Creates the peer for a program at this address that has shown this certificate, or none.
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

    /// Creates the peer for a program on the machine with this address. A socket for both families writes
    /// IPv4 addresses as IPv6 addresses, so the address is converted to its canonical form.
    pub(crate) fn at(machine: IpAddr, name: impl Into<String>) -> Self {
        Peer::new(name).held_by(machine.to_canonical())
    }

    /// Returns the ID. The sessions of all peers with the same ID are counted together.
    pub fn holder(&self) -> &str {
        &self.id
    }

    /// Returns the fingerprint of the certificate that the peer has shown.
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
