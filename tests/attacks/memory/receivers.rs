//! Receivers written by hand that lie: they report that they are ready and are not, contradict themselves,
//! panic, or wake the task that polls them. The messages of the receivers beside them in a selection must
//! neither be lost nor come twice.

use pipes::{
    Port, PortSet, Readiness, Receive, RecvError, TryRecvError, select, select2, stream, sync_stream,
};
use pipes_tests::{Counted, Tally, caught, watched};
use std::task::{Context, Poll};
use std::time::Instant;

/// Lies in turn: waits contradict each other, and each third poll panics.
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
            // After some time it reports that it is closed, which it is not.
            Err(_) if self.looks > 30 => Err(TryRecvError::Closed),
            Err(_) => Err(TryRecvError::Empty(self)),
        }
    }
}

fn number(message: Result<Counted, RecvError>) -> Option<u64> {
    message.ok().map(|message| message.number)
}

/// Liars beside ports and offers, in `select` and `select2`.
#[test]
fn liars_in_selections() {
    watched(|| {
        let tally = Tally::new();
        let (mut chan, mut port) = stream();
        let (mut meet, mut met) = sync_stream(0);
        let offering = std::thread::spawn({
            let tally = tally.clone();
            move || (100..110).all(|number| meet.send(tally.make(number)).is_ok())
        });
        let (_idle, mut idle) = stream::<Counted>();
        let mut offered = Vec::new();
        for round in 0..200 {
            let liar = Liar { looks: round, port: &mut idle };
            let mut first = None;
            let panicked = caught(|| {
                first = Some(match select2(&mut met, liar) {
                    pipes::Either::Left((message, _liar)) => number(message),
                    pipes::Either::Right((_, message)) => number(message),
                });
            });
            assert!(panicked.is_none() || first.is_none());
            offered.extend(first.flatten());
            if offered.len() == 10 {
                break;
            }
        }
        offered.extend(met.iter().map(|message| message.number));
        assert_eq!(offered, (100..110).collect::<Vec<_>>(), "each offer is taken once, in order");
        assert!(offering.join().expect("it does not panic"));

        let mut came = Vec::new();
        for round in 0..40 {
            assert!(chan.send(tally.make(u64::from(round))).is_ok());
            let liar = Liar { looks: round, port: &mut port };
            let mut it = None;
            if caught(|| it = number(select(vec![liar]).1)).is_none() {
                came.extend(it);
            }
        }
        came.extend(port.try_iter().map(|message| message.number));
        assert_eq!(came, (0..40).collect::<Vec<_>>(), "a panic in between loses nothing");
        tally.assert_all_gone();
    });
}

/// A set and a liar in the macro. If the liar panics, the set stays registered, and is received from in
/// another thread.
#[test]
fn liars_in_the_macro() {
    watched(|| {
        let tally = Tally::new();
        let mut set: PortSet<Port<Counted>> = PortSet::new();
        let mut chan = set.chan();
        let (_idle, mut idle) = stream::<Counted>();
        let sending = std::thread::spawn({
            let tally = tally.clone();
            move || (0..50).all(|number| chan.send(tally.make(number)).is_ok())
        });
        let mut came = Vec::new();
        let mut looks = 0;
        while !set.is_empty() {
            looks += 1;
            let mut moved = (set, came);
            let outcome = std::thread::scope(|scope| {
                scope
                    .spawn(|| {
                        let (set, came) = &mut moved;
                        let mut liar = Liar { looks, port: &mut idle };
                        caught(|| {
                            let set = &mut *set;
                            turn(set, came, &mut liar);
                        })
                        .is_some()
                    })
                    .join()
            });
            assert!(outcome.is_ok());
            (set, came) = moved;
        }
        assert_eq!(came, (0..50).collect::<Vec<_>>());
        assert!(sending.join().expect("it does not panic"));
        tally.assert_all_gone();
    });
}

/// One selection between the two.
fn turn(mut set: &mut PortSet<Port<Counted>>, came: &mut Vec<u64>, liar: &mut Liar<'_>) {
    let mut other = Peer(liar);
    pipes::select! {
        turn = set => if let Ok((_, Ok(message))) = turn {
            came.push(message.number);
        },
        ready = other => assert!(ready, "it says so whenever it is asked"),
        timeout(std::time::Duration::from_millis(5)) => {}
    }
}

/// A receiver for the macro whose receive returns `true`.
struct Peer<'a, 'b>(&'a mut Liar<'b>);

impl Readiness for Peer<'_, '_> {
    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.0.poll_ready(cx)
    }

    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.0.wait(deadline)
    }

    fn is_ready(&self) -> bool {
        self.0.is_ready()
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
}

impl Peer<'_, '_> {
    fn recv(self) -> bool {
        let Peer(_) = self;
        true
    }
}
