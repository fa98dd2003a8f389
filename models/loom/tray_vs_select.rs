//! A selection looks at a port and at a shared port, one after the other, while another receiver takes a
//! message from the shared port. Before it does so, a message is sent to the port. So one of the two is ready
//! at each moment, and `default` does not run.

use loom::thread;
use pipes::{select, stream};

fn model(messages: u32) {
    loom::model(move || {
        let ((mut chan, port), (mut other, mut second)) = (stream(), stream());
        let mut first = port.into_shared();
        (0..=messages).for_each(|number| chan.send(number).expect("the port is there"));
        for number in 0..messages {
            assert_eq!(first.recv(), Ok(number));
        }
        let mut elsewhere = first.clone();
        let moves = thread::spawn(move || {
            other.send(9).expect("the port is there");
            let _ = elsewhere.try_recv();
            other
        });
        let is_received = select! {
            message = second => message.is_ok(),
            message = first => message.is_ok(),
            default => false,
        };
        drop((moves.join().unwrap(), chan));
        assert!(is_received, "one of the two is ready");
    });
}

/// The message that the other receiver takes is in the tray.
#[test]
fn from_the_tray() {
    model(1);
}

#[test]
fn from_the_stream() {
    model(0);
}

/// Both are shared: that nothing was taken in between shows that both were empty at one moment.
#[test]
fn both_are_shared() {
    loom::model(|| {
        let ((mut chan, port), (mut other, port_of_other)) = (stream(), stream());
        let (mut first, mut second) = (port.into_shared(), port_of_other.into_shared());
        chan.send(1).expect("the port is there");
        let mut elsewhere = first.clone();
        let moves = thread::spawn(move || {
            other.send(9).expect("the port is there");
            let _ = elsewhere.try_recv();
            other
        });
        let is_received = select! {
            message = second => message.is_ok(),
            message = first => message.is_ok(),
            default => false,
        };
        drop((moves.join().unwrap(), chan));
        assert!(is_received, "one of the two is ready");
    });
}
