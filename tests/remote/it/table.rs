//! The table of kinds of channels and scenarios, for sessions between programs.
//!
//! The scenarios are those of channels inside one program, in `tests/support/table`; here their messages
//! travel.

use pipes::remote::Carries;
use pipes::{Listener, remote::Fault};
#[cfg(not(unix))]
use pipes_remote::engine::Tcp as Unix;
#[cfg(unix)]
use pipes_remote::engine::Unix;
use pipes_remote::engine::{Engine, Memory, Quic, Tcp, Ws};
use pipes_remote::{Codec, Via};
use pipes_remote_tests::engines::{Sides, memory_sides, secured_sides, tcp_sides, ws_sides};
use pipes_tests::table::assert_in_readme;
use pipes_tests::table::flavor::{Flavor, Limited};
use pipes_tests::table::sessions::{FeedReceiver, FeedSender, TurnsReceiver, TurnsSender, feed, turns};
use pipes_tests::{Counted, DropCounter, table};
use std::cell::RefCell;

/// A number. The copy that arrives is counted on its own.
#[derive(Clone, Copy, Debug)]
struct Numbers;

impl Codec for Numbers {
    const NAME: &'static str = "numbers";
}

impl Carries<Counted> for Numbers {
    fn put(&self, payload: &Counted, out: &mut Vec<u8>) -> Result<(), Fault> {
        out.extend(payload.number.to_be_bytes());
        Ok(())
    }

    fn get(&self, bytes: &[u8]) -> Result<Counted, Fault> {
        let bytes = bytes.try_into().map_err(|_| Fault::Undecodable("it has eight bytes".into()))?;
        Ok(DropCounter::new().make(u64::from_be_bytes(bytes)))
    }
}

impl Carries<()> for Numbers {
    fn put(&self, (): &(), _: &mut Vec<u8>) -> Result<(), Fault> {
        Ok(())
    }

    fn get(&self, _: &[u8]) -> Result<(), Fault> {
        Ok(())
    }
}

#[cfg(unix)]
fn unix_sides() -> Sides<Unix> {
    // The folder stays: a listener may outlive its test.
    let folder = tempfile::tempdir().expect("there is room").keep();
    Sides::same(pipes_remote::unix(folder.join("socket")))
}

/// Where there are no Unix sockets, their columns are over TCP once more.
#[cfg(not(unix))]
use tcp_sides as unix_sides;

/// A place of a test: where its clients connect, and what accepts them.
struct Place<E: Engine, L> {
    there: Via<E, Numbers>,
    listener: L,
}

macro_rules! kinds {
    ($($name:ident: $engine:ty = $sides:expr, $protocol:ident, $server:ty, $sender:ident, $receiver:ident;)*) => {
        $(
            struct $name;

            impl Flavor for $name {
                type Sender = $sender;
                type Receiver = $receiver;

                fn channel() -> ($sender, $receiver) {
                    type Listening = Listener<$protocol::Protocol<Counted>, $server>;
                    thread_local! {
                        static PLACE: RefCell<Place<$engine, Listening>> = {
                            let Sides { here, there } = $sides();
                            let listener = $protocol::listen(&here.codec(Numbers)).expect("it is free");
                            RefCell::new(Place { there: there.codec(Numbers), listener })
                        };
                    }
                    DropCounter::payloads_travel();
                    PLACE.with_borrow_mut(|place| {
                        let client = $protocol::connect(&place.there).expect("it listens");
                        let server = place.listener.accept().expect("a client comes");
                        ($sender(Some(client.into())), $receiver(Some(server)))
                    })
                }
            }
        )*
    };
}

macro_rules! over {
    ($($unbounded:ident $bounded:ident: $engine:ty = $sides:expr;)*) => {
        kinds! {
            $(
                $unbounded: $engine = $sides, feed, feed::Server<feed::More<Counted>>, FeedSender, FeedReceiver;
                $bounded: $engine = $sides, turns, turns::Server<turns::Turn<Counted>>, TurnsSender, TurnsReceiver;
            )*
        }

        $(
            impl Limited for $bounded {
                const CAPACITY: u64 = 1;
            }
        )*
    };
}

over! {
    UnboundedMemory BoundedMemory: Memory = memory_sides;
    UnboundedEager BoundedEager: Memory = (|| memory_sides().eager());
    UnboundedUnix BoundedUnix: Unix = unix_sides;
    UnboundedTcp BoundedTcp: Tcp = tcp_sides;
    UnboundedQuic BoundedQuic: Quic = secured_sides;
    UnboundedWs BoundedWs: Ws = ws_sides;
}

macro_rules! sessions {
    ($($name:ident: $kind:ty $(, $is_unbounded:literal)?;)*) => {
        table! {
            $(
                $name: $kind {
                    $(limited $is_unbounded,)?
                    direct unread readiness limited_direct buffered members selections selection_queues
                        ending_threads budget "a message travels",
                    closing closing_one_by_one closing_queues "a close travels",
                    wakers reentrance executors "a pump calls its wakers",
                    cancellation cancellation_queues forgetting "a receive consumes its receiver",
                    streams stream_queues sinks sink_queues
                        "each message has an endpoint for the next one",
                    cloned_senders waiting_senders "it has one sender",
                    cloned_receivers "it has one receiver", replacement "it replaces no message",
                    bounded_streams "it is a session", offers "a send waits for no receiver",
                    batches "it has no batches",
                }
            )*
        }
    };
}

sessions! {
    memory_unbounded: UnboundedMemory, "it is unbounded";
    memory_bounded: BoundedMemory;
    eager_unbounded: UnboundedEager, "it is unbounded";
    eager_bounded: BoundedEager;
    unix_unbounded: UnboundedUnix, "it is unbounded";
    unix_bounded: BoundedUnix;
    tcp_unbounded: UnboundedTcp, "it is unbounded";
    tcp_bounded: BoundedTcp;
    quic_unbounded: UnboundedQuic, "it is unbounded";
    quic_bounded: BoundedQuic;
    ws_unbounded: UnboundedWs, "it is unbounded";
    ws_bounded: BoundedWs;
}

/// `tests/remote/README.md` has the table. With `BLESS=1` it is written anew.
#[test]
fn the_table_is_in_the_readme() {
    assert_in_readme(TABLE, concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
}
