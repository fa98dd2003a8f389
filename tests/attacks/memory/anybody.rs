//! Sessions whose endpoints, in any state, are members of one set on each side, with payloads that are large,
//! over-aligned, or without a size. The endpoints are received from, dropped, exchanged, moved to another set
//! and watched for their close, and one payload panics when it is dropped. Each payload must be dropped once.

use pipes::{Closed, Closing, PortSet};
use pipes_tests::{Bell, Counted, Random, Tally, caught, effort, watched};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::mem::{replace, take};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};
use std::task::Context;
use std::thread;

/// The number of live payloads without a size.
static EMPTY: AtomicIsize = AtomicIsize::new(0);

/// A payload that a test can make.
trait Payload: Send + Debug + 'static {
    fn make(tally: &Tally, number: u64, is_bomb: bool) -> Self;
}

#[derive(Debug)]
#[repr(align(1024))]
struct Wide(#[expect(dead_code, reason = "it is there to be dropped")] Counted);

#[derive(Debug)]
struct Large([u64; 3000], Counted);

#[derive(Debug)]
struct Empty(PhantomData<Box<u8>>);

impl Payload for Wide {
    fn make(tally: &Tally, number: u64, is_bomb: bool) -> Self {
        Wide(if is_bomb { tally.make_bomb(number) } else { tally.make(number) })
    }
}

impl Payload for Large {
    fn make(tally: &Tally, number: u64, is_bomb: bool) -> Self {
        Large([number; 3000], if is_bomb { tally.make_bomb(number) } else { tally.make(number) })
    }
}

impl Drop for Large {
    fn drop(&mut self) {
        if self.0.iter().any(|word| *word != self.1.number) {
            std::process::abort();
        }
    }
}

impl Payload for Empty {
    fn make(_: &Tally, _: u64, _: bool) -> Self {
        EMPTY.fetch_add(1, Ordering::SeqCst);
        Empty(PhantomData)
    }
}

impl Drop for Empty {
    fn drop(&mut self) {
        EMPTY.fetch_sub(1, Ordering::SeqCst);
    }
}

pipes::proto! {
    /// The client may send any number of messages.
    flood<P> {
        ask: send { ask(P) -> ask, both(P, P) -> ask, done(P) -> answer }
        answer: recv { answer(P) -> answer, over(P) -> ask, bye -> ! }
    }

    /// Bounded, so in a ring.
    #[bounded]
    turns<P> {
        ask: send { ask(P) -> answer, both(P, P) -> answer, done(P) -> answer }
        answer: recv { answer(P) -> ask, over(P) -> ask, bye -> ! }
    }
}

/// Defines the test of one protocol.
macro_rules! loops {
    ($protocol:ident, $run:ident, $again:ident) => {
        fn $run<P: Payload>(seed: u64, has_bomb: bool) {
            use $protocol::{AnyClient, AnyServer, ClientMessage, ServerMessage};
            let (tally, bomb) = (Tally::new(), AtomicBool::new(has_bomb));
            let make = |random: &mut Random| {
                P::make(
                    &tally,
                    random.below(1 << 40),
                    random.below(40) == 0 && bomb.swap(false, Ordering::Relaxed),
                )
            };
            let mut clients = PortSet::<AnyClient<P>>::new();
            let mut servers = PortSet::<AnyServer<P>>::new();
            for _ in 0..if cfg!(miri) { 3 } else { 12 } {
                let (client, server) = $protocol::pipe::<P>();
                clients.insert(client.into());
                servers.insert(server.into());
            }
            // A task watches whether the other side has left.
            let watch = |end: &mut dyn FnMut(&mut Context<'_>)| {
                let (_bell, waker) = Bell::new();
                end(&mut Context::from_waker(&waker));
            };
            let steps = if cfg!(miri) { 40 } else { 400 };
            let as_client = || {
                let (mut random, mut set) = (Random::new(seed), clients);
                for _ in 0..steps {
                    let _bang = caught(|| {
                        let Ok((key, Ok(message))) = set.recv() else { return };
                        let next: Option<AnyClient<P>> = match message {
                            ClientMessage::NotReceiving(AnyClient::Ask(mut end)) => {
                                if random.below(3) == 0 {
                                    watch(&mut |cx| {
                                        assert!(!end.poll_closed(cx).is_ready() || end.is_closed())
                                    });
                                }
                                match random.below(8) {
                                    0 => None,
                                    1 | 2 => end.ask(make(&mut random)).ok().map(Into::into),
                                    3 | 4 => {
                                        end.both(make(&mut random), make(&mut random)).ok().map(Into::into)
                                    }
                                    5 => {
                                        let end = end.ask(make(&mut random)).ok().map($again!(random, make));
                                        end.flatten()
                                    }
                                    _ => end.done(make(&mut random)).ok().map(Into::into),
                                }
                            }
                            ClientMessage::NotReceiving(other) => Some(other),
                            ClientMessage::Answer($protocol::Answer::Answer(_, end)) => Some(end.into()),
                            ClientMessage::Answer($protocol::Answer::Over(_, end)) => Some(end.into()),
                            ClientMessage::Answer($protocol::Answer::Bye) => None,
                        };
                        match next {
                            Some(end) if random.below(9) > 0 => drop(set.insert_at(key, end)),
                            Some(end) => {
                                // In the place of another member, which is dropped after all others have
                                // moved to a new set.
                                let old = set.insert_at(random.below(12) as usize, end);
                                let mut all = take(&mut set);
                                let keys: Vec<_> = all.keys().copied().collect();
                                keys.into_iter()
                                    .filter_map(|key| all.remove(&key))
                                    .for_each(|end| _ = set.insert(end));
                                drop(old);
                            }
                            None => {}
                        }
                    });
                }
                drop(caught(|| drop(set)));
            };
            let as_server = || {
                let (mut random, mut set) = (Random::new(seed + 1), servers);
                for _ in 0..steps {
                    let _bang = caught(|| {
                        let Ok((key, turn)) = set.recv() else { return };
                        let next: Option<AnyServer<P>> = match turn {
                            Err(Closed) => None,
                            Ok(ServerMessage::Ask($protocol::Ask::Ask(_, end))) => Some(end.into()),
                            Ok(ServerMessage::Ask($protocol::Ask::Both(_, _, end))) => Some(end.into()),
                            Ok(ServerMessage::Ask($protocol::Ask::Done(_, end))) => Some(end.into()),
                            Ok(ServerMessage::NotReceiving(AnyServer::Answer(mut end))) => {
                                if random.below(3) == 0 {
                                    watch(&mut |cx| {
                                        assert!(!end.poll_closed(cx).is_ready() || end.is_closed())
                                    });
                                }
                                match random.below(9) {
                                    0 => end.bye().ok().and(None),
                                    1 => None,
                                    2..=5 => end.answer(make(&mut random)).ok().map(Into::into),
                                    _ => end.over(make(&mut random)).ok().map(Into::into),
                                }
                            }
                            Ok(ServerMessage::NotReceiving(other)) => Some(other),
                        };
                        let Some(end) = next else { return };
                        let mut old = set.insert_at(key, end);
                        if let Some(old) = &mut old {
                            // The key was free, so there is none. Were there one, this would be a possible
                            // replacement.
                            let (_, server) = $protocol::pipe::<P>();
                            drop(replace(old, server.into()));
                        }
                    });
                }
                drop(caught(|| drop(set)));
            };
            thread::scope(|scope| {
                scope.spawn(as_client);
                scope.spawn(as_server);
            });
            if has_bomb {
                assert!(tally.gone() <= tally.made(), "{} of {} are gone", tally.gone(), tally.made());
            } else {
                tally.assert_all_gone();
            }
        }
    };
}

/// Sends more messages in a row, which only the unbounded protocol allows.
macro_rules! more {
    ($random:ident, $make:ident) => {
        |end| {
            let mut end = Some(end);
            for _ in 0..$random.below(100) {
                end = end.and_then(|end| end.ask($make(&mut $random)).ok());
            }
            end.map(Into::into)
        }
    };
}

/// Sends no more messages in a row.
macro_rules! once {
    ($random:ident, $make:ident) => {
        |end| Some(end.into())
    };
}

loops!(flood, floods, more);
loops!(turns, rings, once);

#[test]
fn ends_of_all_kinds() {
    watched(|| {
        for seed in 0..effort(60) as u64 {
            floods::<Wide>(seed, seed % 3 == 0);
            rings::<Wide>(seed, seed % 3 == 0);
            floods::<Large>(seed, seed % 3 == 0);
            rings::<Large>(seed, seed % 3 == 0);
            floods::<Empty>(seed, false);
            rings::<Empty>(seed, false);
            assert_eq!(EMPTY.load(Ordering::SeqCst), 0);
        }
    });
}
