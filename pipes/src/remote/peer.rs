//! Who is at the other end of a connection.

use super::fingerprint::Fingerprint;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::net::{IpAddr, SocketAddr};

/// The program at the other end of a connection, as far as the connection knows it.
///
/// Two peers are equal if they are the same in the strongest sense that the connection knows:
///
/// | the peer has | and is equal to peers with |
/// |---|---|
/// | shown a certificate | the same certificate |
/// | no certificate, and an IP address | the same IP address, whatever their port |
/// | a user, at a Unix socket | the same user, whatever their process |
/// | only a name | the same name |
///
/// So a peer is a key for what belongs to a client: a client that connects again has another port, and is
/// equal to itself before. Without certificates, all programs of a machine are one peer, and at a Unix socket
/// all those of a user are. A certificate that was renewed is another certificate.
///
/// The text of a peer contains its port or process, so the text is no such key.
///
/// ```
/// use pipes::remote::Peer;
/// use std::collections::HashMap;
///
/// let before = Peer::at("192.0.2.7:40123".parse()?);
/// let mut jobs = HashMap::from([(before, vec!["a letter"])]);
/// let again = Peer::at("192.0.2.7:51877".parse()?);
/// assert_eq!(jobs.remove(&again), Some(vec!["a letter"]));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Peer {
    identity: Identity,
    address: Option<SocketAddr>,
    process: Option<u32>,
}

/// What peers are compared by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Identity {
    Certificate(Fingerprint),
    Machine(IpAddr),
    User(u32),
    Name(String),
}

impl Peer {
    /// Creates a peer of which only a name is known, such as the key by which a network has found it.
    pub fn new(name: impl Into<String>) -> Self {
        Peer { identity: Identity::Name(name.into()), address: None, process: None }
    }

    /// Creates the peer for a program at this address.
    ///
    /// A socket for both families writes IPv4 addresses as IPv6 addresses; here, they become IPv4 addresses
    /// again.
    pub fn at(address: SocketAddr) -> Self {
        let machine = address.ip().to_canonical();
        // An address of another family has no zone.
        let address = if machine == address.ip() { address } else { (machine, address.port()).into() };
        Peer { identity: Identity::Machine(machine), address: Some(address), process: None }
    }

    /// Creates the peer for a program of this machine that runs for this user, with the ID of its process if
    /// that is known.
    pub fn local(user: u32, process: Option<u32>) -> Self {
        Peer { identity: Identity::User(user), address: None, process }
    }

    /// Sets the certificate that the peer has shown. It must have proved that it has the secret key.
    pub fn with_certificate(mut self, certificate: Fingerprint) -> Self {
        self.identity = Identity::Certificate(certificate);
        self
    }

    /// Returns the fingerprint of the certificate that the peer has shown, or `None` if it has shown none.
    pub fn certificate(&self) -> Option<Fingerprint> {
        match self.identity {
            Identity::Certificate(certificate) => Some(certificate),
            _ => None,
        }
    }

    /// Returns the address from which the peer is connected, or `None` if the connection has no IP address.
    pub fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// Returns the ID of the user for whom the peer runs, or `None` if the connection is not a Unix socket.
    pub fn user(&self) -> Option<u32> {
        match self.identity {
            Identity::User(user) => Some(user),
            _ => None,
        }
    }

    /// Returns the ID of the peer's process, or `None` if the connection is not a Unix socket, or the system
    /// does not tell.
    pub fn process(&self) -> Option<u32> {
        self.process
    }
}

impl PartialEq for Peer {
    fn eq(&self, other: &Self) -> bool {
        self.identity == other.identity
    }
}

impl Eq for Peer {}

impl Hash for Peer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity.hash(state);
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.identity, self.address, self.process) {
            (Identity::Certificate(certificate), Some(address), _) => {
                write!(f, "{address}, certificate {certificate}")
            }
            (Identity::Certificate(certificate), None, _) => write!(f, "certificate {certificate}"),
            (Identity::Machine(_), Some(address), _) => address.fmt(f),
            (Identity::Machine(machine), None, _) => machine.fmt(f),
            (Identity::User(user), _, Some(process)) => write!(f, "process {process}, user {user}"),
            (Identity::User(user), _, None) => write!(f, "user {user}"),
            (Identity::Name(name), ..) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn at(address: &str) -> Peer {
        Peer::at(address.parse().expect("it is an address"))
    }

    #[test]
    fn peers_are_compared_by_who_they_are() {
        let [one, other] = [[1; 32], [2; 32]].map(Fingerprint::from);
        let same = [
            [at("192.0.2.7:1"), at("[::ffff:192.0.2.7]:2")],
            [at("192.0.2.7:1").with_certificate(one), at("[::1]:2").with_certificate(one)],
            [at("192.0.2.7:1").with_certificate(other), Peer::new("a key").with_certificate(other)],
            [at("[::1]:1"), at("[::1]:2")],
            [Peer::local(7, Some(1)), Peer::local(7, None)],
            [Peer::local(8, Some(1)), Peer::local(8, Some(2))],
            [Peer::new("192.0.2.7"), Peer::new("192.0.2.7")],
        ];
        let distinct: HashSet<Peer> = same.iter().flatten().cloned().collect();
        assert_eq!(distinct.len(), same.len());
        for [first, second] in same {
            assert_eq!(first, second);
        }
    }

    #[test]
    fn the_text_of_a_peer_has_all_that_is_known() {
        let certified = at("192.0.2.7:9").with_certificate([10; 32].into());
        for (peer, text) in [
            (at("[::ffff:192.0.2.7]:9"), "192.0.2.7:9"),
            (at("[fe80::1%2]:9"), "[fe80::1%2]:9"),
            (certified, &*format!("192.0.2.7:9, certificate {}", "0a".repeat(32))),
            (Peer::local(7, Some(12)), "process 12, user 7"),
            (Peer::local(7, None), "user 7"),
            (Peer::new("a key"), "a key"),
        ] {
            assert_eq!(peer.to_string(), text);
        }
    }
}
