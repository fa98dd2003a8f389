//! Many streams on one connection of QUIC, up to the limit and above it, that are reset and stopped.

use super::{Attack, Guise};
use crate::bank::bank;
use futures::future::join_all;
use pipes_remote_tests::raw::{Hello, MESSAGE, append};
use std::time::Duration;
use tokio::time::{sleep, timeout};

impl Attack<'_> {
    pub(super) async fn streams(&mut self) {
        let Ok(connection) = self.at(Guise::Streams).quic().await else { return self.note("not reached") };
        let hello = Hello::of::<bank::Protocol>().bytes();
        let mut held = Vec::new();
        for _ in 0..[50, 130, 400][self.below(3)] {
            // Above the limit, it waits.
            let opened = timeout(Duration::from_millis(200), connection.open_bi()).await;
            let (mut send, mut recv) = match opened {
                Ok(Ok(opened)) => opened,
                Ok(Err(_)) => return self.note("lost"),
                Err(_) => {
                    self.note("at the limit");
                    break;
                }
            };
            let mut bytes = hello.clone();
            match self.below(4) {
                0 => bytes.truncate(self.below(hello.len())),
                1 => append(&mut bytes, MESSAGE, &[1, b'x', 1, b'x']),
                2 => bytes.extend(self.bytes(3000)),
                _ => {}
            }
            let _ = timeout(Duration::from_millis(200), send.write_all(&bytes)).await;
            match self.below(6) {
                0 => drop(send.reset(7u32.into())),
                1 => drop(recv.stop(7u32.into())),
                2 => {
                    let _ = send.reset(9u32.into());
                    let _ = recv.stop(9u32.into());
                }
                3 => drop(send.finish()),
                4 => {
                    // No program reads this before the handshake is done.
                    let _ = timeout(Duration::from_millis(20), send.write_all(&[0; 1 << 20])).await;
                    held.push((send, recv));
                }
                _ => held.push((send, recv)),
            }
            self.note("a stream");
        }
        // Then the connection goes, with or without its streams.
        match self.below(3) {
            0 => connection.close(3u32.into(), b"enough"),
            1 => drop(held),
            _ => {
                sleep(Duration::from_millis(self.random.below(1000))).await;
                held.reverse();
                drop(held);
            }
        }
        // A second kind of stream, and datagrams, which are not spoken here.
        let other = timeout(Duration::from_millis(50), connection.open_uni()).await;
        if matches!(other, Ok(Ok(_))) {
            self.wrong("there is a stream in one direction".into());
        }
        let _ = connection.send_datagram(b"pipes"[..].into());
    }

    /// Connections that are alive, and on which there is nothing.
    pub(super) async fn idle(&mut self) {
        let (count, time) = (1 + self.below(100), Duration::from_millis(self.random.below(3000)));
        let camp = self.camp;
        let (_room, count) = camp.room(count).await;
        let away = self.at(Guise::Crowd);
        let connecting = (0..count).map(|_| timeout(Duration::from_secs(10), away.quic()));
        let connections: Vec<_> =
            join_all(connecting).await.into_iter().filter_map(|it| it.ok()?.ok()).collect();
        sleep(time).await;
        for connection in connections {
            self.note(if connection.close_reason().is_some() { "ended" } else { "held" });
        }
    }
}
