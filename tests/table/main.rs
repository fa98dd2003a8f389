//! The table of kinds of channels and scenarios, for channels inside one process.
//!
//! The scenarios are in `tests/support/table`. To test another kind of channel, implement
//! [`Flavor`](pipes_tests::table::flavor::Flavor) for it and add it here.

use pipes_tests::table;
use pipes_tests::table::flavors::{
    Bounded, Broadcast, Duplex, ManyReceivers, ManyReceiversBounded, OneMessage, OneSenderManyReceivers,
    OneSenderManyReceiversBounded, Shared, SharedBounded, Stream,
};
use pipes_tests::table::latest::{Lagging, Watch};
use pipes_tests::table::markdown;
use pipes_tests::table::sessions::{BoundedSession, UnboundedSession};

table! {
    stream: Stream {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues, forgetting, consuming "a receive borrows its receiver",
        readiness, closing, closing_one_by_one, closing_queues, limited "it is unbounded",
        limited_direct "it is unbounded", buffered "it is unbounded", cloned_senders "it has one sender",
        cloned_receivers "it has one receiver", members, selections, selection_queues, streams, stream_queues,
        sinks, sink_queues, executors, ending_threads, bounded_streams "it is unbounded",
        offers "a send waits for no receiver", waiting_senders "it has one sender", batches, budget,
    }
    bounded_1: Bounded<1> {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues, forgetting, consuming "a receive borrows its receiver",
        readiness, closing, closing_one_by_one, closing_queues, limited, limited_direct, buffered,
        cloned_senders "it has one sender", cloned_receivers "it has one receiver", members, selections,
        selection_queues, streams, stream_queues, sinks, sink_queues, executors, ending_threads,
        bounded_streams, offers "a send waits for no receiver", waiting_senders "it has one sender", batches,
        budget,
    }
    bounded_5: Bounded<5> {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues, forgetting, consuming "a receive borrows its receiver",
        readiness, closing, closing_one_by_one, closing_queues, limited, limited_direct, buffered,
        cloned_senders "it has one sender", cloned_receivers "it has one receiver", members, selections,
        selection_queues, streams, stream_queues, sinks, sink_queues, executors, ending_threads,
        bounded_streams, offers "a send waits for no receiver", waiting_senders "it has one sender", batches,
        budget,
    }
    rendezvous: Bounded<0> {
        every, room "a send waits for its receiver", direct "a send waits for its receiver",
        unread "a send waits for its receiver", one_by_one, queues, replacement "it replaces no message",
        wakers, reentrance, cancellation, cancellation_queues, forgetting,
        consuming "a receive borrows its receiver", readiness, closing, closing_one_by_one, closing_queues,
        limited, limited_direct, buffered "a send waits for its receiver", cloned_senders "it has one sender",
        cloned_receivers "it has one receiver", members, selections, selection_queues, streams, stream_queues,
        sinks, sink_queues, executors, ending_threads, bounded_streams, offers,
        waiting_senders "it has one sender", batches, budget,
    }
    shared: Shared {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues, forgetting, consuming "a receive borrows its receiver",
        readiness, closing, closing_one_by_one, closing_queues, limited "it is unbounded",
        limited_direct "it is unbounded", buffered "it is unbounded", cloned_senders,
        cloned_receivers "it has one receiver", members, selections, selection_queues, streams, stream_queues,
        sinks, sink_queues, executors, ending_threads, bounded_streams "it is unbounded",
        offers "a send waits for no receiver", waiting_senders "it is unbounded", batches, budget,
    }
    shared_bounded_1: SharedBounded<1> {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues, forgetting, consuming "a receive borrows its receiver",
        readiness, closing, closing_one_by_one, closing_queues, limited, limited_direct, buffered,
        cloned_senders, cloned_receivers "it has one receiver", members, selections, selection_queues,
        streams, stream_queues, sinks, sink_queues, executors, ending_threads, bounded_streams,
        offers "a send waits for no receiver", waiting_senders, batches, budget,
    }
    shared_bounded_5: SharedBounded<5> {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues, forgetting, consuming "a receive borrows its receiver",
        readiness, closing, closing_one_by_one, closing_queues, limited, limited_direct, buffered,
        cloned_senders, cloned_receivers "it has one receiver", members, selections, selection_queues,
        streams, stream_queues, sinks, sink_queues, executors, ending_threads, bounded_streams,
        offers "a send waits for no receiver", waiting_senders, batches, budget,
    }
    shared_rendezvous: SharedBounded<0> {
        every, room "a send waits for its receiver", direct "a send waits for its receiver",
        unread "a send waits for its receiver", one_by_one, queues, replacement "it replaces no message",
        wakers, reentrance, cancellation, cancellation_queues, forgetting,
        consuming "a receive borrows its receiver", readiness, closing, closing_one_by_one, closing_queues,
        limited, limited_direct, buffered "a send waits for its receiver", cloned_senders,
        cloned_receivers "it has one receiver", members, selections, selection_queues, streams, stream_queues,
        sinks, sink_queues, executors, ending_threads, bounded_streams, offers, waiting_senders, batches,
        budget,
    }
    shared_port: ManyReceivers {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues,
        forgetting "a forgotten receive keeps its place in the queue",
        consuming "a receive borrows its receiver", readiness "another receiver may take the message",
        closing, closing_one_by_one, closing_queues, limited "it is unbounded",
        limited_direct "it is unbounded", buffered "it is unbounded", cloned_senders, cloned_receivers,
        members "another receiver may take the message", selections "another receiver may take the message",
        selection_queues "another receiver may take the message", streams, stream_queues, sinks, sink_queues,
        executors, ending_threads, bounded_streams "it is unbounded", offers "a send waits for no receiver",
        waiting_senders "it is unbounded", batches, budget,
    }
    shared_port_bounded: ManyReceiversBounded<3> {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues,
        forgetting "a forgotten receive keeps its place in the queue",
        consuming "a receive borrows its receiver", readiness "another receiver may take the message",
        closing, closing_one_by_one, closing_queues, limited, limited_direct, buffered, cloned_senders,
        cloned_receivers, members "another receiver may take the message",
        selections "another receiver may take the message",
        selection_queues "another receiver may take the message", streams, stream_queues, sinks, sink_queues,
        executors, ending_threads, bounded_streams, offers "a send waits for no receiver", waiting_senders,
        batches, budget,
    }
    shared_port_rendezvous: ManyReceiversBounded<0> {
        every, room "a send waits for its receiver", direct "a send waits for its receiver",
        unread "a send waits for its receiver", one_by_one, queues, replacement "it replaces no message",
        wakers, reentrance, cancellation, cancellation_queues,
        forgetting "a forgotten receive keeps its place in the queue",
        consuming "a receive borrows its receiver", readiness "another receiver may take the message",
        closing, closing_one_by_one, closing_queues, limited, limited_direct,
        buffered "a send waits for its receiver", cloned_senders, cloned_receivers,
        members "another receiver may take the message", selections "another receiver may take the message",
        selection_queues "another receiver may take the message", streams, stream_queues, sinks, sink_queues,
        executors, ending_threads, bounded_streams, offers, waiting_senders, batches, budget,
    }
    oneshot: OneMessage {
        every, room, direct, unread, one_by_one "it carries one message", queues "it carries one message",
        replacement "it replaces no message", wakers, reentrance,
        cancellation "a receive consumes its receiver", cancellation_queues "a receive consumes its receiver",
        forgetting "a receive consumes its receiver", consuming, readiness, closing,
        closing_one_by_one "it carries one message", closing_queues "it carries one message",
        limited "it carries one message", limited_direct "it carries one message",
        buffered "it carries one message", cloned_senders "it has one sender",
        cloned_receivers "it has one receiver", members "a message removes its endpoint from a set",
        selections "it carries one message", selection_queues "it carries one message",
        streams "it carries one message", stream_queues "it carries one message",
        sinks "it carries one message", sink_queues "it carries one message", executors, ending_threads,
        bounded_streams "it carries one message", offers "a send waits for no receiver",
        waiting_senders "it has one sender", batches "it carries one message", budget,
    }
    unbounded_session: UnboundedSession {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation "a receive consumes its receiver",
        cancellation_queues "a receive consumes its receiver", forgetting "a receive consumes its receiver",
        consuming, readiness, closing, closing_one_by_one, closing_queues, limited "it is unbounded",
        limited_direct "it is unbounded", buffered "it is unbounded", cloned_senders "it has one sender",
        cloned_receivers "it has one receiver", members "a message removes its endpoint from a set",
        selections, selection_queues, streams "each message has an endpoint for the next one",
        stream_queues "each message has an endpoint for the next one",
        sinks "each message has an endpoint for the next one",
        sink_queues "each message has an endpoint for the next one", executors, ending_threads,
        bounded_streams "each message has an endpoint for the next one",
        offers "a send waits for no receiver", waiting_senders "it has one sender",
        batches "each message has an endpoint for the next one", budget,
    }
    bounded_session: BoundedSession {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation "a receive consumes its receiver",
        cancellation_queues "a receive consumes its receiver", forgetting "a receive consumes its receiver",
        consuming, readiness, closing, closing_one_by_one, closing_queues, limited, limited_direct, buffered,
        cloned_senders "it has one sender", cloned_receivers "it has one receiver",
        members "a message removes its endpoint from a set", selections, selection_queues,
        streams "each message has an endpoint for the next one",
        stream_queues "each message has an endpoint for the next one",
        sinks "each message has an endpoint for the next one",
        sink_queues "each message has an endpoint for the next one", executors, ending_threads,
        bounded_streams "each message has an endpoint for the next one",
        offers "a send waits for no receiver", waiting_senders "it has one sender",
        batches "each message has an endpoint for the next one", budget,
    }
    duplex: Duplex {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues, forgetting, consuming "a receive borrows its receiver",
        readiness, closing "its receiving side learns of the close",
        closing_one_by_one "its receiving side learns of the close",
        closing_queues "its receiving side learns of the close", limited "it is unbounded",
        limited_direct "it is unbounded", buffered "it is unbounded", cloned_senders "it has one sender",
        cloned_receivers "it has one receiver", members, selections, selection_queues, streams, stream_queues,
        sinks, sink_queues, executors, ending_threads, bounded_streams "it is unbounded",
        offers "a send waits for no receiver", waiting_senders "it has one sender", batches, budget,
    }
    one_sender_port: OneSenderManyReceivers {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues,
        forgetting "a forgotten receive keeps its place in the queue",
        consuming "a receive borrows its receiver", readiness "another receiver may take the message",
        closing, closing_one_by_one, closing_queues, limited "it is unbounded",
        limited_direct "it is unbounded", buffered "it is unbounded", cloned_senders "it has one sender",
        cloned_receivers, members "another receiver may take the message",
        selections "another receiver may take the message",
        selection_queues "another receiver may take the message", streams, stream_queues, sinks, sink_queues,
        executors, ending_threads, bounded_streams "it is unbounded", offers "a send waits for no receiver",
        waiting_senders "it has one sender", batches, budget,
    }
    one_sender_port_bounded: OneSenderManyReceiversBounded<3> {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues,
        forgetting "a forgotten receive keeps its place in the queue",
        consuming "a receive borrows its receiver", readiness "another receiver may take the message",
        closing, closing_one_by_one, closing_queues, limited, limited_direct, buffered,
        cloned_senders "it has one sender", cloned_receivers, members "another receiver may take the message",
        selections "another receiver may take the message",
        selection_queues "another receiver may take the message", streams, stream_queues, sinks, sink_queues,
        executors, ending_threads, bounded_streams, offers "a send waits for no receiver",
        waiting_senders "it has one sender", batches, budget,
    }
    one_sender_port_rendezvous: OneSenderManyReceiversBounded<0> {
        every, room "a send waits for its receiver", direct "a send waits for its receiver",
        unread "a send waits for its receiver", one_by_one, queues, replacement "it replaces no message",
        wakers, reentrance, cancellation, cancellation_queues,
        forgetting "a forgotten receive keeps its place in the queue",
        consuming "a receive borrows its receiver", readiness "another receiver may take the message",
        closing, closing_one_by_one, closing_queues, limited, limited_direct,
        buffered "a send waits for its receiver", cloned_senders "it has one sender", cloned_receivers,
        members "another receiver may take the message", selections "another receiver may take the message",
        selection_queues "another receiver may take the message", streams, stream_queues, sinks, sink_queues,
        executors, ending_threads, bounded_streams, offers, waiting_senders "it has one sender", batches,
        budget,
    }
    broadcast_1: Broadcast<1> {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues, forgetting, consuming "a receive borrows its receiver",
        readiness, closing "it can get another receiver", closing_one_by_one "it can get another receiver",
        closing_queues "it can get another receiver", limited, limited_direct, buffered,
        cloned_senders "it can get another receiver",
        cloned_receivers "each of its receivers gets each message", members, selections, selection_queues,
        streams, stream_queues, sinks "its sender is no sink", sink_queues "its sender is no sink", executors,
        ending_threads, bounded_streams "its sender is no sink", offers "a send waits for no receiver",
        waiting_senders "its line is of its own kind", batches "it has no batches", budget,
    }
    broadcast_5: Broadcast<5> {
        every, room, direct, unread, one_by_one, queues, replacement "it replaces no message", wakers,
        reentrance, cancellation, cancellation_queues, forgetting, consuming "a receive borrows its receiver",
        readiness, closing "it can get another receiver", closing_one_by_one "it can get another receiver",
        closing_queues "it can get another receiver", limited, limited_direct, buffered,
        cloned_senders "it can get another receiver",
        cloned_receivers "each of its receivers gets each message", members, selections, selection_queues,
        streams, stream_queues, sinks "its sender is no sink", sink_queues "its sender is no sink", executors,
        ending_threads, bounded_streams "its sender is no sink", offers "a send waits for no receiver",
        waiting_senders "its line is of its own kind", batches "it has no batches", budget,
    }
    lagging: Lagging<4> {
        every, room, direct, unread, one_by_one, queues "it overwrites messages", replacement, wakers,
        reentrance, cancellation, cancellation_queues "it overwrites messages", forgetting,
        consuming "a receive borrows its receiver", readiness, closing "it can get another receiver",
        closing_one_by_one "it can get another receiver", closing_queues "it can get another receiver",
        limited "a send waits for no receiver", limited_direct "a send waits for no receiver",
        buffered "a send waits for no receiver", cloned_senders "it can get another receiver",
        cloned_receivers "each of its receivers gets each message", members "its messages are results",
        selections, selection_queues "it overwrites messages", streams "its messages are results",
        stream_queues "its messages are results", sinks "its sender is no sink",
        sink_queues "its sender is no sink", executors, ending_threads,
        bounded_streams "its sender is no sink", offers "a send waits for no receiver",
        waiting_senders "a send waits for no receiver", batches "it has no batches", budget,
    }
    lagging_long: Lagging<4096> {
        every, room, direct, unread, one_by_one, queues, replacement, wakers, reentrance, cancellation,
        cancellation_queues, forgetting, consuming "a receive borrows its receiver", readiness,
        closing "it can get another receiver", closing_one_by_one "it can get another receiver",
        closing_queues "it can get another receiver", limited "a send waits for no receiver",
        limited_direct "a send waits for no receiver", buffered "a send waits for no receiver",
        cloned_senders "it can get another receiver",
        cloned_receivers "each of its receivers gets each message", members "its messages are results",
        selections, selection_queues, streams "its messages are results",
        stream_queues "its messages are results", sinks "its sender is no sink",
        sink_queues "its sender is no sink", executors, ending_threads,
        bounded_streams "its sender is no sink", offers "a send waits for no receiver",
        waiting_senders "a send waits for no receiver", batches "it has no batches", budget,
    }
    watch: Watch {
        every, room, direct, unread "its unread value stays", one_by_one,
        queues "it has the latest value only", replacement, wakers, reentrance, cancellation,
        cancellation_queues "it has the latest value only", forgetting,
        consuming "a receive borrows its receiver", readiness, closing "it can get another receiver",
        closing_one_by_one "it can get another receiver", closing_queues "it can get another receiver",
        limited "a send waits for no receiver", limited_direct "a send waits for no receiver",
        buffered "a send waits for no receiver", cloned_senders "it has one sender",
        cloned_receivers "each of its receivers sees each change",
        members "a set receives its changes without their values", selections,
        selection_queues "it has the latest value only", streams "it is no stream",
        stream_queues "it is no stream", sinks "its sender is no sink", sink_queues "its sender is no sink",
        executors, ending_threads, bounded_streams "its sender is no sink",
        offers "a send waits for no receiver", waiting_senders "it has one sender",
        batches "it has no batches", budget,
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
