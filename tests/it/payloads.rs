//! Payloads of every shape: each one arrives unchanged, and is dropped once.

use pipes::{shared_stream, shared_sync_stream, stream, sync_stream};
use pipes_tests::table::sessions::feed;
use pipes_tests::{Counted, Tally, lend, watched};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A payload of some shape.
pub trait Shape: Send + Sized + 'static {
    fn of(counted: Counted) -> Self;

    fn number(&self) -> u64;
}

impl Shape for Counted {
    fn of(counted: Counted) -> Self {
        counted
    }

    fn number(&self) -> u64 {
        self.number
    }
}

#[repr(align(256))]
pub struct Aligned(Counted, u8);

impl Shape for Aligned {
    fn of(counted: Counted) -> Self {
        Aligned(counted, 7)
    }

    fn number(&self) -> u64 {
        assert_eq!((std::ptr::from_ref(self).addr() % 256, self.1), (0, 7));
        self.0.number
    }
}

/// More than a page.
pub struct Big([u64; 700], Counted, [u64; 700]);

impl Shape for Big {
    fn of(counted: Counted) -> Self {
        Big([counted.number; 700], counted, [!5; 700])
    }

    fn number(&self) -> u64 {
        assert!(self.0.iter().all(|&number| number == self.1.number));
        assert!(self.2.iter().all(|&number| number == !5));
        self.1.number
    }
}

pub fn make<P: Shape>(tally: &Tally, number: u64) -> P {
    P::of(tally.make(number))
}

/// Sends 150 payloads, receives 100 of them, and leaves.
fn carry<P: Shape>(
    mut send: impl FnMut(P) -> bool + Send + 'static,
    mut recv: impl FnMut() -> Result<P, pipes::RecvError>,
) {
    let tally = Tally::new();
    let source = tally.clone();
    let sending = lend(move || (0..150).all(|number| send(make(&source, number))));
    for number in 0..100 {
        assert_eq!(recv().expect("it was sent").number(), number);
    }
    drop(recv);
    sending.join().expect("a send returns");
    tally.assert_all_gone();
}

fn carry_in_every_channel<P: Shape>() {
    for (mut chan, mut port) in [stream::<P>(), sync_stream(3), sync_stream(0)] {
        carry(move |payload| chan.send(payload).is_ok(), move || port.recv());
    }
    for (chan, mut port) in [shared_stream::<P>(), shared_sync_stream(3), shared_sync_stream(0)] {
        carry(move |payload| chan.send(payload).is_ok(), move || port.recv());
    }
    for (chan, port) in [shared_stream::<P>(), shared_sync_stream(3), shared_sync_stream(0)] {
        let mut port = port.into_shared();
        carry(move |payload| chan.send(payload).is_ok(), move || port.recv());
    }
    let (client, server) = feed::pipe::<P>();
    let (mut client, mut server) = (Some(client), Some(server));
    let send = move |payload| {
        client = client.take().and_then(|client| client.item(payload).ok());
        client.is_some()
    };
    carry(send, move || {
        let feed::More::Item(payload, next) = server.take().expect("it is open").recv()?;
        server = Some(next);
        Ok(payload)
    });
    let tally = Tally::new();
    let (chan, port) = pipes::oneshot();
    assert!(chan.send(make::<P>(&tally, 7)).is_ok());
    assert_eq!(port.recv().expect("it was sent").number(), 7);
    tally.assert_all_gone();
}

#[test]
fn every_shape_in_every_channel() {
    watched(|| {
        carry_in_every_channel::<Counted>();
        carry_in_every_channel::<Aligned>();
        carry_in_every_channel::<Big>();
    });
}

/// A payload without size, whose destructor counts.
#[repr(align(64))]
struct Empty;

static EMPTY: AtomicUsize = AtomicUsize::new(0);

impl Drop for Empty {
    fn drop(&mut self) {
        EMPTY.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn payloads_without_size() {
    let (mut chan, mut port) = stream();
    let (mut client, mut server) = feed::pipe();
    for _ in 0..500 {
        assert!(chan.send(Empty).is_ok());
        client = client.item(Empty).unwrap_or_else(|_| panic!("the server is here"));
    }
    assert_eq!(EMPTY.load(Ordering::SeqCst), 0);
    for received in 1..=200 {
        assert!(port.recv().is_ok());
        let Ok(feed::More::Item(Empty, next)) = server.recv() else { panic!("it was sent") };
        assert_eq!(EMPTY.load(Ordering::SeqCst), 2 * received);
        server = next;
    }
    drop((port, server));
    assert_eq!(EMPTY.load(Ordering::SeqCst), 1000);
}
