//! Streams to the bank that come from another address of this machine, with any certificate: an engine for
//! attackers, and for real clients in their hands.

use crate::places::{Place, Places, file};
use pipes_remote::engine::{Engine, Once, Peer};
use quinn::crypto::rustls::QuicClientConfig;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::version::TLS13;
use rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpSocket, TcpStream, UnixStream};
use tokio::sync::Mutex;
use tokio_rustls::TlsConnector;

/// A stream of any engine.
pub trait Bytes: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Bytes for S {}

pub type Stream = Box<dyn Bytes>;

/// A place of the bank, as an attacker reaches it.
#[derive(Clone, Debug)]
pub struct Away(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    place: Place,
    address: String,
    from: Ipv4Addr,
    tls: ClientConfig,
    /// The connection of all streams over QUIC, and its socket.
    connection: Mutex<Option<quinn::Connection>>,
}

impl Away {
    /// From this address, and with this certificate, if any.
    pub fn new(places: &Places, place: Place, from: Ipv4Addr, shows: Option<&str>) -> Self {
        let address = places.address(place).to_owned();
        let shows = shows.map(|name| std::fs::read(file(&places.folder, name)).expect("it was written"));
        let tls = config(shows.as_deref());
        Away(Arc::new(Inner { place, address, from, tls, connection: Mutex::new(None) }))
    }

    /// What it says in a handshake of TLS.
    pub fn tls(&self) -> ClientConfig {
        self.0.tls.clone()
    }

    /// Where the bank is, if it is a socket of IP.
    pub fn to(&self) -> SocketAddr {
        self.0.address.parse().expect("it is an address")
    }

    pub fn from(&self) -> Ipv4Addr {
        self.0.from
    }

    /// A connection of TCP, or of TLS without its handshake.
    pub async fn tcp(&self) -> io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((self.0.from, 0).into())?;
        let stream = socket.connect(self.to()).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// A new connection of QUIC.
    pub async fn quic(&self) -> io::Result<quinn::Connection> {
        self.quic_to(self.to()).await
    }

    /// A new connection of QUIC to another socket, which may be a relay.
    pub async fn quic_to(&self, to: SocketAddr) -> io::Result<quinn::Connection> {
        let crypto = QuicClientConfig::try_from(self.0.tls.clone()).map_err(io::Error::other)?;
        let config = quinn::ClientConfig::new(Arc::new(crypto));
        let endpoint = quinn::Endpoint::client((self.0.from, 0).into())?;
        let connecting = endpoint.connect_with(config, to, "pipes").map_err(io::Error::other)?;
        Ok(connecting.await?)
    }

    /// A new stream without a session.
    pub async fn stream(&self) -> io::Result<Stream> {
        Ok(match self.0.place {
            Place::Unix => Box::new(UnixStream::connect(&self.0.address).await?),
            Place::Tcp => Box::new(self.tcp().await?),
            Place::Tls | Place::KnownTls => {
                let name = ServerName::try_from("pipes").expect("it is a name");
                let connector = TlsConnector::from(Arc::new(self.0.tls.clone()));
                Box::new(connector.connect(name, self.tcp().await?).await?)
            }
            Place::Quic | Place::KnownQuic => {
                let mut kept = self.0.connection.lock().await;
                let connection = match kept.take().filter(|it| it.close_reason().is_none()) {
                    Some(connection) => connection,
                    None => self.quic().await?,
                };
                *kept = Some(connection.clone());
                drop(kept);
                let (send, recv) = connection.open_bi().await?;
                Box::new(tokio::io::join(recv, send))
            }
        })
    }
}

impl Engine for Away {
    type Stream = Stream;
    type Accept = Once<Stream>;

    fn address(&self) -> String {
        self.0.address.clone()
    }

    async fn open(&self) -> io::Result<(Stream, Peer)> {
        Ok((self.stream().await?, Peer::new("the bank")))
    }

    async fn bind(&self) -> io::Result<Once<Stream>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Trusts every server, and shows what is in this file, if any.
fn config(shows: Option<&[u8]>) -> ClientConfig {
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider.clone())
        .with_protocol_versions(&[&TLS13])
        .expect("it is known")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Any(provider)));
    let mut config = match shows {
        None => config.with_no_client_auth(),
        Some(pem) => {
            let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
            let key = PrivateKeyDer::from_pem_slice(pem).expect("it has a key");
            config.with_client_auth_cert(chain.expect("it has a certificate"), key).expect("they fit")
        }
    };
    config.alpn_protocols = vec![b"pipes/1".to_vec()];
    config
}

#[derive(Debug)]
struct Any(Arc<CryptoProvider>);

impl ServerCertVerifier for Any {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::General(String::from("only TLS 1.3 is spoken")))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
