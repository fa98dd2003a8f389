//! Receivers written by hand that say that they are ready and are not, contradict themselves, panic, or wake
//! the task that polls them. The receivers beside them in a selection lose nothing.

use pipes::{Either, Port, Readiness, Receive, TryRecvError, select2, stream, sync_stream};
use pipes_tests::{Counted, DropCounter, caught, spawn, test_in, watched};
use std::task::{Context, Poll};
use std::time::Instant;

struct Liar<'a> {
    looks: u32,
    port: &'a mut Port<Counted>,
}

impl Readiness for Liar<'_> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.looks += 1;
        // The port beneath is registered all the same, and the task is woken at once.
        let _ = self.port.poll_ready(cx);
        cx.waker().wake_by_ref();
        match self.looks % 3 {
            0 => std::panic::resume_unwind(Box::new("on purpose")),
            1 => Poll::Pending,
            _ => Poll::Ready(()),
        }
    }

    fn wait(&mut self, _: Option<Instant>) -> bool {
        self.looks += 1;
        self.looks.is_multiple_of(2)
    }

    fn is_ready(&self) -> bool {
        self.looks % 5 == 4
    }

    fn is_closed(&self) -> bool {
        false
    }
}

impl Receive for Liar<'_> {
    type Message = Counted;

    fn try_recv(mut self) -> Result<Counted, TryRecvError<Self>> {
        self.looks += 1;
        match self.port.try_recv() {
            Ok(message) => Ok(message),
            // After some time it says that it is closed, which it is not.
            Err(_) if self.looks > 30 => Err(TryRecvError::Closed),
            Err(_) => Err(TryRecvError::Empty(self)),
        }
    }
}

#[test_in(watched)]
fn beside_a_rendezvous() {
    let (drops, (mut chan, mut port), (_idle, mut idle)) = (DropCounter::new(), sync_stream(0), stream());
    let source = drops.clone();
    let sending = spawn(move || (0..10).all(|number| chan.send(source.make(number)).is_ok()));
    let mut came = Vec::new();
    for looks in 0..200 {
        let liar = Liar { looks, port: &mut idle };
        let mut message = None;
        let _on_purpose = caught(|| {
            if let Either::Left((Ok(first), _)) = select2(&mut port, liar) {
                message = Some(first.number);
            }
        });
        came.extend(message);
        if came.len() == 10 {
            break;
        }
    }
    came.extend(port.iter().map(|message| message.number));
    assert_eq!(came, (0..10).collect::<Vec<_>>(), "each is received once, in order");
    assert!(sending.join().expect("it only sends"));
    drops.assert_all_dropped();
}
