//! Connections that are opened and held, in numbers.

use super::{Attack, Guise, read, told};
use crate::bank::bank;
use crate::places::{Place, SESSIONS};
use futures::future::join_all;
use pipes_remote_tests::raw::{Hello, envelope, read_envelope};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::{sleep, timeout};

/// More than there may be sessions of one peer, and not more than there may be handshakes.
const MANY: usize = SESSIONS + 20;

impl Attack<'_> {
    pub(super) async fn crowd(&mut self) {
        if self.place == Place::Tcp && self.below(2) == 0
            || self.camp.ledger.count(self.kind, self.place) == 0
        {
            return self.all_at_once().await;
        }
        let count = match self.place {
            // Here the crowd and honest clients are the same peer, so it leaves them room.
            Place::Unix => 1 + self.below(20),
            _ => [20, 120, 300][self.below(3)],
        };
        let camp = self.camp;
        let (_room, count) = camp.room(count).await;
        let (silent, time) = (self.below(3) == 0, Duration::from_millis(self.random.below(3000)));
        // Streams of one connection, or connections of one stream.
        let one = self.at(Guise::Crowd);
        let is_one = self.below(2) == 0;
        let members = (0..count).map(|_| {
            let away = if is_one { one.clone() } else { self.at(Guise::Crowd) };
            async move {
                let Ok(Ok(mut stream)) = timeout(Duration::from_secs(10), away.stream()).await else {
                    return "not reached".into();
                };
                let hello = Hello::of::<bank::Protocol>().bytes();
                if !silent && stream.write_all(&hello).await.is_err() {
                    return String::from("ended");
                }
                let (said, is_over) = read(&mut stream, time).await;
                sleep(time).await;
                match told(&said) {
                    told if told != "no word" => told,
                    _ if is_over => "ended".into(),
                    _ => "held".into(),
                }
            }
        });
        for end in join_all(members).await {
            self.note(end);
        }
    }

    /// More sessions than are allowed, of which none ends before all are answered.
    async fn all_at_once(&mut self) {
        let count = if self.place == Place::Unix { 20 } else { MANY };
        let camp = self.camp;
        let _room = camp.room_for_all(count).await;
        let one = self.at(Guise::Crowd);
        let members = (0..count).map(|_| async {
            let beginning = async {
                let mut stream = one.stream().await.ok()?;
                stream.write_all(&Hello::of::<bank::Protocol>().bytes()).await.ok()?;
                let body = read_envelope(&mut stream).await.ok()?;
                Some((stream, told(&envelope(1, &body))))
            };
            timeout(Duration::from_secs(30), beginning).await.ok().flatten()
        });
        for member in join_all(members).await {
            self.note(member.map_or_else(|| "not reached".into(), |(_, told)| told));
        }
    }
}
