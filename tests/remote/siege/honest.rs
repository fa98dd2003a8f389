//! Clients that do their business while the service is attacked.

use crate::places::{Place, Places};
use pipes::remote::Dial;
use pipes_remote::engine::Engine;
use pipes_remote::{ConnectError, Refusal, Via};
use pipes_remote_tests::engines::sum;
use pipes_remote_tests::numbers;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

/// The clients, one at each place.
pub struct Honest {
    done: Arc<[AtomicU64; Place::ALL.len()]>,
    stops: Arc<AtomicBool>,
    clients: Vec<JoinHandle<()>>,
}

impl Honest {
    pub fn come(places: &Places) -> Self {
        let (done, stops) = (Arc::<[AtomicU64; _]>::default(), Arc::<AtomicBool>::default());
        let client = |place| {
            let (places, done, stops) = (places.clone(), done.clone(), stops.clone());
            tokio::spawn(async move {
                let mut lost = 0;
                while !stops.load(Ordering::Relaxed) {
                    // A new connection each time, or one for several sessions.
                    lost += match place {
                        Place::Unix => visit(pipes_remote::unix(places.address(place)), 1).await,
                        Place::Tcp => visit(pipes_remote::tcp(places.address(place)), 1).await,
                        Place::Tls => visit(Via::new(places.tls(Some("honest"))), 1).await,
                        Place::Quic => visit(Via::new(places.quic(Some("honest"))), 5).await,
                    };
                    let sessions = done[place as usize].fetch_add(1, Ordering::Relaxed);
                    // The system drops datagrams when the service's socket is full of those of others.
                    assert!(
                        lost == 0 || place == Place::Quic && lost < 3 + sessions / 20,
                        "{lost} were lost"
                    );
                    // Not as fast as they can: the attackers are to have their share.
                    sleep(Duration::from_millis(10)).await;
                }
            })
        };
        let clients = Place::ALL.into_iter().map(client).collect();
        Honest { done, stops, clients }
    }

    /// Each of them had as many sessions, at least.
    pub fn have_been_served(&self, times: u64) -> bool {
        assert!(!self.have_failed(), "an honest client has failed");
        self.done.iter().all(|done| done.load(Ordering::Relaxed) >= times)
    }

    pub fn have_failed(&self) -> bool {
        self.clients.iter().any(JoinHandle::is_finished)
    }

    pub async fn go_home(self) {
        self.stops.store(true, Ordering::Relaxed);
        for client in self.clients {
            let ended = timeout(Duration::from_secs(120), client).await.expect("its session ends");
            ended.expect("each honest client gets what it is due");
        }
    }
}

/// Some sessions. Returns how many handshakes were lost.
async fn visit<E: Engine>(via: Via<E>, sessions: u64) -> u64
where
    Via<E>: Dial<numbers::Protocol, Error = ConnectError>,
{
    // A client's patience is longer than any load lasts.
    let via = via.handshake(Duration::from_secs(60));
    let (mut lost, mut done) = (0, 0);
    while done < sessions {
        match numbers::connect_with_link_async(&via).await {
            Ok((client, link)) => {
                assert_eq!(sum(client).await, 5050);
                link.drained_async().await.expect("all has arrived");
                done += 1;
            }
            Err(ConnectError::Refused { reason: Refusal::Busy, .. }) => {
                sleep(Duration::from_millis(50)).await;
            }
            Err(ConnectError::Unreachable { .. } | ConnectError::TimedOut { .. }) => lost += 1,
            Err(error) => panic!("an honest client is refused: {error}"),
        }
    }
    lost
}
