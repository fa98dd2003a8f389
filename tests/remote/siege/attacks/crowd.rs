//! Connections that are opened and held, in numbers.

use super::{Attack, Guise, read, told};
use crate::bank::bank;
use crate::places::Place;
use futures::future::join_all;
use pipes_remote_tests::raw::Hello;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::{sleep, timeout};

impl Attack<'_> {
    pub(super) async fn crowd(&mut self) {
        let count = match self.place {
            // Here the crowd and honest clients are the same holder, so it leaves them room.
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
}
