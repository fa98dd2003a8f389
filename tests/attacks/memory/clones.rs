//! Wakers whose last clone panics when it is dropped, at each place where the library replaces or drops a
//! waker. The messages in the pipe must stay there, and each must be dropped once.

use pipes::{Closing, Port, PortSet, oneshot, select, shared_stream, stream, sync_stream};
use pipes_tests::{Bell, Counted, Tally, caught, poll, poll_future, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

const MOMENT: Duration = Duration::from_micros(50);

/// A waker that counts the drop of its last clone, and panics in it.
struct Fragile(Arc<AtomicUsize>);

impl Wake for Fragile {
    fn wake(self: Arc<Self>) {}
}

impl Drop for Fragile {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
        std::panic::resume_unwind(Box::new("on purpose"));
    }
}

/// Registers a fragile waker, whose only clone is then the pipe's. Returns the count of its drops.
fn fragile(register: impl FnOnce(&mut Context<'_>) -> Poll<()>) -> Arc<AtomicUsize> {
    let ends = Arc::new(AtomicUsize::new(0));
    let waker = Waker::from(Arc::new(Fragile(ends.clone())));
    assert!(register(&mut Context::from_waker(&waker)).is_pending());
    drop(waker);
    assert_eq!(ends.load(Ordering::SeqCst), 0, "the pipe has it");
    ends
}

fn ended(ends: &AtomicUsize) -> usize {
    ends.load(Ordering::SeqCst)
}

/// Sends, and returns whether it could.
type Sends = Box<dyn FnMut(Counted) -> bool>;

fn ports() -> Vec<(Sends, Port<Counted>)> {
    let (mut endless, first) = stream();
    let (mut bounded, second) = sync_stream(2);
    let (shared, third) = shared_stream();
    vec![
        (Box::new(move |it| endless.send(it).is_ok()), first),
        (Box::new(move |it| bounded.try_send(it).is_ok()), second),
        (Box::new(move |it| shared.send(it).is_ok()), third),
    ]
}

/// The drop of a waker panics where a poll, a wait, a set, a shared port, or the drop of the port takes its
/// place.
#[test]
fn ends_that_panic_in_receivers() {
    watched(|| {
        let tally = Tally::new();
        for (mut send, mut port) in ports() {
            // In a poll.
            let ends = fragile(|cx| port.poll_ready(cx));
            let (bell, waker) = Bell::new();
            assert!(caught(|| poll(&mut port, &waker)).is_some());
            assert_eq!(ended(&ends), 1);
            assert!(poll(&mut port, &waker).is_pending());
            assert!(send(tally.make(1)));
            assert_eq!(bell.rings(), 1);
            assert_eq!(port.recv().map(|it| it.number), Ok(1));

            // In a wait.
            let ends = fragile(|cx| port.poll_ready(cx));
            let mut times = (0..20).map(|doubled| Duration::from_millis(1 << doubled));
            assert!(times.any(|time| caught(|| port.recv_timeout(time)).is_some()));
            assert_eq!(ended(&ends), 1);
            assert!(send(tally.make(2)));
            assert_eq!(port.recv().map(|it| it.number), Ok(2));

            // In a send: it finds such a waker, wakes it and drops it.
            let ends = fragile(|cx| port.poll_ready(cx));
            assert!(caught(|| send(tally.make(3))).is_some());
            assert_eq!(ended(&ends), 1);
            assert_eq!(port.recv().map(|it| it.number), Ok(3));

            // In an insertion into a set: the port is dropped by the panic, with the messages in it.
            let ends = fragile(|cx| port.poll_ready(cx));
            let mut set = PortSet::new();
            assert!(caught(|| set.insert(port)).is_some());
            assert_eq!((ended(&ends), set.len()), (1, 0));
            assert!(!send(tally.make(4)));
        }
        for (mut send, mut port) in ports() {
            // When the port becomes shared.
            let ends = fragile(|cx| port.poll_ready(cx));
            assert!(caught(|| port.into_shared()).is_some());
            assert_eq!(ended(&ends), 1);
            assert!(!send(tally.make(5)));
        }
        for (mut send, mut port) in ports() {
            // When the port is dropped.
            let ends = fragile(|cx| port.poll_ready(cx));
            assert!(caught(|| drop(port)).is_some());
            assert_eq!(ended(&ends), 1);
            assert!(!send(tally.make(6)));
        }
        tally.assert_all_gone();
    });
}

/// Senders watch for a close, wait for room, or have made an offer. The message must be sent, or be dropped
/// once.
#[test]
fn ends_that_panic_in_senders() {
    watched(|| {
        let tally = Tally::new();
        let (mut chan, mut port) = stream();
        let ends = fragile(|cx| Closing::poll_closed(&mut chan, cx));
        assert!(caught(|| chan.send(tally.make(1))).is_some());
        assert_eq!((ended(&ends), port.try_iter().count()), (1, 0));
        assert!(chan.send(tally.make(2)).is_ok());
        assert_eq!(port.try_iter().count(), 1);

        let (mut one, port_one) = oneshot();
        let ends = fragile(|cx| Closing::poll_closed(&mut one, cx));
        assert!(caught(|| one.send(tally.make(3))).is_some());
        assert_eq!(ended(&ends), 1);
        assert!(port_one.recv().is_err());

        for capacity in [0, 1] {
            let (mut chan, mut port) = sync_stream(capacity);
            let ends = fragile(|cx| Closing::poll_closed(&mut chan, cx));
            if capacity == 1 {
                assert!(caught(|| chan.try_send(tally.make(4))).is_some());
                assert_eq!((ended(&ends), port.try_iter().count()), (1, 0));
                assert!(chan.try_send(tally.make(5)).is_ok());
            } else {
                // Sends keep the waker registered, and the next one that watches drops it.
                assert!(chan.try_send(tally.make(4)).is_err());
                assert!(chan.send_timeout(tally.make(4), MOMENT).is_err());
                let watched = caught(|| chan.poll_closed(&mut Context::from_waker(Waker::noop())));
                assert_eq!((watched.is_some(), ended(&ends)), (true, 1));
            }
            let mut future = chan.send_async(tally.make(6));
            let ends = fragile(|cx| std::pin::Pin::new(&mut future).poll(cx).map(drop));
            if capacity == 0 {
                // The waker is dropped when the offer was withdrawn. The panic drops the message.
                assert!(caught(|| drop(future)).is_some());
                assert_eq!((ended(&ends), port.try_iter().count()), (1, 0));
            } else {
                // The value comes back, and the waker stays registered. A receiver that takes the message in
                // front of it wakes the waker, and the message is dropped by the panic.
                assert_eq!(future.into_inner().map(|it| it.number), Some(6));
                assert!(caught(|| port.try_recv().map(drop)).is_some());
                assert_eq!((ended(&ends), port.try_iter().count()), (1, 0));
            }
        }

        let (mut shared, port) = shared_stream::<Counted>();
        let ends = fragile(|cx| Closing::poll_closed(&mut shared, cx));
        assert!(
            caught(|| Closing::poll_closed(&mut shared, &mut Context::from_waker(Waker::noop()))).is_some()
        );
        assert_eq!(ended(&ends), 1);
        drop(port);
        assert!(shared.send(tally.make(7)).is_err());
        tally.assert_all_gone();
    });
}

/// Ends panic in a group of receivers, in a set, and in a selection.
#[test]
fn ends_that_panic_in_groups() {
    watched(|| {
        let tally = Tally::new();
        let (mut chan, port) = stream();
        let mut group = [port.into_shared()];
        let ends = {
            let mut waiting = std::mem::ManuallyDrop::new(group[0].recv_async());
            fragile(|cx| std::pin::Pin::new(&mut *waiting).poll(cx).map(drop))
        };
        let again = {
            let mut waiting = group[0].recv_async();
            caught(|| poll_future(&mut waiting, Waker::noop()).is_ready())
        };
        assert!(again.is_some());
        assert_eq!(ended(&ends), 1);
        assert!(chan.send(tally.make(1)).is_ok());
        assert_eq!(group[0].recv().map(|it| it.number), Ok(1));

        let mut set: PortSet<Port<Counted>> = PortSet::new();
        let mut member = set.chan();
        let ends = fragile(|cx| set.poll_ready(cx));
        assert!(caught(|| poll(&mut set, Waker::noop())).is_some());
        assert_eq!(ended(&ends), 1);
        let ends = fragile(|cx| set.poll_ready(cx));
        assert!(caught(|| member.send(tally.make(2)).is_ok()).is_some());
        assert_eq!(ended(&ends), 1);
        assert_eq!(set.recv().ok().and_then(|(_, it)| it.ok()).map(|it| it.number), Some(2));
        let ends = fragile(|cx| set.poll_ready(cx));
        assert!(caught(|| drop(set)).is_some());
        assert_eq!(ended(&ends), 1);
        assert!(member.send(tally.make(3)).is_err());

        // A selection registers the thread's waker in the place of a fragile one. The ports panic one after
        // the other, and no port may be lost.
        let ((mut left, mut first), (_right, mut second)) = (stream(), stream::<Counted>());
        let ends = [fragile(|cx| first.poll_ready(cx)), fragile(|cx| second.poll_ready(cx))];
        while ended(&ends[0]) + ended(&ends[1]) < 2 {
            assert!(caught(|| select(vec![&mut first, &mut second]).0).is_some());
        }
        assert!(left.send(tally.make(4)).is_ok());
        let (index, message, _) = select(vec![&mut first, &mut second]);
        assert_eq!((index, message.map(|it| it.number)), (0, Ok(4)));
        tally.assert_all_gone();
    });
}
