//! What one side of a connection shows and trusts.

use super::clock::SystemClock;
use super::errors::not_ours;
use super::noting::{Noted, Noting};
use super::{Identity, Trust, fingerprint};
use pipes::remote::Fingerprint;
use pipes::remote::Peer;
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::server::danger::ClientCertVerifier;
use rustls::time_provider::TimeProvider;
use rustls::version::TLS13;
use rustls::{ClientConfig, ServerConfig};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

/// The name of the protocol inside of TLS (ALPN), so that other programs that speak TLS are refused. The
/// handshake refuses other names, and [`spoken`] refuses programs that send no name.
pub(crate) const SPOKEN: &[u8] = b"pipes/1";

/// What one side of a connection shows, and which certificates it trusts.
///
/// A client needs [`servers`](Security::servers); a server needs an [`identity`](Security::identity). If the
/// server names the [`clients`](Security::clients) that it trusts, they need an identity, too.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Security {
    identity: Option<Identity>,
    servers: Option<Trust>,
    clients: Option<Trust>,
}

impl Security {
    /// Creates a side that shows nothing and trusts nothing yet.
    pub fn new() -> Self {
        Security::default()
    }

    /// Shows this identity to the other side.
    pub fn identity(mut self, identity: &Identity) -> Self {
        self.identity = Some(identity.clone());
        self
    }

    /// Connects to servers with these certificates only.
    pub fn servers(mut self, trust: Trust) -> Self {
        self.servers = Some(trust);
        self
    }

    /// Accepts clients with these certificates only. Without this, every client is accepted.
    pub fn clients(mut self, trust: Trust) -> Self {
        self.clients = Some(trust);
        self
    }

    /// Returns the configuration of a client, the name that it asks for at `address`, which is a host and a
    /// port, and where a certificate that is refused will be noted.
    pub(crate) fn client(&self, address: &str) -> io::Result<(ClientConfig, ServerName<'static>, Noted)> {
        self.client_at(address, Arc::new(SystemClock))
    }

    pub(super) fn client_at(
        &self,
        address: &str,
        clock: Arc<dyn TimeProvider>,
    ) -> io::Result<(ClientConfig, ServerName<'static>, Noted)> {
        let (provider, noted) = (provider(), Noted::default());
        let trust =
            self.servers.as_ref().ok_or_else(|| missing("it does not say which servers are trusted"))?;
        let (verifier, name) = trust.of_servers(&provider)?;
        let verifier = Noting::new(verifier, trust.known(), noted.clone());
        let config = ClientConfig::builder_with_details(provider, clock).with_protocol_versions(&[&TLS13]);
        let config = config.map_err(io::Error::other)?.dangerous().with_custom_certificate_verifier(verifier);
        let mut config = match &self.identity {
            None => config.with_no_client_auth(),
            Some(own) => config.with_client_auth_cert(own.chain(), own.key()).map_err(unusable)?,
        };
        config.alpn_protocols = vec![SPOKEN.to_vec()];
        let name = ServerName::try_from(name.unwrap_or(host(address)).to_owned());
        let name =
            name.map_err(|_| missing("the host of the address is neither a name nor an IP address"))?;
        Ok((config, name, noted))
    }

    /// Returns what a server needs.
    pub(crate) fn server(&self) -> io::Result<Server> {
        self.server_at(Arc::new(SystemClock))
    }

    pub(super) fn server_at(&self, clock: Arc<dyn TimeProvider>) -> io::Result<Server> {
        let provider = provider();
        let own = self.identity.as_ref().ok_or_else(|| missing("a server needs an identity"))?;
        let clients = match &self.clients {
            None => None,
            Some(trust) => Some((trust.of_clients(&provider)?, trust.known())),
        };
        let config = ServerConfig::builder_with_details(provider, clock).with_protocol_versions(&[&TLS13]);
        let config = config.map_err(io::Error::other)?.with_no_client_auth();
        let mut open = config.with_single_cert(own.chain(), own.key()).map_err(unusable)?;
        open.alpn_protocols = vec![SPOKEN.to_vec()];
        Ok(Server { open: Arc::new(open), clients })
    }
}

/// The verifier of clients' certificates, with the fingerprints that it knows.
type Clients = (Arc<dyn ClientCertVerifier>, Arc<[Fingerprint]>);

/// The side that accepts connections.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    /// The configuration that asks for no certificate.
    open: Arc<ServerConfig>,
    clients: Option<Clients>,
}

impl Server {
    /// Changes the name of the protocol inside of TLS.
    #[cfg(feature = "ws")]
    pub(crate) fn with_inside(mut self, inside: &[u8]) -> Self {
        Arc::make_mut(&mut self.open).alpn_protocols = vec![inside.to_vec()];
        self
    }

    /// Returns the configuration for one connection, and where a certificate that is refused will be noted.
    pub(crate) fn config(&self) -> io::Result<(Arc<ServerConfig>, Noted)> {
        let (open, noted) = (&self.open, Noted::default());
        let Some((verifier, known)) = &self.clients else { return Ok((open.clone(), noted)) };
        let (provider, clock) = (open.crypto_provider().clone(), open.time_provider.clone());
        let config = ServerConfig::builder_with_details(provider, clock).with_protocol_versions(&[&TLS13]);
        let mut config = config
            .map_err(io::Error::other)?
            .with_client_cert_verifier(Noting::new(verifier.clone(), known.clone(), noted.clone()))
            .with_cert_resolver(open.cert_resolver.clone());
        config.session_storage = open.session_storage.clone();
        config.alpn_protocols.clone_from(&open.alpn_protocols);
        Ok((Arc::new(config), noted))
    }
}

/// Returns the peer at this address that has shown these certificates, or none.
pub(crate) fn certified(address: SocketAddr, certificates: Option<&[CertificateDer<'_>]>) -> Peer {
    match certificates.and_then(|certificates| certificates.first()) {
        None => Peer::at(address),
        Some(first) => Peer::at(address).with_certificate(fingerprint(first)),
    }
}

/// Checks, after a TLS handshake, the name of the protocol inside. A QUIC handshake fails without a name.
pub(crate) fn spoken(inside: Option<&[u8]>) -> io::Result<()> {
    (inside == Some(SPOKEN)).then_some(()).ok_or_else(not_ours)
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// Returns the host of an address as certificates contain it: without the port, and without the zone of an
/// IPv6 address, which only this machine knows.
fn host(address: &str) -> &str {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.split_once('%').map_or(host, |(ip, _)| ip)
}

fn missing(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

/// Returns the error for a key that does not match the certificate or is of an unknown kind.
fn unusable(error: rustls::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("the identity cannot be used: {error}"))
}
