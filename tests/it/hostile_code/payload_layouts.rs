//! Payloads without a size, with a large one, or with an alignment of up to 64 KiB, through every kind of
//! pipe. Each lies at its alignment, arrives whole, and is dropped once.

use pipes::{PortSet, oneshot, shared_stream, shared_sync_stream, stream, sync_stream};
use pipes_tests::{begun, caught, pingpong};
use std::cell::Cell;
use std::task::Waker;
use std::thread;

thread_local! {
    /// The number of live payloads.
    static ALIVE: Cell<isize> = const { Cell::new(0) };
}

/// A payload that checks itself.
trait Checked: Send + 'static {
    fn make(number: u8) -> Self;
    /// Returns `true` if it was made of this number, and lies at its alignment.
    fn is(&self, number: u8) -> bool;
}

macro_rules! payloads {
    ($($name:ident: align $align:literal, size $size:literal;)*) => {$(
        #[repr(align($align))]
        struct $name([u8; $size]);

        impl Checked for $name {
            fn make(number: u8) -> Self {
                ALIVE.set(ALIVE.get() + 1);
                $name([number; $size])
            }

            fn is(&self, number: u8) -> bool {
                (&raw const *self).addr().is_multiple_of($align) && self.0.iter().all(|byte| *byte == number)
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                assert!((&raw const *self).addr().is_multiple_of($align), "it is dropped where it may lie");
                ALIVE.set(ALIVE.get() - 1);
            }
        }
    )*};
}

payloads! {
    Nothing: align 1, size 0;
    NothingWidest: align 65536, size 0;
    Odd: align 1, size 61;
    Seventeen: align 16, size 17;
    Wide: align 512, size 40;
    Page: align 4096, size 5000;
    Widest: align 65536, size 3;
    Large: align 8, size 100000;
}

/// Some payloads are received, and some are dropped unread. All in one thread, because the count is its own.
fn through_every_kind<P: Checked>() {
    let (chan, port) = oneshot();
    assert!(chan.send(P::make(1)).is_ok());
    assert!(port.recv().expect("it was sent").is(1));
    let (chan, port) = oneshot();
    assert!(chan.send(P::make(2)).is_ok());
    drop(port);

    for capacity in [1, 3] {
        let (mut chan, mut port) = sync_stream(capacity);
        for number in 0..7 {
            assert!(chan.try_send(P::make(number)).is_ok());
            assert!(port.try_recv().expect("it was sent").is(number));
        }
        assert!(chan.try_send(P::make(9)).is_ok());
        drop(port);
        assert!(chan.try_send(P::make(10)).expect_err("it has left").into_payload().is(10));

        let (chan, port) = shared_sync_stream(capacity);
        let port = port.into_shared();
        for number in 0..7 {
            assert!(chan.try_send(P::make(number)).is_ok());
            assert!(port.try_recv().expect("it was sent").is(number));
        }
        assert!(chan.try_send(P::make(9)).is_ok());
        drop(port);
    }
    let (mut chan, mut port) = sync_stream(0);
    let sending = begun(chan.send_async(P::make(1)), Waker::noop());
    assert!(sending.into_inner().expect("it is taken back").is(1));
    let sending = begun(chan.send_async(P::make(2)), Waker::noop());
    assert!(port.try_recv().expect("it is offered").is(2));
    drop(sending);

    // More than a block of each kind, and back to the first slots.
    let (mut chan, mut port) = stream();
    let (shared, mut shared_port) = shared_stream();
    let mut set = PortSet::new();
    let mut member = set.chan();
    for begin in [0, 40, 80] {
        for number in begin..begin + 20 {
            assert!(chan.send(P::make(number)).is_ok());
            assert!(shared.send(P::make(number)).is_ok());
            assert!(member.send(P::make(number)).is_ok());
        }
        for number in begin..begin + if begin == 80 { 13 } else { 20 } {
            assert!(port.recv().expect("it was sent").is(number));
            assert!(shared_port.recv().expect("it was sent").is(number));
            assert!(set.recv().expect("it is a member").1.expect("it was sent").is(number));
        }
    }
    drop((port, shared_port, set));
    assert!(chan.send(P::make(99)).expect_err("it has left").into_payload().is(99));
    assert!(shared.send(P::make(99)).expect_err("it has left").into_payload().is(99));

    let (client, server) = pingpong::pipe::<P>();
    let client = client.ping(P::make(1)).expect("it is there");
    let pingpong::Ping::Ping(ping, server) = server.recv().expect("it was sent");
    assert!(ping.is(1));
    let server = server.pong(P::make(2)).expect("it is there");
    let Ok(pingpong::Pong::Pong(pong, client)) = client.recv() else { panic!("no bye was sent") };
    assert!(pong.is(2));
    let _client = client.ping(P::make(3)).expect("it is there");
    drop((ping, pong, server));
    assert_eq!(ALIVE.get(), 0, "each is dropped once");
}

#[test]
fn of_all_sizes_and_alignments() {
    // In unoptimized code a value of 64 KiB lies on the stack in many places.
    let thread = thread::Builder::new().stack_size(64 << 20).spawn(|| {
        through_every_kind::<Nothing>();
        through_every_kind::<NothingWidest>();
        through_every_kind::<Odd>();
        through_every_kind::<Seventeen>();
        through_every_kind::<Wide>();
        // Under Miri each move of a page takes seconds.
        if !cfg!(miri) {
            through_every_kind::<Page>();
            through_every_kind::<Widest>();
            through_every_kind::<Large>();
        }
    });
    thread.expect("a thread can be had").join().expect("each payload is where it may be");
}

/// A capacity that no memory can hold is refused before anything is allocated.
#[test]
fn capacities_beyond_memory() {
    fn is_refused<P: Checked>(capacity: usize) {
        assert!(caught(|| sync_stream::<P>(capacity)).is_some());
    }
    for capacity in [usize::MAX, usize::MAX / 2 + 1, usize::MAX / 4] {
        is_refused::<Nothing>(capacity);
        is_refused::<NothingWidest>(capacity);
        is_refused::<Seventeen>(capacity);
        is_refused::<Large>(capacity);
    }
}
