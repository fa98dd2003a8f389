//! Datagrams: random ones, and those of real connections, changed, repeated and out of order.

use super::{Attack, Guise};
use crate::places::{Place, Places};
use pipes_remote_tests::raw::{Hello, read_envelope};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::UdpSocket;
use tokio::time::timeout;

/// Passes datagrams on between a client and the bank, and keeps them.
async fn relay(to: SocketAddr, kept: Arc<Mutex<Vec<Vec<u8>>>>, inside: UdpSocket, outside: UdpSocket) {
    let (mut up, mut down) = (vec![0; 2048], vec![0; 2048]);
    let mut client = None;
    loop {
        let (bytes, of_client) = tokio::select! {
            Ok((length, from)) = inside.recv_from(&mut up) => {
                client = Some(from);
                (up[..length].to_vec(), true)
            }
            Ok(length) = outside.recv(&mut down) => (down[..length].to_vec(), false),
            else => return,
        };
        let _ = match (of_client, client) {
            (true, _) => outside.send_to(&bytes, to).await,
            (false, Some(client)) => inside.send_to(&bytes, client).await,
            (false, None) => return,
        };
        kept.lock().expect("nothing panics with it").push(bytes);
    }
}

/// The datagrams of a real connection with a session.
pub(super) async fn recording(places: &Places) -> Vec<Vec<u8>> {
    let away = Guise::Few.at(places, Place::Quic);
    let here = (away.from(), 0);
    let inside = UdpSocket::bind(here).await.expect("there is a free port");
    let outside = UdpSocket::bind(here).await.expect("there is a free port");
    let relayed = inside.local_addr().expect("it is bound");
    let kept = Arc::default();
    let relaying = tokio::spawn(relay(away.to(), Arc::clone(&kept), inside, outside));
    let connection = away.quic_to(relayed).await.expect("the bank listens");
    let (send, recv) = connection.open_bi().await.expect("there is room");
    let mut stream = tokio::io::join(recv, send);
    let hello = Hello::of::<crate::bank::bank::Protocol>().bytes();
    stream.write_all(&hello).await.expect("the link stands");
    assert_eq!(read_envelope(&mut stream).await.expect("it answers")[0], 0);
    connection.close(0u32.into(), b"");
    drop(stream);
    relaying.abort();
    let _ = relaying.await;
    std::mem::take(&mut *kept.lock().expect("nothing panics with it"))
}

impl Attack<'_> {
    pub(super) async fn datagrams(&mut self) {
        let away = self.at(Guise::Crowd);
        let socket = UdpSocket::bind((away.from(), 0)).await.expect("there is a free port");
        socket.connect(away.to()).await.expect("it is an address");
        for _ in 0..1 + self.below(60) {
            let bytes = self.datagram();
            let _ = socket.send(&bytes).await;
        }
        let (mut answer, mut answers) = ([0; 2048], 0);
        while let Ok(Ok(_)) = timeout(Duration::from_millis(300), socket.recv(&mut answer)).await {
            answers += 1;
            if answers > 2000 {
                return self.wrong("it answers for ever".into());
            }
        }
        self.note(if answers == 0 { "no answer" } else { "answers" });
    }

    fn datagram(&mut self) -> Vec<u8> {
        if self.below(3) == 0 {
            let mut bytes = self.bytes(1500);
            // Of the kind that begins a connection, perhaps with a version that is known.
            if bytes.len() > 5 && self.below(2) == 0 {
                bytes[0] |= 0xc0;
                bytes[1..5].copy_from_slice(&[0, 0, 0, self.below(3) as u8]);
            }
            return bytes;
        }
        let recorded = &self.camp.datagrams;
        let first = self.random.below(2) == 0;
        let at = if first { 0 } else { self.random.below(recorded.len() as u64) as usize };
        let mut bytes = recorded[at].clone();
        for _ in 0..self.below(4) {
            let at = self.below(bytes.len());
            match self.below(4) {
                0 => bytes[at] ^= 1 << self.below(8),
                // In front are the version and the numbers of the connection.
                1 => {
                    let front = at % 30;
                    if let Some(byte) = bytes.get_mut(front) {
                        *byte = self.random.below(256) as u8;
                    }
                }
                2 => bytes.truncate(at.max(1)),
                _ => bytes.extend(self.bytes(100)),
            }
        }
        bytes
    }
}
