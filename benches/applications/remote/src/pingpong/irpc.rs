//! The ping-pong as calls of `irpc`, each over a QUIC stream of its own.

use super::Pingpong;
use crate::net::play;
use crate::secured::MARK;
use crate::sides::{Played, Ready, failed};
use irpc::channel::oneshot;
use irpc::rpc::{RemoteService, listen};
use irpc::util::{make_client_endpoint, make_server_endpoint};
use irpc::{Client, LocalSender, WithChannels, rpc_requests};
use noq::{Connection, Endpoint};
use serde::{Deserialize, Serialize};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Instant;
use tokio::sync::mpsc;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("irpc.rs")];

/// What a server is called with.
#[rpc_requests(message = Called, no_spans)]
#[derive(Debug, Serialize, Deserialize)]
pub enum Echo {
    /// Returns the number.
    #[rpc(tx = oneshot::Sender<u64>)]
    Ping(Number),
}

/// A number.
#[derive(Debug, Serialize, Deserialize)]
pub struct Number(pub u64);

/// The calls that wait for their answers.
const ROOM: usize = 128;

/// Serves this many calls, and returns when the client has closed its connection.
pub fn serve(calls: u64, ready: Ready<'_>) -> io::Result<u64> {
    play(async {
        let place = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let (endpoint, certificate) = make_server_endpoint(place).map_err(failed)?;
        let (sender, mut called) = mpsc::channel(ROOM);
        let handler = Echo::remote_handler(LocalSender::from(sender));
        tokio::spawn(listen(endpoint.clone(), handler));
        ready(&format!("{}{MARK}{}", endpoint.local_addr()?, to_hex(&certificate)));
        for _ in 0..calls {
            let Called::Ping(call) = called.recv().await.ok_or(io::ErrorKind::UnexpectedEof)?;
            let WithChannels { inner: Number(number), tx, .. } = call;
            tx.send(number).await.map_err(failed)?;
        }
        endpoint.wait_idle().await;
        Ok(calls)
    })
}

/// A client, and what it needs.
pub struct Connected {
    pub client: Client<Echo>,
    connection: Connection,
    endpoint: Endpoint,
}

/// Connects to this address with a certificate.
pub async fn connected(address: &str) -> io::Result<Connected> {
    let (address, certificate) = address.split_once(MARK).unwrap_or((address, ""));
    let certificate = from_hex(certificate)?;
    let place = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let endpoint = make_client_endpoint(place, &[&certificate]).map_err(failed)?;
    let to = address.parse().map_err(failed)?;
    let connection = endpoint.connect(to, "localhost").map_err(failed)?.await?;
    Ok(Connected { client: Client::boxed(connection.clone()), connection, endpoint })
}

impl Connected {
    /// Closes the connection, and waits until the server knows.
    pub async fn close(self) {
        self.connection.close(0u8.into(), &[]);
        self.endpoint.wait_idle().await;
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(digits: &str) -> io::Result<Vec<u8>> {
    let (pairs, _) = digits.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(str::from_utf8(pair).unwrap_or_default(), 16);
    pairs.iter().map(byte).collect::<Result<_, _>>().map_err(failed)
}

pub fn server(game: &Pingpong, ready: Ready<'_>) -> io::Result<u64> {
    serve(game.rounds, ready)
}

pub fn client(game: &Pingpong, address: &str) -> io::Result<Played> {
    call(game.rounds, address)
}

/// One call after another.
pub fn call(calls: u64, address: &str) -> io::Result<Played> {
    play(async {
        let connected = connected(address).await?;
        let begun = Instant::now();
        let mut received = 0;
        for number in 0..calls {
            let answer = connected.client.rpc(Number(number)).await.map_err(failed)?;
            received += u64::from(answer == number);
        }
        let time = begun.elapsed();
        connected.close().await;
        Ok(Played { received, time })
    })
}
