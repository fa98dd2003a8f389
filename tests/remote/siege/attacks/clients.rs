//! Real clients in the hands of attackers: without a certificate that is trusted, and those that leave at
//! any step, or do not receive.

use super::{Attack, Guise, read};
use crate::away::Away;
use crate::bank::{bank, password};
use pipes::RecvError;
use pipes_remote::Via;
use pipes_remote_tests::raw::Hello;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::time::sleep;

impl Attack<'_> {
    pub(super) async fn certificate(&mut self) {
        let shows = [None, Some("stranger"), Some("expired")][self.below(3)];
        let away = Away::new(&self.camp.places, self.place, Guise::Few.from(), shows);
        if self.below(2) == 0 {
            match bank::connect_async(&Via::new(away)).await {
                Ok(_) => self.wrong(format!("a session with the certificate {shows:?}")),
                Err(_) => self.note("no session"),
            }
            return;
        }
        // By hand: it says all that it has to say at once.
        let Ok(mut stream) = away.stream().await else { return self.note("no connection") };
        let mut bytes = Hello::of::<bank::Protocol>().bytes();
        bytes.extend_from_slice(&self.camp.recording[bytes.len()..]);
        let _ = stream.write_all(&bytes).await;
        let (said, is_over) = read(&mut stream, Duration::from_secs(15)).await;
        match said.is_empty() && is_over {
            true => self.note("no session"),
            false => self.wrong(format!("with {shows:?} it hears {said:?}, {is_over}")),
        }
    }

    pub(super) async fn leaves(&mut self) {
        let via = Via::new(self.at(Guise::Few));
        let step = self.below(8);
        let connecting = bank::connect_with_link_async(&via);
        if step == 0 {
            // In the handshake.
            let time = Duration::from_micros(self.random.below(3000));
            let _ = tokio::time::timeout(time, connecting).await;
            return self.note("left");
        }
        let (client, link) = match connecting.await {
            Ok(connected) => connected,
            Err(error) => return self.note(format!("not taken: {error}")),
        };
        match steps(client, step).await {
            Ok(()) => self.note("left"),
            Err(_) => self.wrong(format!("its session was ended: {:?}", link.cause())),
        }
        if self.below(2) == 0 {
            let _ = link.drained_async().await;
        }
    }

    pub(super) async fn shut_window(&mut self) {
        let via = Via::new(self.at(Guise::Sessions)).window(1 + self.below(10), 100);
        let mut held = Vec::new();
        for _ in 0..1 + self.below(4) {
            let Ok(client) = bank::connect_async(&via).await else {
                self.note("not taken");
                continue;
            };
            let Ok(client) = client.login("mallory".into(), password("mallory")) else { continue };
            let Ok(bank::LoginResponse::Ok(client)) = client.await else { continue };
            held.extend(client.history());
        }
        // It receives a few of them, or none.
        sleep(Duration::from_millis(self.random.below(2000))).await;
        for entries in held {
            let mut entries = entries;
            for _ in 0..self.below(20) {
                let Ok(bank::Entries::Entry(_, next)) = entries.await else {
                    return self.wrong("its session was ended".into());
                };
                entries = next;
            }
            self.note("left");
        }
    }
}

/// A session that ends after this many steps, from 1 to 7, in a state in which it speaks or waits.
async fn steps(client: bank::Client<bank::Login>, steps: usize) -> Result<(), RecvError> {
    let closed = |_| RecvError;
    let answer = match steps {
        1 => return Ok(()),
        _ => client.login("mallory".into(), password("mallory")).map_err(closed)?,
    };
    if steps == 2 {
        return Ok(());
    }
    let bank::LoginResponse::Ok(client) = answer.await? else { return Ok(()) };
    let client = client.deposit(5).map_err(|_| RecvError)?;
    let statement = match steps {
        3 => return Ok(()),
        4 => return client.leave().map_err(|_| RecvError),
        _ => client.balance().map_err(|_| RecvError)?,
    };
    if steps == 5 {
        return Ok(());
    }
    let bank::Statement::Cents(_, client) = statement.await?;
    let entries = client.history().map_err(|_| RecvError)?;
    if steps == 6 {
        return Ok(());
    }
    entries.await.map(drop)
}
