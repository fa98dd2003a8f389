//! Payloads that borrow, and that look at the borrowed value when they are dropped. No payload may be dropped
//! after that value, on any thread, by any guard, and on either side.

use pipes::{PortSet, oneshot, shared_stream, stream, sync_stream};
use pipes_tests::{caught, watched};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A payload that counts itself in its lender, and checks the lender's mark when it is dropped. The lender
/// wipes the mark when it is dropped itself.
struct Loan<'a>(&'a Lender);

struct Lender {
    mark: AtomicUsize,
    lent: AtomicUsize,
}

const MARK: usize = 0x5eed;

impl Lender {
    fn new() -> Self {
        Lender { mark: AtomicUsize::new(MARK), lent: AtomicUsize::new(0) }
    }

    fn lend(&self) -> Loan<'_> {
        self.lent.fetch_add(1, Ordering::SeqCst);
        Loan(self)
    }
}

impl Drop for Lender {
    fn drop(&mut self) {
        assert_eq!(self.lent.load(Ordering::SeqCst), 0, "all loans are back");
        self.mark.store(0, Ordering::SeqCst);
    }
}

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        assert_eq!(self.0.mark.load(Ordering::SeqCst), MARK, "what is borrowed is still there");
        self.0.lent.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Loans stay unread in each kind of pipe, whose ends are dropped in either order and on either thread.
#[test]
fn unread_loans() {
    watched(|| {
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
                    assert!(chan.send(lender.lend()).is_ok());
                    assert!(bounded.try_send(lender.lend()).is_ok());
                    assert!(shared.send(lender.lend()).is_ok());
                    assert!(member.send(lender.lend()).is_ok());
                }
                assert!(one.send(lender.lend()).is_ok());
                let ports = (port, bounded_port, shared_port, one_port, set);
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
            assert_eq!(lender.lent.load(Ordering::SeqCst), 0);
        }
    });
}

/// Loans that may not leave their thread.
#[test]
fn loans_that_stay_on_their_thread() {
    struct Local<'a>(&'a Cell<i32>);
    impl Drop for Local<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() - 1);
        }
    }
    let count = Cell::new(0);
    let lend = || {
        count.set(count.get() + 1);
        Local(&count)
    };
    {
        let (mut chan, mut port) = stream();
        let (mut bounded, bounded_port) = sync_stream(2);
        let (shared, shared_port) = shared_stream();
        for _ in 0..2 {
            assert!(chan.send(lend()).is_ok());
            assert!(bounded.try_send(lend()).is_ok());
            assert!(shared.send(lend()).is_ok());
        }
        drop(port.recv());
        // Loans come back from a shared port, from a refused send, and from a set.
        let mut group = shared_port.into_shared();
        assert!(group.try_recv().is_ok());
        assert!(bounded.try_send(lend()).is_err());
        let mut set = PortSet::new();
        set.insert(bounded_port);
        assert!(set.try_recv().is_ok());
        drop(chan);
    }
    assert_eq!(count.get(), 0);
}

pipes::proto! {
    /// The first message borrows; the states after it do not mention the lifetime.
    lending<'a> {
        first: send { loan(Loan<'a>) -> rest, nothing -> rest }
        rest: send { more(u8) -> rest, ask -> answer }
        answer: recv { done -> rest }
    }
}

/// The side that has sent the loan goes on in states that do not mention the lifetime, and may outlive the
/// loan. The loan belongs to the other side, whose type does mention the lifetime.
#[test]
fn a_session_that_outlives_its_loan() {
    watched(|| {
        let mut ends: Vec<lending::Client<lending::Rest>> = Vec::new();
        for how in 0..4 {
            let lender = Lender::new();
            let (client, server) = lending::pipe();
            let client = client.loan(lender.lend()).expect("it is there");
            let client = client.more(1).expect("it is there").more(2).expect("it is there");
            match how {
                0 => drop(server),
                1 => {
                    let lending::First::Loan(loan, server) = server.recv().expect("it was sent") else {
                        panic!("a loan was sent")
                    };
                    drop(server);
                    drop(loan);
                }
                2 => thread::scope(|scope| drop(scope.spawn(move || drop(server)).join())),
                _ => {
                    let in_a_stream = stream();
                    let (mut chan, port) = in_a_stream;
                    assert!(chan.send(server).is_ok());
                    drop(port);
                }
            }
            assert_eq!(lender.lent.load(Ordering::SeqCst), 0);
            ends.push(client);
        }
        let end = thread::spawn(move || ends.into_iter().filter_map(|end| end.more(3).ok()).count());
        assert_eq!(end.join().expect("it does not panic"), 0, "the other sides have left");
    });
}

/// A panic unwinds through a scope in which ends of every kind hold loans.
#[test]
fn a_panic_with_loans_on_their_way() {
    watched(|| {
        let lender = Lender::new();
        let panicked = caught(|| {
            let (mut chan, _port) = stream();
            let (client, _server) = lending::pipe();
            let _client = client.loan(lender.lend());
            let (mut bounded, _bounded_port) = sync_stream(1);
            assert!(bounded.try_send(lender.lend()).is_ok());
            let mut waiting = bounded.send_async(lender.lend());
            assert!(pipes_tests::poll_future(&mut waiting, std::task::Waker::noop()).is_pending());
            assert!(chan.send(lender.lend()).is_ok());
            std::panic::resume_unwind(Box::new("on purpose"));
        });
        assert!(panicked.is_some());
        assert_eq!(lender.lent.load(Ordering::SeqCst), 0);
    });
}
