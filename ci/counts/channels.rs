//! Channels without a protocol: creating them, sending, and receiving what is there.

use crate::{TIMES, counted};
use pipes::{Chan, Port, SharedChan};
use std::hint::black_box;

/// How many messages a bounded stream may keep.
const CAPACITY: usize = 16;
/// How many messages are sent or received at once.
const RUN: usize = 16;

pub fn oneshot_create() -> u64 {
    for _ in 0..TIMES {
        counted(|| drop(pipes::oneshot::<u64>()));
    }
    TIMES
}

pub fn oneshot_message() -> u64 {
    for value in 0..TIMES {
        let value = black_box(value);
        let received = counted(|| {
            let (chan, port) = pipes::oneshot();
            chan.send(value).expect("the port is here");
            port.recv().expect("the message was sent")
        });
        assert_eq!(received, value);
    }
    TIMES
}

pub fn stream_create() -> u64 {
    create(pipes::stream)
}

pub fn stream_send() -> u64 {
    send(pipes::stream())
}

pub fn stream_receive() -> u64 {
    receive(pipes::stream())
}

pub fn bounded_create() -> u64 {
    create(|| pipes::sync_stream(CAPACITY))
}

pub fn bounded_send() -> u64 {
    send(pipes::sync_stream(CAPACITY))
}

pub fn bounded_receive() -> u64 {
    receive(pipes::sync_stream(CAPACITY))
}

pub fn shared_create() -> u64 {
    for _ in 0..TIMES {
        counted(|| drop(pipes::shared_stream::<u64>()));
    }
    TIMES
}

pub fn shared_send() -> u64 {
    send_shared(pipes::shared_stream())
}

pub fn shared_receive() -> u64 {
    receive_shared(pipes::shared_stream())
}

pub fn shared_bounded_send() -> u64 {
    send_shared(pipes::shared_sync_stream(CAPACITY))
}

pub fn shared_bounded_receive() -> u64 {
    receive_shared(pipes::shared_sync_stream(CAPACITY))
}

/// Each receive takes the lock of the shared port.
pub fn shared_port_receive() -> u64 {
    let (mut chan, port) = pipes::stream();
    let port = port.into_shared();
    for value in 0..TIMES {
        chan.send(value).expect("the port is here");
        assert_eq!(counted(|| port.recv()), Ok(value));
    }
    TIMES
}

/// The first receive of each run takes the lock, and the others claim from the buffer.
pub fn shared_port_claim() -> u64 {
    let (mut chan, port) = pipes::stream();
    let port = port.into_shared();
    for run in 0..TIMES / RUN as u64 {
        chan.send_all(&mut vec![run; RUN]).expect("the port is here");
        counted(|| (0..RUN).for_each(|_| assert_eq!(port.recv(), Ok(run))));
    }
    TIMES
}

/// A run of messages is one operation for each of them.
pub fn stream_send_all() -> u64 {
    runs(|chan, values| counted(|| chan.send_all(values)).expect("the port is here"), receive_run)
}

pub fn stream_recv_many() -> u64 {
    runs(
        |chan, values| chan.send_all(values).expect("the port is here"),
        |port, into| counted(|| receive_run(port, into)),
    )
}

fn create(make: fn() -> (Chan<u64>, Port<u64>)) -> u64 {
    for _ in 0..TIMES {
        counted(|| drop(make()));
    }
    TIMES
}

fn send((mut chan, mut port): (Chan<u64>, Port<u64>)) -> u64 {
    for value in 0..TIMES {
        let value = black_box(value);
        counted(|| chan.send(value)).expect("the port is here");
        assert_eq!(port.recv(), Ok(value));
    }
    TIMES
}

fn receive((mut chan, mut port): (Chan<u64>, Port<u64>)) -> u64 {
    for value in 0..TIMES {
        chan.send(value).expect("the port is here");
        assert_eq!(counted(|| port.recv()), Ok(value));
    }
    TIMES
}

fn send_shared((chan, mut port): (SharedChan<u64>, Port<u64>)) -> u64 {
    for value in 0..TIMES {
        let value = black_box(value);
        counted(|| chan.send(value)).expect("the port is here");
        assert_eq!(port.recv(), Ok(value));
    }
    TIMES
}

fn receive_shared((chan, mut port): (SharedChan<u64>, Port<u64>)) -> u64 {
    for value in 0..TIMES {
        chan.send(value).expect("the port is here");
        assert_eq!(counted(|| port.recv()), Ok(value));
    }
    TIMES
}

/// Sends and receives runs, each from and into a vector that has room.
fn runs(
    send: impl Fn(&mut Chan<u64>, &mut Vec<u64>),
    receive: impl Fn(&mut Port<u64>, &mut Vec<u64>),
) -> u64 {
    let (mut chan, mut port) = pipes::stream();
    let (mut values, mut received) = (Vec::with_capacity(RUN), Vec::with_capacity(RUN));
    let mut operations = 0;
    while operations < TIMES {
        values.extend(operations..operations + RUN as u64);
        send(&mut chan, &mut values);
        receive(&mut port, &mut received);
        assert_eq!(received.len(), RUN);
        received.clear();
        operations += RUN as u64;
    }
    operations
}

fn receive_run(port: &mut Port<u64>, into: &mut Vec<u64>) {
    while into.len() < RUN {
        port.recv_many(into, RUN - into.len()).expect("as many were sent");
    }
}
