//! Bytes before any handshake, and handshakes of TLS that stop.

use super::{Attack, Guise, read, told};
use crate::away::Stream;
use crate::places::{HANDSHAKE, Place};
use rustls::ClientConnection;
use rustls::pki_types::ServerName;
use std::sync::Arc;
use tokio::io::AsyncWriteExt;

impl Attack<'_> {
    /// A stream without anything inside.
    async fn bare(&self) -> Option<Stream> {
        let away = self.at(Guise::Few);
        match self.place {
            Place::Unix => away.stream().await.ok(),
            _ => away.tcp().await.ok().map(|stream| Box::new(stream) as Stream),
        }
    }

    pub(super) async fn garbage(&mut self) {
        let Some(mut stream) = self.bare().await else { return self.note("not reached") };
        let mut bytes = self.bytes(2000);
        // Something that looks like a beginning, now and then.
        match self.below(4) {
            0 => bytes.splice(..0, *b"pipe\x01").for_each(drop),
            1 => bytes.splice(..0, *b"\x16\x03\x01").for_each(drop),
            _ => {}
        }
        let _ = stream.write_all(&bytes).await;
        if self.below(2) == 0 {
            let _ = stream.shutdown().await;
        }
        self.ended(stream).await;
    }

    /// Waits for the end of a stream on which there is no session.
    async fn ended(&self, mut stream: Stream) {
        // Those of TLS have their time twice: for the handshake of TLS, and for that inside.
        let (said, is_over) = read(&mut stream, 5 * HANDSHAKE).await;
        match told(&said).as_str() {
            _ if !is_over => self.wrong("it is held for ever".into()),
            "a session" => self.wrong(format!("it has a session: {said:?}")),
            _ if said.is_empty() => self.note("ended without a word"),
            _ => self.note("ended"),
        }
    }

    pub(super) async fn half_tls(&mut self) {
        let Some(mut stream) = self.bare().await else { return self.note("not reached") };
        let name = ServerName::try_from("pipes").expect("it is a name");
        let config = Arc::new(self.at(Guise::Few).tls());
        let mut connection = ClientConnection::new(config, name).expect("it can begin");
        let mut hello = Vec::new();
        connection.write_tls(&mut hello).expect("a vector takes it");
        match self.below(3) {
            // All of it, and nothing more: the server has done its part.
            0 => {}
            1 => {
                let at = self.below(hello.len());
                hello[at] ^= 1 << self.below(8);
            }
            _ => hello.truncate(self.below(hello.len())),
        }
        let _ = stream.write_all(&hello).await;
        match self.below(3) {
            0 => self.note("left"),
            1 => {
                let more = self.bytes(300);
                let _ = stream.write_all(&more).await;
                self.ended(stream).await;
            }
            _ => self.ended(stream).await,
        }
    }
}
