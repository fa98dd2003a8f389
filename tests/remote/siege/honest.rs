//! Clients that do their business while the bank is attacked. Each must get what it is due, to the cent.

use crate::bank::{ENTRIES, bank, password};
use crate::places::{Place, Places};
use pipes::remote::Dial;
use pipes::{Cause, Link};
use pipes_remote::engine::Engine;
use pipes_remote::{ConnectError, Refusal, Via};
use pipes_tests::Random;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// What all of them have done.
#[derive(Debug, Default)]
pub struct Done {
    pub sessions: [AtomicU64; Place::ALL.len()],
    pub messages: AtomicU64,
    /// The longest wait for a session, in milliseconds.
    pub longest: [AtomicU64; Place::ALL.len()],
    /// How often the bank had too many clients to accept. They come back.
    pub busy: AtomicU64,
    /// How connections of QUIC were lost in their handshakes.
    pub lost: Mutex<Vec<String>>,
    /// They are to go home.
    pub stops: AtomicBool,
}

impl Done {
    /// Asserts that there was business everywhere, and that few were lost.
    pub fn check(&self) {
        let counts = self.sessions.each_ref().map(|count| count.load(Ordering::Relaxed));
        assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
        let lost = self.lost.lock().expect("nothing panics with it");
        let most = 2 + (counts[Place::Quic as usize] + counts[Place::KnownQuic as usize]) as usize / 50;
        assert!(lost.len() <= most, "{lost:?}");
    }
}

/// A client's sessions at a place, one after the other.
pub async fn visit(places: Places, place: Place, done: Arc<Done>, day: &str) {
    let user = format!("honest {place:?}, {day}");
    let mut balance = 0;
    let mut random = Random::new(place as u64 + 77);
    while !done.stops.load(Ordering::Relaxed) {
        // Another connection now and then.
        let some = 1 + random.below(20);
        for _ in 0..some {
            let business =
                Business { place, user: &user, balance: &mut balance, random: &mut random, done: &done };
            match place {
                Place::Unix => business.over(&places.unix()).await,
                Place::Tcp => business.over(&places.tcp()).await,
                Place::Tls | Place::KnownTls => business.over(&places.tls(place)).await,
                Place::Quic | Place::KnownQuic => {
                    let there = places.quic(place);
                    business.over(&there).await;
                    for _ in 0..5 {
                        let business = Business {
                            place,
                            user: &user,
                            balance: &mut balance,
                            random: &mut random,
                            done: &done,
                        };
                        business.over(&there).await;
                    }
                }
            }
            done.sessions[place as usize].fetch_add(1, Ordering::Relaxed);
            // Not as fast as they can: the attackers are to have their share.
            sleep(Duration::from_millis(5 + random.below(20))).await;
        }
    }
}

struct Business<'a> {
    place: Place,
    user: &'a str,
    balance: &'a mut u64,
    random: &'a mut Random,
    done: &'a Done,
}

impl Business<'_> {
    async fn over<E: Engine>(self, via: &Via<E>)
    where
        Via<E>: Dial<bank::Protocol, Error = ConnectError>,
    {
        let begin = Instant::now();
        let (client, link) = loop {
            match bank::connect_with_link_async(via).await {
                Ok(connected) => break connected,
                Err(ConnectError::Refused { reason: Refusal::Busy, .. }) => {
                    self.done.busy.fetch_add(1, Ordering::Relaxed);
                    sleep(Duration::from_millis(50)).await;
                }
                // The system drops datagrams when the bank's socket is full of those of others.
                Err(error @ ConnectError::Unreachable { .. }) if self.place.is_quic() => {
                    self.done.lost.lock().expect("nothing panics with it").push(error.to_string());
                }
                Err(error) => panic!("{} is refused: {error}", self.user),
            }
        };
        let Business { place, user, balance, random, done } = self;
        done.longest[place as usize].fetch_max(begin.elapsed().as_millis() as u64, Ordering::Relaxed);
        let mut client = client;
        if random.below(4) == 0 {
            let answer = client.login(user.into(), "a guess".into()).expect("the link stands").await;
            let Ok(bank::LoginResponse::Invalid(next)) = answer else {
                panic!("{user}: {answer:?}, {link:?}")
            };
            client = next;
        }
        let answer = client.login(user.into(), password(user)).expect("the link stands").await;
        let Ok(bank::LoginResponse::Ok(mut client)) = answer else { panic!("{user}: {answer:?}, {link:?}") };
        for _ in 0..random.below(20) {
            done.messages.fetch_add(1, Ordering::Relaxed);
            match random.below(8) {
                0..4 => {
                    let cents = random.below(10_000);
                    client = client.deposit(cents).expect("the link stands");
                    *balance += cents;
                }
                4..6 => {
                    let cents = random.below(20_000);
                    let answer = client.withdrawal(cents).expect("the link stands").await;
                    client = match answer {
                        Ok(bank::WithdrawalResponse::Money(got, next))
                            if got == cents && cents <= *balance =>
                        {
                            *balance -= cents;
                            next
                        }
                        Ok(bank::WithdrawalResponse::InsufficientFunds(next)) if cents > *balance => next,
                        other => panic!("{user} has {balance} and wants {cents}: {other:?}, {link:?}"),
                    };
                }
                6 => client = has(client.balance().expect("the link stands"), *balance, user, &link).await,
                _ => {
                    let mut entries = client.history().expect("the link stands");
                    let mut expected = 0;
                    client = loop {
                        match entries.await {
                            Ok(bank::Entries::Entry(entry, next)) if entry == expected => {
                                (entries, expected) = (next, expected + 1);
                            }
                            Ok(bank::Entries::End(next)) if expected == ENTRIES => break next,
                            other => panic!("{user}, entry {expected}: {other:?}, {link:?}"),
                        }
                    };
                }
            }
        }
        client = has(client.balance().expect("the link stands"), *balance, user, &link).await;
        let leaves = random.below(2) == 0;
        match leaves {
            true => drop(client),
            false => client.leave().expect("the link stands"),
        }
        link.drained_async().await.expect("the bank has everything");
        let cause = link.cause();
        assert!(
            matches!((leaves, &cause), (true, Cause::LeftHere) | (false, Cause::Ended)),
            "{user}: {cause:?}"
        );
    }
}

async fn has(
    statement: bank::Client<bank::Statement>,
    balance: u64,
    user: &str,
    link: &Link,
) -> bank::Client<bank::Connected> {
    match statement.await {
        Ok(bank::Statement::Cents(cents, next)) if cents == balance => next,
        other => panic!("{user} has {balance}: {other:?}, {link:?}"),
    }
}
