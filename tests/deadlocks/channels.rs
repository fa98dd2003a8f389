//! Living channels: unread messages, last users, ends that wait to be accepted.

use crate::{asking, start};
use pipes::inspect::{Channel, Snapshot, ThreadOrTask, snapshot};
use pipes::{oneshot, shared_stream, stream, sync_stream};
use pipes_tests::watched;
use std::thread::current;

/// The type of a message by which a test finds its channel.
struct Mine<const TEST: usize>;

/// Returns the channel whose receiver has this type.
fn channel<'a>(seen: &'a Snapshot, end: &str) -> Option<&'a Channel> {
    seen.channels.iter().find(|it| it.end == end)
}

/// Returns how many messages each side has sent that were not received.
fn unread(end: &str) -> Option<[usize; 2]> {
    let seen = snapshot();
    channel(&seen, end).map(|it| {
        assert!(it.sides.iter().all(|side| side.oldest.is_some() == (side.unread > 0)), "{it:?}");
        [it.sides[0].unread, it.sides[1].unread]
    })
}

#[test]
fn unread_messages_of_each_kind_are_counted() {
    watched(|| {
        let (mut chan, mut port) = stream();
        chan.send_all(&mut vec![Mine::<1>, Mine, Mine]).expect("the port is there");
        chan.send(Mine).expect("the port is there");
        assert_eq!(unread("Port<Mine<1>>"), Some([4, 0]));
        port.recv().expect("it was sent");
        assert_eq!(unread("Port<Mine<1>>"), Some([3, 0]));
        port.recv_many(&mut Vec::new(), 2).expect("they were sent");
        assert_eq!(unread("Port<Mine<1>>"), Some([1, 0]));
        drop(chan);
        port.recv().expect("it was sent");
        assert_eq!(unread("Port<Mine<1>>"), Some([0, 0]));
        drop(port);
        assert_eq!(unread("Port<Mine<1>>"), None);

        let (mut chan, mut port) = sync_stream(3);
        chan.send_all(&mut vec![Mine::<2>, Mine]).expect("there is room");
        chan.send(Mine).expect("there is room");
        assert_eq!(unread("Port<Mine<2>>"), Some([3, 0]));
        port.recv().expect("it was sent");
        port.recv_many(&mut Vec::new(), 2).expect("they were sent");
        assert_eq!(unread("Port<Mine<2>>"), Some([0, 0]));

        let (chan, mut port) = shared_stream();
        chan.send(Mine::<3>).expect("the port is there");
        chan.clone().send(Mine).expect("the port is there");
        assert_eq!(unread("Port<Mine<3>>"), Some([2, 0]));
        port.recv().expect("it was sent");
        assert_eq!(unread("Port<Mine<3>>"), Some([1, 0]));

        let (chan, port) = oneshot::<Mine<4>>();
        chan.send(Mine).expect("the port is there");
        assert_eq!(unread("PortOne<Mine<4>>"), Some([1, 0]));
        drop(port);
        assert_eq!(unread("PortOne<Mine<4>>"), None);
    });
}

pipes::proto! {
    two_ways {
        there: send { one -> again, two -> back }
        again: send { two -> back }
        back: recv { three -> ! }
    }
}

#[test]
fn unread_messages_of_a_session_are_counted_for_each_side() {
    watched(|| {
        let end = "two_ways::Client<There>";
        let (client, server) = two_ways::pipe();
        let client = client.one().expect("the server is there").two().expect("the server is there");
        assert_eq!(unread(end), Some([2, 0]));
        let two_ways::There::One(server) = server.recv().expect("it was sent") else { panic!("one") };
        let two_ways::Again::Two(server) = server.recv().expect("it was sent");
        server.three().expect("the client is there");
        assert_eq!(unread(end), Some([0, 1]));
        let seen = snapshot().to_string();
        assert!(seen.contains("UNREAD MESSAGES") && seen.contains(end), "{seen}");
        let two_ways::Back::Three = client.recv().expect("it was sent");
        assert_eq!(unread(end), None);
    });
}

#[test]
fn a_channel_has_its_last_users() {
    watched(|| {
        let (mut chan, mut port) = stream::<Mine<5>>();
        let sender = start("sends", move || {
            chan.send(Mine).expect("the port is there");
            std::thread::park();
            drop(chan);
        });
        port.recv().expect("it is sent");
        let seen = snapshot();
        let sides = &channel(&seen, "Port<Mine<5>>").expect("it lives").sides;
        assert_eq!(sides[0].last_users, [ThreadOrTask::Thread(sender.thread().id())]);
        assert_eq!(sides[1].last_users, [ThreadOrTask::Thread(current().id())]);
        sender.thread().unpark();
        sender.join().expect("it does not panic");
    });
}

/// A client that was not accepted waits for the owner of the listener, although another thread has connected.
#[test]
fn an_end_in_a_backlog_belongs_to_the_listener() {
    watched(|| {
        let (connector, mut listener) = pipes::listen::<asking::Protocol>();
        let (first, server) = (connector.connect().expect("it listens"), listener.recv().expect("a client"));
        drop((first, server));
        let (go_on, waits) = oneshot::<()>();
        let (has_looked, looked) = oneshot::<()>();
        let client = start("not accepted", move || {
            looked.recv().expect("the owner looks");
            let client = connector.connect().expect("it listens").ask(1).expect("the server is there");
            drop((client.recv(), connector));
        });
        let owner = std::thread::Builder::new().name("owner of a listener".to_owned());
        let owner = owner.spawn(move || {
            // It uses the listener, and then waits for something else.
            assert!(listener.try_recv().is_err(), "no client is there yet");
            has_looked.send(()).expect("the client waits for it");
            drop((waits.recv(), listener));
        });
        let owner = owner.expect("a thread can be had");
        let id = ThreadOrTask::Thread(owner.thread().id());
        loop {
            let seen = snapshot();
            let client = seen.sleepers.iter().find(|it| it.name.as_deref() == Some("not accepted"));
            let wait = client.map(|it| &it.waits_for[0]).filter(|it| it.held_by.is_some());
            if let Some(wait) = wait {
                assert_eq!(wait.last_users, [id], "{seen}");
                let session = seen.channels.iter().find(|it| it.id == wait.channel).expect("it lives");
                assert_eq!(session.sides.each_ref().map(|it| &it.held_by), [&None, &wait.held_by]);
                break;
            }
            std::thread::yield_now();
        }
        go_on.send(()).expect("it waits");
        owner.join().expect("it does not panic");
        client.join().expect("it does not panic");
    });
}
