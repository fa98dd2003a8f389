//! Addresses as users write them, and what they resolve to.

use crate::distrust::CertificateError;
use std::fmt;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::lookup_host;

type Resolve = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

/// A host and a port, such as `localhost:7000` or `[::1]:7000`.
#[derive(Clone)]
pub(super) struct Address {
    text: String,
    /// Resolves a host. If it is not set, the system does.
    resolve: Option<Arc<Resolve>>,
}

impl Address {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Address { text: text.into(), resolve: None }
    }

    /// Resolves hosts by this function, for tests.
    pub(super) fn resolved_by(
        &mut self,
        resolve: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static,
    ) {
        self.resolve = Some(Arc::new(resolve));
    }

    /// Returns the address as it was written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the address as it was written.
    ///
    /// # Errors
    ///
    /// It is malformed.
    #[cfg(feature = "tls")]
    pub(super) fn checked(&self) -> io::Result<&str> {
        self.parts().map(|_| self.text())
    }

    /// Returns the host, without brackets, and the port.
    ///
    /// # Errors
    ///
    /// It is malformed.
    pub(super) fn parts(&self) -> io::Result<(&str, u16)> {
        let text = &*self.text;
        let wrong = |what: &str| Err(io::Error::new(ErrorKind::InvalidInput, what));
        if text.is_empty() {
            return wrong("the address is empty");
        }
        if text.contains(|it: char| it.is_whitespace() || it.is_control()) {
            return wrong("the address has a blank or a line end in it");
        }
        let Some((host, port)) = text.rsplit_once(':') else { return wrong("the address has no port") };
        if text.ends_with(']') || text.parse::<Ipv6Addr>().is_ok() {
            return wrong("the address has no port; with one, it is written as in `[::1]:7000`");
        }
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        if host.is_empty() {
            return wrong("the address has no host");
        }
        let is_number = port.bytes().all(|it| it.is_ascii_digit());
        match port.parse() {
            Ok(port) if is_number => Ok((host, port)),
            _ => wrong("the port is not a number from 0 to 65535"),
        }
    }

    /// Resolves the address. Returns each result once, in the order of the resolver. IPv4 in the form of IPv6
    /// becomes IPv4, because Windows binds a socket of IPv6 to no address of IPv4.
    ///
    /// # Errors
    ///
    /// It is malformed, or its host has no address.
    pub(super) async fn resolve(&self) -> io::Result<Vec<SocketAddr>> {
        let (host, port) = self.parts()?;
        let found: Vec<SocketAddr> = match (self.literal(), &self.resolve) {
            (Some(literal), _) => vec![literal],
            (None, Some(resolve)) => resolve(host)?.into_iter().map(|ip| (ip, port).into()).collect(),
            (None, None) => lookup_host((host, port)).await?.collect(),
        };
        let mut addresses = Vec::new();
        for mut address in found {
            if let canonical @ IpAddr::V4(_) = address.ip().to_canonical() {
                address.set_ip(canonical);
            }
            if !addresses.contains(&address) {
                addresses.push(address);
            }
        }
        if addresses.is_empty() {
            return Err(io::Error::new(ErrorKind::NotFound, "the name has no address"));
        }
        Ok(addresses)
    }

    /// Returns the address, if it is an IP address and not a name.
    fn literal(&self) -> Option<SocketAddr> {
        self.text.parse().ok()
    }

    /// Combines the errors of all addresses that were tried. If one has shown a certificate that is not
    /// trusted, that is the error.
    pub(super) fn failure(&self, mut failed: Vec<(SocketAddr, io::Error)>) -> io::Error {
        let untrusted = failed
            .iter()
            .position(|(_, error)| error.get_ref().is_some_and(|inner| inner.is::<CertificateError>()));
        if let Some(at) = untrusted.or((self.literal().is_some() && failed.len() == 1).then_some(0)) {
            return failed.swap_remove(at).1;
        }
        let first = failed.first().map_or(ErrorKind::Other, |(_, error)| error.kind());
        let is_common = failed.iter().all(|(_, error)| error.kind() == first);
        let kind = if is_common { first } else { ErrorKind::Other };
        let each: Vec<_> = failed.iter().map(|(address, error)| format!("{address}: {error}")).collect();
        io::Error::new(kind, each.join("; "))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_and_a_port() {
        for (text, parts) in [
            ("localhost:7000", ("localhost", 7000)),
            ("127.0.0.1:0", ("127.0.0.1", 0)),
            ("[::1]:65535", ("::1", 65535)),
            ("[fe80::1%2]:1", ("fe80::1%2", 1)),
            ("bank.example.:80", ("bank.example.", 80)),
        ] {
            assert_eq!(Address::new(text).parts().expect("it is an address"), parts);
        }
        for (text, what) in [
            ("", "empty"),
            (" localhost:7000", "blank"),
            ("localhost:7000\n", "line end"),
            ("local host:7000", "blank"),
            ("local\0host:7000", "blank"),
            ("localhost", "no port"),
            ("127.0.0.1", "no port"),
            ("::1", "`[::1]:7000`"),
            ("[::1]", "`[::1]:7000`"),
            (":7000", "no host"),
            ("[]:7000", "no host"),
            ("localhost:", "not a number"),
            ("localhost:http", "not a number"),
            ("localhost:+80", "not a number"),
            ("localhost:65536", "not a number"),
        ] {
            let error = Address::new(text).parts().expect_err("it is no address");
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
            assert!(error.to_string().contains(what), "{text:?}: {error}");
        }
    }

    #[tokio::test]
    async fn each_address_once() {
        let mut address = Address::new("twofold:7");
        let all = ["::1", "127.0.0.1", "::1", "::ffff:127.0.0.1"];
        address.resolved_by(move |_| Ok(all.map(|it| it.parse().expect("an IP")).into()));
        let found = address.resolve().await.expect("it has addresses");
        assert_eq!(found, ["[::1]:7", "127.0.0.1:7"].map(|it| it.parse().expect("an address")));
        address.resolved_by(|_| Ok(Vec::new()));
        assert_eq!(address.resolve().await.expect_err("it has none").kind(), ErrorKind::NotFound);
    }
}
