//! The table of kinds of channels and scenarios, for channels inside one process.
//!
//! The scenarios are in `tests/support/table`. To test another kind of channel, implement
//! [`Flavor`](pipes_tests::table::flavor::Flavor) for it and add it here.

use pipes_tests::table;
use pipes_tests::table::flavors::{
    Bounded, Duplex, ManyReceivers, ManyReceiversBounded, OneMessage, Shared, SharedBounded, Stream,
};
use pipes_tests::table::markdown;
use pipes_tests::table::sessions::{BoundedSession, UnboundedSession};

table! {
    stream: Stream {
        reentrance, destructors,
        every, room, direct, queues, wakers, cancellation, consuming "a receive borrows its receiver",
        readiness, closing, limited "it is unbounded", buffered "it is unbounded",
        cloned_senders "it has one sender", cloned_receivers "it has one receiver", members, selections,
        streams, sinks,
    }
    bounded_1: Bounded<1> {
        reentrance, destructors,
        every, room, direct, queues, wakers, cancellation, consuming "a receive borrows its receiver",
        readiness, closing, limited, buffered, cloned_senders "it has one sender",
        cloned_receivers "it has one receiver", members, selections, streams, sinks,
    }
    bounded_5: Bounded<5> {
        reentrance, destructors,
        every, room, direct, queues, wakers, cancellation, consuming "a receive borrows its receiver",
        readiness, closing, limited, buffered, cloned_senders "it has one sender",
        cloned_receivers "it has one receiver", members, selections, streams, sinks,
    }
    rendezvous: Bounded<0> {
        reentrance, destructors "a send waits for its receiver",
        every, room "a send waits for its receiver", direct "a send waits for its receiver", queues, wakers,
        cancellation, consuming "a receive borrows its receiver", readiness, closing, limited,
        buffered "a send waits for its receiver", cloned_senders "it has one sender",
        cloned_receivers "it has one receiver", members, selections, streams, sinks,
    }
    shared: Shared {
        reentrance, destructors,
        every, room, direct, queues, wakers, cancellation, consuming "a receive borrows its receiver",
        readiness, closing, limited "it is unbounded", buffered "it is unbounded", cloned_senders,
        cloned_receivers "it has one receiver", members, selections, streams, sinks,
    }
    shared_bounded_1: SharedBounded<1> {
        reentrance, destructors,
        every, room, direct, queues, wakers, cancellation, consuming "a receive borrows its receiver",
        readiness, closing, limited, buffered, cloned_senders, cloned_receivers "it has one receiver",
        members, selections, streams, sinks,
    }
    shared_bounded_5: SharedBounded<5> {
        reentrance, destructors,
        every, room, direct, queues, wakers, cancellation, consuming "a receive borrows its receiver",
        readiness, closing, limited, buffered, cloned_senders, cloned_receivers "it has one receiver",
        members, selections, streams, sinks,
    }
    shared_rendezvous: SharedBounded<0> {
        reentrance, destructors "a send waits for its receiver",
        every, room "a send waits for its receiver", direct "a send waits for its receiver", queues, wakers,
        cancellation, consuming "a receive borrows its receiver", readiness, closing, limited,
        buffered "a send waits for its receiver", cloned_senders, cloned_receivers "it has one receiver",
        members, selections, streams, sinks,
    }
    shared_port: ManyReceivers {
        reentrance, destructors,
        every, room, direct, queues, wakers, cancellation, consuming "a receive borrows its receiver",
        readiness "another receiver may take the message", closing, limited "it is unbounded",
        buffered "it is unbounded", cloned_senders, cloned_receivers,
        members "another receiver may take the message", selections "another receiver may take the message",
        streams, sinks,
    }
    shared_port_bounded: ManyReceiversBounded<3> {
        reentrance, destructors,
        every, room, direct, queues, wakers, cancellation, consuming "a receive borrows its receiver",
        readiness "another receiver may take the message", closing, limited, buffered, cloned_senders,
        cloned_receivers, members "another receiver may take the message",
        selections "another receiver may take the message", streams, sinks,
    }
    shared_port_rendezvous: ManyReceiversBounded<0> {
        reentrance, destructors "a send waits for its receiver",
        every, room "a send waits for its receiver", direct "a send waits for its receiver", queues, wakers,
        cancellation, consuming "a receive borrows its receiver",
        readiness "another receiver may take the message", closing, limited,
        buffered "a send waits for its receiver", cloned_senders, cloned_receivers,
        members "another receiver may take the message", selections "another receiver may take the message",
        streams, sinks,
    }
    oneshot: OneMessage {
        reentrance, destructors,
        every, room, direct, queues "it carries one message", wakers,
        cancellation "a receive consumes its receiver", consuming, readiness "TODO", closing "TODO",
        limited "it carries one message", buffered "it carries one message",
        cloned_senders "it has one sender", cloned_receivers "it has one receiver", members "TODO",
        selections "TODO", streams "it carries one message", sinks "it carries one message",
    }
    unbounded_session: UnboundedSession {
        reentrance, destructors,
        every, room, direct, queues, wakers, cancellation "a receive consumes its receiver", consuming,
        readiness "TODO", closing "TODO", limited "it is unbounded", buffered "it is unbounded",
        cloned_senders "it has one sender", cloned_receivers "it has one receiver", members "TODO",
        selections "TODO", streams "each message has an endpoint for the next one",
        sinks "each message has an endpoint for the next one",
    }
    bounded_session: BoundedSession {
        reentrance, destructors,
        every, room, direct, queues, wakers, cancellation "a receive consumes its receiver", consuming,
        readiness "TODO", closing "TODO", limited, buffered, cloned_senders "it has one sender",
        cloned_receivers "it has one receiver", members "TODO", selections "TODO",
        streams "each message has an endpoint for the next one",
        sinks "each message has an endpoint for the next one",
    }
    duplex: Duplex {
        reentrance, destructors,
        every, room, direct, queues, wakers, cancellation, consuming "a receive borrows its receiver",
        readiness, closing "its receiving side learns of the close", limited "it is unbounded",
        buffered "it is unbounded", cloned_senders "it has one sender",
        cloned_receivers "it has one receiver", members, selections, streams, sinks,
    }
}

/// `README.md` has the table. With `BLESS=1` it is written anew.
#[test]
fn the_table_is_in_the_readme() {
    const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    const BEGIN: &str = "<!-- the table -->\n";
    let readme = std::fs::read_to_string(PATH).expect("there is a README");
    let (before, table) = readme.split_once(BEGIN).expect("the place of the table is marked");
    let now = markdown(TABLE);
    println!("{now}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(PATH, format!("{before}{BEGIN}\n{now}")).expect("the README can be written");
    } else {
        assert_eq!(table.trim(), now.trim(), "the table has changed: run this test with BLESS=1");
    }
}
