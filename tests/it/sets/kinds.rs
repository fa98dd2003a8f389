//! Members of each type that can receive.

use futures::executor::block_on;
use pipes::{
    Closed, DuplexStream, PortSet, SetEmpty, TryRecvError, duplex_stream, oneshot, stream, sync_stream,
};
use pipes_tests::bank::{self, Account, AnyServer, ServerMessage};
use pipes_tests::greeting::{self, Hello};
use pipes_tests::{Tally, watched};
use std::thread;

#[test]
fn ports_of_oneshots() {
    watched(|| {
        let tally = Tally::new();
        let (chans, ports): (Vec<_>, Vec<_>) = (0..10).map(|_| oneshot()).unzip();
        let mut set: PortSet<_> = ports.into_iter().collect();
        for (number, chan) in chans.into_iter().enumerate().rev() {
            if number % 4 == 3 {
                drop(chan);
            } else {
                chan.send(tally.make(number as u64)).expect("the set is here");
            }
        }
        for number in (0..10).rev() {
            let (key, message) = set.recv().expect("there is another");
            let message = message.map(|payload| payload.number);
            assert_eq!(
                (key, message),
                (number, if number % 4 == 3 { Err(Closed) } else { Ok(number as u64) })
            );
            assert_eq!(set.len(), number, "a oneshot leaves with its value");
        }
        assert_eq!(set.recv().map(drop), Err(SetEmpty));
        tally.assert_all_gone();
    });
}

/// Bounded streams next to unbounded ones, and one of capacity 0.
#[test]
fn ports_of_every_kind_of_stream() {
    watched(|| {
        let (mut endless, endless_port) = stream();
        let (mut bounded, bounded_port) = sync_stream(2);
        let (mut meeting, meeting_port) = sync_stream(0);
        let mut set: PortSet<_> = [endless_port, bounded_port, meeting_port].into_iter().collect();
        assert_eq!(set.try_recv(), Err(TryRecvError::Empty(())));
        endless.send(0).expect("the set is here");
        bounded.send(1).expect("the set is here");
        bounded.send(2).expect("the set is here");
        assert!(bounded.try_send(3).is_err_and(|error| !error.is_closed()), "it is full");
        meeting.try_send(4).expect("the set waits there");
        for (key, number) in [(0, 0), (1, 1), (2, 4), (1, 2)] {
            assert_eq!(set.recv(), Ok((key, Ok(number))));
        }
        bounded.try_send(3).expect("there is room again");
        assert_eq!(set.recv(), Ok((1, Ok(3))));

        let sending = thread::spawn(move || {
            (0..100).for_each(|number| meeting.send(number).expect("the set is there"));
            (0..100).for_each(|number| bounded.send(number).expect("the set is there"));
        });
        let met = (0..100).map(|_| set.recv().expect("there are members"));
        assert!(met.enumerate().all(|(number, turn)| turn == (2, Ok(number))));
        // The one of the two that has sent has left after its last message.
        let mut limited = Vec::new();
        let mut closed = Vec::new();
        while set.len() > 1 {
            match set.recv().expect("there are members") {
                (1, Ok(number)) => limited.push(number),
                (key, Err(Closed)) => closed.push(key),
                turn => panic!("nobody sent {turn:?}"),
            }
        }
        assert_eq!(limited, (0..100).collect::<Vec<_>>());
        closed.sort_unstable();
        assert_eq!(closed, [1, 2]);
        sending.join().expect("the sender does not panic");
    });
}

/// A sender that waits for room is woken by a receive from the set.
#[test]
fn room_is_made_by_a_receive() {
    watched(|| {
        let mut set = PortSet::new();
        let senders: Vec<_> = (0..4)
            .map(|sender: u64| {
                let (mut chan, port) = sync_stream(1);
                set.insert(port);
                thread::spawn(move || {
                    (0..200).for_each(|number| chan.send(sender * 1_000 + number).expect("it is there"))
                })
            })
            .collect();
        let mut next = [0, 1_000, 2_000, 3_000];
        for number in set.messages() {
            let sender = (number / 1_000) as usize;
            assert_eq!(number, next[sender]);
            next[sender] += 1;
        }
        assert_eq!(next, [200, 1_200, 2_200, 3_200]);
        senders.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
    });
}

#[test]
fn duplex_streams() {
    watched(|| {
        let (ends, others): (Vec<DuplexStream<u64, u64>>, Vec<_>) = (0..3).map(|_| duplex_stream()).unzip();
        let mut set: PortSet<_> = ends.into_iter().collect();
        let answering: Vec<_> = (others.into_iter().enumerate())
            .map(|(index, mut other)| {
                thread::spawn(move || {
                    other.send(index as u64).expect("the set is there");
                    other.recv()
                })
            })
            .collect();
        let (mut messages, mut closes) = (0, 0);
        while let Ok((key, message)) = set.recv() {
            let Ok(message) = message else {
                closes += 1;
                continue;
            };
            assert_eq!(message, key as u64);
            messages += 1;
            // To answer, the end is removed, and inserted again afterwards.
            let mut end = set.remove(&key).expect("it stays a member");
            end.send(key as u64 * 10).expect("the other end waits");
            assert!(set.insert_at(key, end).is_none());
        }
        assert_eq!((messages, closes), (3, 3));
        for (index, other) in answering.into_iter().enumerate() {
            assert_eq!(other.join().expect("it does not panic"), Ok(index as u64 * 10));
        }
    });
}

/// The side that receives first is the client.
#[test]
fn clients() {
    watched(|| {
        let mut set = PortSet::new();
        let servers: Vec<_> = (0..3)
            .map(|_| {
                let (client, server) = greeting::pipe();
                set.insert(client);
                server
            })
            .collect();
        let asking: Vec<_> =
            servers.into_iter().map(|server| server.hello("hello").expect("it is there")).collect();
        while let Ok((_, Ok(Hello::Hello(_, client)))) = set.recv() {
            client.thanks().expect("the server waits");
        }
        for server in asking {
            assert!(matches!(block_on(server.recv_async()), Ok(greeting::Reply::Thanks)));
        }
    });
}

/// An endpoint in a sending state is given back at once, in its turn.
#[test]
fn an_endpoint_that_does_not_receive() {
    watched(|| {
        let tally = Tally::new();
        let mut set = PortSet::new();
        let ((one, first), (two, second)) = (bank::pipe(), bank::pipe());
        let _two = two.deposit(tally.make(2)).expect("it is here");
        let at_second = set.insert(AnyServer::from(second));
        let asked = one.withdraw(1).expect("it is here");
        let Ok(Account::Withdraw(1, answering)) = first.recv() else { panic!("it was sent") };
        let at_first = set.insert(AnyServer::from(answering));
        assert!(set.is_ready());

        let Ok((key, Ok(ServerMessage::Account(Account::Deposit(payload, _))))) = set.recv() else {
            panic!("it was sent")
        };
        assert_eq!((key, payload.number), (at_second, 2));
        assert!(set.is_ready(), "it is given back at once");
        let Ok((key, Ok(ServerMessage::NotReceiving(AnyServer::Answer(answering))))) = set.recv() else {
            panic!("it cannot receive")
        };
        assert_eq!((key, set.len()), (at_first, 0));
        drop(answering.empty().expect("the customer waits"));
        assert!(matches!(asked.recv(), Ok(bank::Answer::Empty(_))));
        drop(payload);
        tally.assert_all_gone();
    });
}

/// If it is removed before its turn, it is given back unchanged.
#[test]
fn an_endpoint_that_does_not_receive_is_removed() {
    let mut set = PortSet::new();
    let (client, server) = bank::pipe::<u64>();
    let _asked = client.withdraw(1).expect("it is here");
    let Ok(Account::Withdraw(1, answering)) = server.recv() else { panic!("it was sent") };
    let key = set.insert(AnyServer::from(answering));
    assert!(set.is_ready(), "it would be given back at once");
    let Some(AnyServer::Answer(answering)) = set.remove(&key) else { panic!("it is a member") };
    assert!(answering.empty().is_ok());
    assert!(matches!(set.try_recv(), Err(TryRecvError::Closed)));
}
