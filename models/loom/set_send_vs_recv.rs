//! The senders of a set's members send and leave while the set receives.

use crate::support::{Payload, assert_only, payload};
use loom::future::block_on;
use loom::thread;
use pipes::{Closed, PortOne, PortSet, SetEmpty, oneshot};

/// Creates a set with a oneshot for each payload, and a thread for each oneshot that sends.
fn busy_set(payloads: &[Payload]) -> (PortSet<PortOne<Payload>>, Vec<thread::JoinHandle<()>>) {
    let mut set = PortSet::new();
    let senders = payloads.iter().map(|payload| {
        let (chan, port) = oneshot();
        set.insert(port);
        let payload = payload.clone();
        thread::spawn(move || chan.send(payload).expect("the set is there"))
    });
    let senders = senders.collect();
    (set, senders)
}

fn join(senders: Vec<thread::JoinHandle<()>>) {
    senders.into_iter().for_each(|sender| sender.join().expect("no sender panics"));
}

#[test]
fn a_thread_waits_for_one_member() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut set, senders) = busy_set(&[sent]);
        let Ok((0, Ok(message))) = set.recv() else { panic!("it was sent") };
        drop(message);
        assert!(matches!(set.recv(), Err(SetEmpty)));
        join(senders);
        assert_only(&count);
    });
}

#[test]
fn a_thread_waits_for_two_members() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut set, senders) = busy_set(&[sent.clone(), sent]);
        let mut keys = [9, 9];
        for key in &mut keys {
            let Ok((from, Ok(_))) = set.recv() else { panic!("it was sent") };
            *key = from;
        }
        keys.sort_unstable();
        assert_eq!(keys, [0, 1], "each member is served once");
        join(senders);
        assert_only(&count);
    });
}

#[test]
fn a_task_waits_for_two_members() {
    loom::model(|| {
        let (sent, count) = payload();
        let (mut set, senders) = busy_set(&[sent.clone(), sent]);
        for _ in 0..2 {
            assert!(matches!(block_on(set.recv_async()), Ok((_, Ok(_)))));
        }
        assert!(matches!(block_on(set.recv_async()), Err(SetEmpty)));
        join(senders);
        assert_only(&count);
    });
}

#[test]
fn a_member_closes_while_another_sends() {
    loom::model(|| {
        let (sent, count) = payload();
        let mut set = PortSet::new();
        let (silent, port) = oneshot();
        let gone = set.insert(port);
        let (chan, port) = oneshot();
        set.insert(port);
        let leaving = thread::spawn(move || drop(silent));
        chan.send(sent).expect("the set is there");
        let mut closed = 0;
        for _ in 0..2 {
            match set.recv() {
                Ok((key, Err(Closed))) => {
                    assert_eq!(key, gone);
                    closed += 1;
                }
                Ok((_, Ok(message))) => drop(message),
                Err(SetEmpty) => panic!("two members are reported"),
            }
        }
        assert_eq!(closed, 1);
        assert!(set.is_empty());
        leaving.join().unwrap();
        assert_only(&count);
    });
}

/// The port stays in the set. After each message, the set looks at the port again and puts its token back
/// into it.
#[test]
fn a_stream_is_served_turn_by_turn() {
    loom::model(|| {
        let (sent, count) = payload();
        let mut set = PortSet::new();
        let mut chan = set.chan();
        let sender = thread::spawn(move || {
            chan.send(sent.clone()).expect("the set is there");
            chan.send(sent).expect("the set is there");
        });
        assert!(matches!(set.recv(), Ok((0, Ok(_)))));
        assert!(matches!(set.recv(), Ok((0, Ok(_)))));
        assert!(matches!(set.recv(), Ok((0, Err(Closed)))));
        sender.join().unwrap();
        assert_only(&count);
    });
}
