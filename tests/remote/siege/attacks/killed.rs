//! A whole process of clients is killed.

use super::{Attack, Guise};
use crate::another::Another;
use crate::bank::{bank, password};
use crate::places::{Place, Places};
use crate::{SAYS, wait_for_ever};
use pipes_remote::Via;
use std::time::Duration;
use tokio::time::sleep;

/// The sessions of such a process, at each place.
const SESSIONS: usize = 15;

/// The process: it has sessions at all places, says so, and waits for its end.
pub fn run(places: &Places) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let held = runtime.as_ref().expect("threads can be had").block_on(async {
        let mut held = Vec::new();
        for place in Place::ALL {
            let via = Via::new(Guise::Sessions.at(places, place)).handshake(Duration::from_secs(30));
            for number in 0..SESSIONS {
                // Others of the same peer may have used up its sessions.
                let Ok(client) = bank::connect_async(&via).await else { continue };
                let Ok(answer) = client.login("mallory".into(), password("mallory")) else { continue };
                if number % 2 == 0 {
                    held.push((Some(answer), None));
                } else if let Ok(bank::LoginResponse::Ok(client)) = answer.await {
                    held.push((None, client.history().ok()));
                }
            }
        }
        held
    });
    println!("{SAYS}{}", held.len());
    wait_for_ever();
}

impl Attack<'_> {
    pub(super) async fn killed(&mut self) {
        let places = self.camp.places.clone();
        let begun = tokio::task::spawn_blocking(move || {
            let clients = Another::start(&format!("clients {}", places.written()), None);
            let sessions: usize = clients.says().parse().expect("it is a number");
            (clients, sessions)
        });
        let (mut clients, sessions) = begun.await.expect("it does not panic");
        sleep(Duration::from_millis(self.random.below(500))).await;
        clients.kill();
        (0..sessions).for_each(|_| self.note("killed"));
    }
}
