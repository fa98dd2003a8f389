//! A panic about an argument names the function and is at the caller's line.

use futures::executor::block_on;
use pipes::remote::accepting;
use pipes::{
    broadcast, broadcast_lagging, listen_with_backlog, select, select_async, shared_sync_stream, stream,
    sync_stream,
};
use pipes_skeleton::from_iter;
use pipes_skeleton::ssp::{SspPipeline, collect, parallel, pipeline, sequential, start};
use pipes_tests::{documented_panics, greeting, panics_here, watched};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// Panics that are not about an argument.
const OTHERS: [&str; 5] = [
    // The user's function or note panics.
    "eventual.rs: get",
    "eventual.rs: into_inner",
    "eventual.rs: poll_get",
    "measure/metrics.rs: report",
    // The future is polled after its end.
    "service/connector.rs: connect_async",
];

/// A pipeline whose stage has panicked.
fn failing() -> SspPipeline<u64, ()> {
    let pipeline = pipeline![sequential!(|item: u64| assert!(item != 5, "five"))];
    pipeline.post(5).expect("it has room");
    pipeline
}

#[test]
fn an_argument_is_wrong_at_the_callers_line() {
    const HUGE: usize = usize::MAX;
    const NO_ROOM: &str = "a stream of capacity 0 ";
    const TOO_MUCH: &str = "room for 2 values, where the capacity is 1";
    let (mut meets, _port) = sync_stream::<u64>(0);
    let (meeting, _port) = shared_sync_stream::<u64>(0);
    let (full, _port) = shared_sync_stream::<u64>(1);
    let tested = [
        panics_here("broadcast/mod.rs: broadcast", "`broadcast`: ", || drop(broadcast::<u64>(0))),
        panics_here("broadcast/mod.rs: broadcast", "`broadcast`: ", || drop(broadcast::<u64>(HUGE))),
        panics_here("broadcast/mod.rs: broadcast_lagging", "`broadcast_lagging`: ", || {
            drop(broadcast_lagging::<u64>(0))
        }),
        panics_here("broadcast/mod.rs: broadcast_lagging", "`broadcast_lagging`: ", || {
            drop(broadcast_lagging::<()>(HUGE))
        }),
        panics_here("stream/mod.rs: sync_stream", "`sync_stream`: ", || drop(sync_stream::<u64>(HUGE))),
        panics_here("stream/reserve.rs: reserve", NO_ROOM, || drop(meeting.reserve())),
        panics_here("stream/reserve.rs: try_reserve", NO_ROOM, || drop(meeting.try_reserve())),
        panics_here("stream/reserve.rs: reserve_timeout", NO_ROOM, || {
            drop(meeting.reserve_timeout(Duration::ZERO))
        }),
        panics_here("stream/reserve.rs: reserve_deadline", NO_ROOM, || {
            drop(meeting.reserve_deadline(Instant::now()))
        }),
        panics_here("stream/reserve.rs: reserve_async", NO_ROOM, || drop(meeting.reserve_async())),
        panics_here("stream/arm.rs: request_room", NO_ROOM, || drop(meets.request_room())),
        panics_here("stream/arm.rs: request_room", NO_ROOM, || drop(meeting.request_room())),
        panics_here("stream/reserve_many.rs: reserve_many", TOO_MUCH, || drop(full.reserve_many(2))),
        panics_here("stream/reserve_many.rs: try_reserve_many", TOO_MUCH, || drop(full.try_reserve_many(2))),
        panics_here("stream/reserve_many.rs: reserve_many_async", TOO_MUCH, || {
            drop(full.reserve_many_async(2))
        }),
        panics_here("stream/reserve_owned.rs: reserve_owned", NO_ROOM, || {
            drop(meeting.clone().reserve_owned())
        }),
        panics_here("stream/reserve_owned.rs: try_reserve_owned", NO_ROOM, || {
            drop(meeting.clone().try_reserve_owned())
        }),
        panics_here("stream/reserve_owned.rs: reserve_owned_async", NO_ROOM, || {
            drop(meeting.clone().reserve_owned_async())
        }),
        panics_here("stream/chan_reserve.rs: reserve", NO_ROOM, || drop(meets.reserve())),
        panics_here("stream/chan_reserve.rs: try_reserve", NO_ROOM, || drop(meets.try_reserve())),
        panics_here("stream/chan_reserve.rs: reserve_timeout", NO_ROOM, || {
            drop(meets.reserve_timeout(Duration::ZERO))
        }),
        panics_here("stream/chan_reserve.rs: reserve_deadline", NO_ROOM, || {
            drop(meets.reserve_deadline(Instant::now()))
        }),
        panics_here("stream/chan_reserve.rs: reserve_async", NO_ROOM, || drop(meets.reserve_async())),
        panics_here("stream/batch_sink.rs: into_batch_sink", "`Chan::into_batch_sink`: the batch", || {
            drop(stream::<u64>().0.into_batch_sink(0))
        }),
        panics_here("stream/batch_sink.rs: into_batch_sink", "`Chan::into_batch_sink`: the stream", || {
            drop(sync_stream::<u64>(0).0.into_batch_sink(1))
        }),
        panics_here("select/macros.rs: select", NO_ROOM, || {
            select! { sent = meets.send(1) => assert!(sent.is_ok()) }
        }),
        panics_here("select/macros.rs: select_async", NO_ROOM, || {
            block_on(async {
                select_async! { sent = meets.send(1) => assert!(sent.is_ok()) }
            })
        }),
        panics_here("service/mod.rs: listen_with_backlog", "`listen_with_backlog`: ", || {
            drop(listen_with_backlog::<greeting::Protocol<u8>>(0))
        }),
        panics_here("remote/accepting.rs: accepting", "`accepting`: ", || {
            drop(accepting::<greeting::Protocol<u8>, _>(0, |server, _| server))
        }),
        panics_here("ssp.rs: parallel", "`parallel!`: ", || {
            drop(pipeline![parallel!(|item: u64| Some(item), 0), collect!()])
        }),
        panics_here("ssp/macros.rs: parallel", "`parallel!`: ", || {
            drop(pipeline![parallel!(|item: u64| Some(item), -1), collect!()])
        }),
        panics_here("ssp/macros.rs: pipeline", "`pipeline!`: stage 1: ", || {
            drop(pipeline![parallel!(|item: u64| Some(item), 65_537), collect!()])
        }),
        panics_here("ssp.rs: start", "`pipeline!`: posted: ", || {
            drop(start::<u64, u64>(|_| from_iter(0..3)))
        }),
    ];
    // These report the panic of a stage.
    let reported = watched(|| {
        let (mut first, second) = (failing(), failing());
        [
            panics_here("ssp.rs: end_and_wait", "stage 1 panicked: five", || first.end_and_wait()),
            panics_here("ssp.rs: collect", "stage 1 panicked: five", || drop(second.collect())),
        ]
    });
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut documented = documented_panics(&root.join("pipes/src"));
    documented.extend(documented_panics(&root.join("pipes-skeleton/src")));
    let listed: BTreeSet<_> = tested.into_iter().chain(reported).chain(OTHERS).map(str::to_owned).collect();
    assert_eq!(documented, listed, "a section `# Panics` has a test here, or a reason");
}
