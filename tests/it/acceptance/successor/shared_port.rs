//! A port with several receivers.
//!
//! `shared_port_stress` of `std::rt::comm`, 2013: each message goes to exactly one of them.

use crate::acceptance::Sleeper;
use pipes::{TryRecvError, stream};
use pipes_tests::watched;

#[test]
fn ten_are_sent_and_twenty_try() {
    watched(|| {
        for _ in 0..30 {
            let (mut chan, port) = stream();
            let port = port.into_shared();
            (0..10).for_each(|number| chan.send(number).expect("the port is here"));
            let receivers: Vec<_> = (0..20)
                .map(|_| {
                    let mut port = port.clone();
                    Sleeper::spawn(move || port.try_recv())
                })
                .collect();
            let received = receivers.into_iter().map(|receiver| receiver.join().expect("it does not panic"));
            let (messages, others): (Vec<_>, Vec<_>) = received.partition(Result::is_ok);
            let mut messages: Vec<_> = messages.into_iter().flatten().collect();
            messages.sort_unstable();
            assert_eq!(messages, (0..10).collect::<Vec<_>>());
            assert!(others.iter().all(|other| *other == Err(TryRecvError::Empty(()))));
        }
    });
}

#[test]
fn each_message_goes_to_one_of_those_who_wait() {
    watched(|| {
        let (mut chan, port) = stream();
        let port = port.into_shared();
        let receivers: Vec<_> = (0..20)
            .map(|_| {
                let mut port = port.clone();
                Sleeper::spawn(move || port.recv())
            })
            .collect();
        drop(port);
        receivers.iter().for_each(Sleeper::fall_asleep);
        (0..10).for_each(|number| chan.send(number).expect("they wait"));
        drop(chan);
        let received = receivers.into_iter().map(|receiver| receiver.join().expect("it does not panic"));
        let mut messages: Vec<_> = received.flatten().collect();
        messages.sort_unstable();
        assert_eq!(messages, (0..10).collect::<Vec<_>>());
    });
}
