//! Receivers of every kind, where no trait of the crate is in scope.

use futures::executor::block_on;
use pipes::{
    PortSet, RecvError, broadcast, broadcast_lagging, duplex_stream, listen, oneshot, select, select_async,
    stream, sync_stream, watch,
};
use pipes_tests::greeting::{self, AnyClient, ReceivingClient};
use pipes_tests::{test_in, watched};

/// Each in its own arm, several times where it is not consumed, as a variable and as a reference.
#[test_in(watched)]
fn receivers_of_every_kind() {
    let ((mut chan, mut port), (_meeting, mut meets)) = (stream(), sync_stream::<u64>(0));
    let ((all, mut each), (fast, mut slow)) = (broadcast(2), broadcast_lagging(2));
    let ((state, mut latest), (mut left, mut right)) = (watch(0), duplex_stream::<u64, u64>());
    let (_connector, mut listener) = listen::<greeting::Protocol<u64>>();
    let (mut set, mut members) = (PortSet::new(), stream());
    set.insert(members.1);
    let (mut slow, mut latest) = (&mut slow, &mut latest);
    for number in 0..6 {
        match number {
            0 => chan.send(number).is_ok(),
            1 => all.send(number).is_ok(),
            2 => fast.send(number).is_ok(),
            3 => state.send(number).is_ok(),
            4 => left.send(number).is_ok(),
            _ => members.0.send(number).is_ok(),
        };
        let received = select! {
            message = port => message,
            message = meets => message,
            message = each => message,
            message = slow => message.map(|message| message.expect("it was not missed")),
            message = latest => message.map(|()| 3),
            message = right => message,
            session = listener => unreachable!("no client: {session:?}"),
            message = set => message.expect("it has a member").1.map_err(|_| RecvError),
        };
        assert_eq!(received, Ok(number));
    }
}

/// Each is consumed by its receive.
#[test_in(watched)]
fn receivers_that_are_consumed() {
    for round in 0..4 {
        let ((chan, mut one), (mut client, server)) = (oneshot(), greeting::pipe());
        let ((client_in_any_state, other), (receiving, last)) = (greeting::pipe(), greeting::pipe());
        let mut any = AnyClient::from(client_in_any_state);
        let mut receiving = ReceivingClient::from(receiving);
        match round {
            0 => drop(chan.send(round)),
            1 => drop(server.hello(round)),
            2 => drop(other.hello(round)),
            _ => drop(last.hello(round)),
        }
        let chosen = select! {
            biased;
            message = one => (0, message.is_ok()),
            message = client => (1, message.is_ok()),
            message = any => (2, message.is_ok()),
            message = receiving => (3, message.is_ok()),
        };
        assert_eq!(chosen.0, round);
    }
}

/// In a task.
#[test_in(watched)]
fn receivers_in_a_task() {
    let ((chan, mut latest), (_once, mut one)) = (watch(0), oneshot::<u64>());
    chan.send(1).expect("the port is here");
    let changed = block_on(async {
        select_async! {
            message = latest => message,
            message = one => message.map(drop),
        }
    });
    assert_eq!(changed, Ok(()));
}
