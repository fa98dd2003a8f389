//! Payloads that borrow, and that look at what they borrow when they are dropped: none is dropped after that.
//! And payloads that may not leave their thread, which are not dropped in another one.

use pipes::{PortSet, oneshot, shared_stream, stream, sync_stream};
use pipes_tests::{begun, caught, panics, test_in, watched};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Waker;
use std::thread;

const MARK: usize = 0x5eed;

/// Counts its loans, and wipes its mark when it is dropped.
struct Lender {
    mark: AtomicUsize,
    lent: AtomicUsize,
}

/// A payload that checks the lender's mark when it is dropped.
struct Loan<'a>(&'a Lender);

impl Lender {
    fn new() -> Self {
        Lender { mark: AtomicUsize::new(MARK), lent: AtomicUsize::new(0) }
    }

    fn spawn(&self) -> Loan<'_> {
        self.lent.fetch_add(1, Ordering::SeqCst);
        Loan(self)
    }

    fn assert_all_back(&self) {
        assert_eq!(self.lent.load(Ordering::SeqCst), 0, "all loans are back");
    }
}

impl Drop for Lender {
    fn drop(&mut self) {
        self.mark.store(0, Ordering::SeqCst);
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        assert_eq!(self.0.mark.load(Ordering::SeqCst), MARK, "what is borrowed is still there");
        self.0.lent.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Unread loans in each kind of pipe. The ends are dropped in either order, by one thread or two.
#[test_in(watched)]
fn unread_in_every_kind_of_pipe() {
    for round in 0..16 {
        let lender = Lender::new();
        thread::scope(|scope| {
            let (mut chan, port) = stream();
            let (mut bounded, bounded_port) = sync_stream(4);
            let (shared, shared_port) = shared_stream();
            let (one, one_port) = oneshot();
            let mut set = PortSet::new();
            let mut member = set.chan();
            for _ in 0..3 {
                assert!(chan.send(lender.spawn()).is_ok());
                assert!(bounded.try_send(lender.spawn()).is_ok());
                assert!(shared.send(lender.spawn()).is_ok());
                assert!(member.send(lender.spawn()).is_ok());
            }
            assert!(one.send(lender.spawn()).is_ok());
            let ports = (port, bounded_port, shared_port.into_shared(), one_port, set);
            let chans = (chan, bounded, shared, member);
            match round % 4 {
                0 => {
                    scope.spawn(move || drop(ports));
                    drop(chans);
                }
                1 => {
                    scope.spawn(move || drop(chans));
                    drop(ports);
                }
                2 => drop((chans, ports)),
                _ => drop((ports, chans)),
            }
        });
        lender.assert_all_back();
    }
}

/// A panic drops the ends of pipes with loans in them, and a send that waits with one.
#[test]
fn unread_in_a_panic() {
    let lender = Lender::new();
    let panic = caught(|| {
        let (mut chan, _port) = stream();
        assert!(chan.send(lender.spawn()).is_ok());
        let (mut bounded, _bounded_port) = sync_stream(1);
        assert!(bounded.try_send(lender.spawn()).is_ok());
        let _waiting = begun(bounded.send_async(lender.spawn()), Waker::noop());
        panics();
    });
    assert!(panic.is_some());
    lender.assert_all_back();
}

pipes::proto! {
    /// Only the first state has the payload's type.
    changing {
        First: send<T> { value(T) -> First<T>, go -> Rest }
        Rest: send { more(Box<u64>) -> Rest, ask -> Answer }
        Answer: recv { done -> Rest }
    }
}

/// The sender goes on in a state that does not mention the lifetime of what it has sent, and outlives it.
#[test]
fn a_sender_that_outlives_its_message() {
    let mut clients = Vec::new();
    for receives in [false, true] {
        let lender = Lender::new();
        let (client, server) = changing::pipe::<Loan<'_>>();
        let client = client.value(lender.spawn()).expect("it is there").go().expect("it is there");
        clients.push(client.more(Box::new(1)).expect("it is there"));
        if receives {
            let Ok(changing::First::Value(loan, server)) = server.recv() else { panic!("it was sent") };
            drop((server, loan));
        } else {
            drop(server);
        }
        lender.assert_all_back();
    }
    let sent =
        thread::spawn(|| clients.into_iter().filter_map(|client| client.more(Box::new(2)).ok()).count());
    assert_eq!(sent.join().expect("it does not panic"), 0, "the servers have left");
}

/// The sender's state says nothing of the payloads that may not go to another thread, so it may. They are
/// dropped in their own thread, whichever side leaves first.
#[test]
fn a_sender_that_goes_where_its_message_may_not() {
    for [receives, sender_first] in [[true, true], [true, false], [false, true], [false, false]] {
        let shared = Rc::new(());
        let (client, server) = changing::pipe::<Rc<()>>();
        let client = client.value(shared.clone()).expect("it is there");
        let client = client.value(shared.clone()).expect("it is there").go().expect("it is there");
        let elsewhere = move || {
            let sending = thread::spawn(move || {
                // More than a block has room for.
                (0..200).try_fold(client, |client, number| client.more(Box::new(number)).ok()).is_some()
            });
            sending.join().expect("it does not panic")
        };
        let here = move || {
            if receives {
                let Ok(changing::First::Value(value, server)) = server.recv() else { panic!("it was sent") };
                drop((server, value));
            } else {
                drop(server);
            }
        };
        if sender_first {
            assert!(elsewhere());
            here();
        } else {
            here();
            assert!(!elsewhere());
        }
        assert_eq!(Rc::strong_count(&shared), 1, "each is dropped once, in this thread");
    }
}
