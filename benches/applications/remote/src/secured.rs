//! TLS and QUIC, as the contenders use them: through our own engines, without our sessions.

use crate::net::Net;
use crate::sides::failed;
use pipes_remote::engine::{Accept, Engine, Quic, Tls};
use pipes_remote::security::{Identity, Security, Trust};
use std::io;
use std::marker::PhantomData;
use tokio::sync::Mutex;

/// An engine that needs certificates.
pub trait Secured: Engine + Clone + Sized {
    /// At a free port.
    fn free(security: Security) -> io::Result<Self>;
    /// At this address.
    fn at(address: &str, security: Security) -> Self;
}

impl Secured for Tls {
    fn free(security: Security) -> io::Result<Self> {
        Tls::free_port(security)
    }

    fn at(address: &str, security: Security) -> Self {
        Tls::new(address, security)
    }
}

impl Secured for Quic {
    fn free(security: Security) -> io::Result<Self> {
        Quic::free_port(security)
    }

    fn at(address: &str, security: Security) -> Self {
        Quic::new(address, security)
    }
}

/// Streams of this engine.
pub struct Over<E>(PhantomData<E>);

/// TLS.
pub type OverTls = Over<Tls>;

/// QUIC.
pub type OverQuic = Over<Quic>;

/// A server's engine, and its address with the fingerprint of its certificate.
pub struct Place<E> {
    engine: E,
    address: String,
}

/// Stands between an address and a fingerprint, or a certificate.
pub const MARK: char = '#';

impl<E: Secured> Over<E> {
    /// The engine of a client for this address with a fingerprint.
    fn client(address: &str) -> io::Result<E> {
        let (address, fingerprint) = address.split_once(MARK).unwrap_or((address, ""));
        let trust = Trust::fingerprint(fingerprint.parse().map_err(failed)?);
        Ok(E::at(address, Security::new().servers(trust)))
    }
}

impl<E: Secured> Net for Over<E> {
    type Place = Place<E>;
    type Listener = Mutex<E::Accept>;
    type Dialer = E;
    type Stream = E::Stream;
    type Engine = E;

    fn place() -> io::Result<(Place<E>, String)> {
        let identity = Identity::generate()?;
        let engine = E::free(Security::new().identity(&identity))?;
        let address = format!("{}{MARK}{}", engine.address(), identity.fingerprint());
        Ok((Place { engine, address: address.clone() }, address))
    }

    async fn bind_async(place: &Place<E>) -> io::Result<Mutex<E::Accept>> {
        Ok(Mutex::new(place.engine.bind().await?))
    }

    async fn accept_async(listener: &Mutex<E::Accept>) -> io::Result<E::Stream> {
        let accepted = listener.lock().await.accept().await;
        Ok(accepted.ok_or_else(|| io::Error::other("the socket is gone"))??.0)
    }

    fn dialer(address: &str) -> io::Result<E> {
        Self::client(address)
    }

    async fn dial(dialer: &E) -> io::Result<E::Stream> {
        Ok(dialer.open().await?.0)
    }

    fn engine(address: &str) -> io::Result<E> {
        Self::client(address)
    }

    fn engine_at(place: &Place<E>) -> (E, String) {
        (place.engine.clone(), place.address.clone())
    }

    fn exposed(address: &str) -> io::Result<(E, String)> {
        let identity = Identity::generate()?;
        let engine = E::at(address, Security::new().identity(&identity));
        Ok((engine, format!("{address}{MARK}{}", identity.fingerprint())))
    }
}
