//! The table of kinds of channels and scenarios, for channels inside one process.
//!
//! The scenarios are in `tests/support/table`. To test another kind of channel, implement
//! [`Flavor`](pipes_tests::table::flavor::Flavor) for it and add it here.

use pipes_tests::table;
use pipes_tests::table::assert_in_readme;
use pipes_tests::table::flavors::{
    Bounded, Broadcast, Duplex, ManyReceivers, ManyReceiversBounded, OneMessage, OneSenderManyReceivers,
    OneSenderManyReceiversBounded, Shared, SharedBounded, Stream,
};
use pipes_tests::table::latest::{Lagging, Watch};
use pipes_tests::table::sessions::{BoundedSession, UnboundedSession};

table! {
    stream: Stream {
        replacement "it replaces no message", consuming "a receive borrows its receiver",
        limited limited_direct buffered bounded_streams "it is unbounded",
        cloned_senders waiting_senders "it has one sender", cloned_receivers "it has one receiver",
        offers "a send waits for no receiver",
    }
    bounded_1: Bounded<1> {
        replacement "it replaces no message", consuming "a receive borrows its receiver",
        cloned_senders waiting_senders "it has one sender", cloned_receivers "it has one receiver",
        offers "a send waits for no receiver",
    }
    bounded_5: Bounded<5> {
        replacement "it replaces no message", consuming "a receive borrows its receiver",
        cloned_senders waiting_senders "it has one sender", cloned_receivers "it has one receiver",
        offers "a send waits for no receiver",
    }
    rendezvous: Bounded<0> {
        room direct unread buffered "a send waits for its receiver", replacement "it replaces no message",
        consuming "a receive borrows its receiver", cloned_senders waiting_senders "it has one sender",
        cloned_receivers "it has one receiver",
    }
    shared: Shared {
        replacement "it replaces no message", consuming "a receive borrows its receiver",
        limited limited_direct buffered bounded_streams waiting_senders "it is unbounded",
        cloned_receivers "it has one receiver", offers "a send waits for no receiver",
    }
    shared_bounded_1: SharedBounded<1> {
        replacement "it replaces no message", consuming "a receive borrows its receiver",
        cloned_receivers "it has one receiver", offers "a send waits for no receiver",
    }
    shared_bounded_5: SharedBounded<5> {
        replacement "it replaces no message", consuming "a receive borrows its receiver",
        cloned_receivers "it has one receiver", offers "a send waits for no receiver",
    }
    shared_rendezvous: SharedBounded<0> {
        room direct unread buffered "a send waits for its receiver", replacement "it replaces no message",
        consuming "a receive borrows its receiver", cloned_receivers "it has one receiver",
    }
    shared_port: ManyReceivers {
        replacement "it replaces no message", forgetting "a forgotten receive keeps its place in the queue",
        consuming "a receive borrows its receiver",
        readiness members selections selection_queues "another receiver may take the message",
        limited limited_direct buffered bounded_streams waiting_senders "it is unbounded",
        offers "a send waits for no receiver",
    }
    shared_port_bounded: ManyReceiversBounded<3> {
        replacement "it replaces no message", forgetting "a forgotten receive keeps its place in the queue",
        consuming "a receive borrows its receiver",
        readiness members selections selection_queues "another receiver may take the message",
        offers "a send waits for no receiver",
    }
    shared_port_rendezvous: ManyReceiversBounded<0> {
        room direct unread buffered "a send waits for its receiver", replacement "it replaces no message",
        forgetting "a forgotten receive keeps its place in the queue",
        consuming "a receive borrows its receiver",
        readiness members selections selection_queues "another receiver may take the message",
    }
    oneshot: OneMessage {
        one_by_one queues closing_one_by_one closing_queues limited limited_direct buffered selections
            selection_queues streams stream_queues sinks sink_queues bounded_streams batches
            "it carries one message", replacement "it replaces no message",
        cancellation cancellation_queues forgetting "a receive consumes its receiver",
        cloned_senders waiting_senders "it has one sender", cloned_receivers "it has one receiver",
        members "a message removes its endpoint from a set", offers "a send waits for no receiver",
    }
    unbounded_session: UnboundedSession {
        replacement "it replaces no message",
        cancellation cancellation_queues forgetting "a receive consumes its receiver",
        limited limited_direct buffered "it is unbounded", cloned_senders waiting_senders "it has one sender",
        cloned_receivers "it has one receiver", members "a message removes its endpoint from a set",
        streams stream_queues sinks sink_queues bounded_streams batches
            "each message has an endpoint for the next one", offers "a send waits for no receiver",
    }
    bounded_session: BoundedSession {
        replacement "it replaces no message",
        cancellation cancellation_queues forgetting "a receive consumes its receiver",
        cloned_senders waiting_senders "it has one sender", cloned_receivers "it has one receiver",
        members "a message removes its endpoint from a set",
        streams stream_queues sinks sink_queues bounded_streams batches
            "each message has an endpoint for the next one", offers "a send waits for no receiver",
    }
    duplex: Duplex {
        replacement "it replaces no message", consuming "a receive borrows its receiver",
        closing closing_one_by_one closing_queues "its receiving side learns of the close",
        limited limited_direct buffered bounded_streams "it is unbounded",
        cloned_senders waiting_senders "it has one sender", cloned_receivers "it has one receiver",
        offers "a send waits for no receiver",
    }
    one_sender_port: OneSenderManyReceivers {
        replacement "it replaces no message", forgetting "a forgotten receive keeps its place in the queue",
        consuming "a receive borrows its receiver",
        readiness members selections selection_queues "another receiver may take the message",
        limited limited_direct buffered bounded_streams "it is unbounded",
        cloned_senders waiting_senders "it has one sender", offers "a send waits for no receiver",
    }
    one_sender_port_bounded: OneSenderManyReceiversBounded<3> {
        replacement "it replaces no message", forgetting "a forgotten receive keeps its place in the queue",
        consuming "a receive borrows its receiver",
        readiness members selections selection_queues "another receiver may take the message",
        cloned_senders waiting_senders "it has one sender", offers "a send waits for no receiver",
    }
    one_sender_port_rendezvous: OneSenderManyReceiversBounded<0> {
        room direct unread buffered "a send waits for its receiver", replacement "it replaces no message",
        forgetting "a forgotten receive keeps its place in the queue",
        consuming "a receive borrows its receiver",
        readiness members selections selection_queues "another receiver may take the message",
        cloned_senders waiting_senders "it has one sender",
    }
    broadcast_1: Broadcast<1> {
        replacement "it replaces no message", consuming "a receive borrows its receiver",
        closing closing_one_by_one closing_queues cloned_senders "it can get another receiver",
        cloned_receivers "each of its receivers gets each message",
        sinks sink_queues bounded_streams "its sender is no sink", offers "a send waits for no receiver",
        batches "it has no batches",
    }
    broadcast_5: Broadcast<5> {
        replacement "it replaces no message", consuming "a receive borrows its receiver",
        closing closing_one_by_one closing_queues cloned_senders "it can get another receiver",
        cloned_receivers "each of its receivers gets each message",
        sinks sink_queues bounded_streams "its sender is no sink", offers "a send waits for no receiver",
        batches "it has no batches",
    }
    lagging: Lagging<4> {
        queues cancellation_queues selection_queues "it overwrites messages",
        consuming "a receive borrows its receiver",
        closing closing_one_by_one closing_queues cloned_senders "it can get another receiver",
        limited limited_direct buffered offers waiting_senders "a send waits for no receiver",
        cloned_receivers "each of its receivers gets each message",
        members streams stream_queues "its messages are results",
        sinks sink_queues bounded_streams "its sender is no sink", batches "it has no batches",
    }
    lagging_long: Lagging<4096> {
        consuming "a receive borrows its receiver",
        closing closing_one_by_one closing_queues cloned_senders "it can get another receiver",
        limited limited_direct buffered offers waiting_senders "a send waits for no receiver",
        cloned_receivers "each of its receivers gets each message",
        members streams stream_queues "its messages are results",
        sinks sink_queues bounded_streams "its sender is no sink", batches "it has no batches",
    }
    watch: Watch {
        unread "its unread value stays",
        queues cancellation_queues selection_queues "it has the latest value only",
        consuming "a receive borrows its receiver",
        closing closing_one_by_one closing_queues "it can get another receiver",
        limited limited_direct buffered offers "a send waits for no receiver",
        cloned_senders waiting_senders "it has one sender",
        cloned_receivers "each of its receivers sees each change",
        members "a set receives its changes without their values", streams stream_queues "it is no stream",
        sinks sink_queues bounded_streams "its sender is no sink", batches "it has no batches",
    }
}

/// `README.md` has the table. With `BLESS=1` it is written anew.
#[test]
fn the_table_is_in_the_readme() {
    assert_in_readme(TABLE, concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
}
