//! A service that sends its clients connectors to a second service of the same thread. Connectors travel in
//! the messages of sessions, clients leave at each step, with or without a panic, and the listener leaves
//! while clients wait. Each value must be dropped once, and each client must be served or find its pipe
//! closed.

use pipes::{Connector, Listener, PortSet, listen, select};
use pipes_tests::{Bell, Counted, Random, Tally, caught, effort, poll, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

/// The payload, over-aligned.
#[repr(align(128))]
pub struct Wide(#[expect(dead_code, reason = "it is there to be dropped")] Counted);

macro_rules! declared {
    ($vis:vis $name:ident, $payload:ty, $then:ident) => {
        pipes::proto! {
            /// A visit, in which the server may hand out a connector to a talk.
            $vis $name {
                hello: send { hello($payload) -> answer, silent -> $then, bye -> ! }
                answer: recv { answer($payload, Option<Connector<talk::Protocol>>) -> hello, go -> ! }
                $then: recv { more($payload) -> $then, back -> hello }
            }
        }
    };
}

pipes::proto! {
    /// A talk, to which only a visit leads.
    pub talk { say: send { say(Wide) -> said, give(Connector<talk::Protocol>) -> ! } said: recv { said(Wide) -> say } }
}

declared!(pub visit, Wide, listening);

/// Serves all clients until all have left, or leaves at random. Returns how many were served.
fn serve(mut listener: Listener<visit::Protocol>, tally: &Tally, seed: u64) -> usize {
    let (mut random, mut set, mut open, mut served) = (Random::new(seed), PortSet::new(), true, 0);
    let (connector, mut talks) = listen::<talk::Protocol>();
    let (mut connector, mut may_talk) = (Some(connector), true);
    let mut talking = PortSet::<talk::AnyServer>::new();
    let wide = || Wide(tally.make(1));
    loop {
        if random.below(40) == 0 {
            // Leaves while clients wait.
            return served;
        }
        if !open && set.is_empty() {
            connector = None;
        }
        let again = caught(|| {
            select! {
                visitor = listener, if open => match visitor {
                    Ok(visitor) => {
                        served += 1;
                        set.insert(visit::AnyServer::from(visitor));
                    }
                    Err(_) => open = false,
                },
                turn = set, if !set.is_empty() => {
                    let (key, message) = turn.expect("it is not empty");
                    let next = match message {
                        Ok(visit::ServerMessage::Hello(visit::Hello::Hello(_value, server))) => match random.below(4) {
                            0 => {
                                let _ = server.go();
                                None
                            }
                            _ => server.answer(wide(), connector.clone()).ok().map(visit::AnyServer::from),
                        },
                        Ok(visit::ServerMessage::Hello(visit::Hello::Silent(server))) => {
                            let mut server = server;
                            let mut left = random.below(4);
                            loop {
                                match server.more(wide()) {
                                    Err(_) => break None,
                                    Ok(next) if left == 0 => break next.back().ok().map(visit::AnyServer::from),
                                    Ok(next) => (server, left) = (next, left - 1),
                                }
                            }
                        }
                        Ok(visit::ServerMessage::Hello(visit::Hello::Bye)) | Err(_) => None,
                        Ok(visit::ServerMessage::NotReceiving(_)) => unreachable!("the server has answered"),
                    };
                    assert!(random.below(30) > 0, "a server that panics");
                    if let Some(next) = next {
                        drop(set.insert_at(key, next));
                    }
                },
                talk = talks, if may_talk => match talk {
                    Ok(talk) => {
                        talking.insert(talk.into());
                    }
                    Err(_) => may_talk = false,
                },
                turn = talking, if !talking.is_empty() => {
                    if let (key, Ok(talk::ServerMessage::Say(talk::Say::Say(value, server)))) = turn.expect("it is not empty")
                        && let Ok(server) = server.said(value)
                    {
                        drop(talking.insert_at(key, server.into()));
                    }
                },
                else => {}
            }
        });
        if again.is_none() && !open && set.is_empty() && !may_talk && talking.is_empty() {
            return served;
        }
    }
}

/// Connects a few times, and leaves at any step. Returns how often it has connected.
fn visitor(connector: Connector<visit::Protocol>, tally: &Tally, seed: u64) -> usize {
    let (mut random, mut visits) = (Random::new(seed), 0);
    let wide = || Wide(tally.make(2));
    for _ in 0..1 + random.below(4) {
        let _bang = caught(|| {
            let leaves = |random: &mut Random| match random.below(12) {
                0 => panic!("a visitor that panics"),
                does => does < 3,
            };
            let mut client = connector.connect().ok()?;
            visits += 1;
            loop {
                if leaves(&mut random) {
                    return client.bye().ok();
                }
                if random.below(3) > 0 {
                    let mut asking = client.hello(wide()).ok()?;
                    if leaves(&mut random) {
                        return None;
                    }
                    let (_bell, waker) = Bell::new();
                    let _ = poll(&mut asking, &waker);
                    let visit::Answer::Answer(_value, talk, next) = asking.recv().ok()? else { return None };
                    if let Some(talk) = talk {
                        let talking = talk.connect().ok()?;
                        if leaves(&mut random) {
                            drop(talking.give(talk));
                            return None;
                        }
                        let said = talking.say(wide()).ok()?;
                        drop(talk);
                        let talk::Said::Said(_value, _talking) = said.recv().ok()?;
                    }
                    client = next;
                } else {
                    let mut listening = client.silent().ok()?;
                    client = loop {
                        if leaves(&mut random) {
                            return None;
                        }
                        match listening.recv().ok()? {
                            visit::Listening::More(_value, next) => listening = next,
                            visit::Listening::Back(client) => break client,
                        }
                    };
                }
            }
        });
    }
    visits
}

fn program(seed: u64) {
    let (mut random, tally) = (Random::new(seed), Tally::new());
    let (connector, listener) = listen::<visit::Protocol>();
    let visits = Arc::new(AtomicUsize::new(0));
    let visitors: Vec<_> = (0..3)
        .map(|_| {
            let (connector, tally, visits) = (connector.clone(), tally.clone(), visits.clone());
            let seed = random.below(1 << 40);
            thread::spawn(move || visits.fetch_add(visitor(connector, &tally, seed), SeqCst))
        })
        .collect();
    drop(connector);
    let served = serve(listener, &tally, random.below(1 << 40));
    for visitor in visitors {
        visitor.join().expect("its panics are caught");
    }
    assert!(served <= visits.load(SeqCst));
    tally.assert_all_gone();
}

#[test]
fn that_end_at_any_step() {
    watched(|| {
        let first = std::env::var("PIPES_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
        (first..first + effort(if cfg!(miri) { 20 } else { 400 }) as u64).for_each(program);
    });
}
