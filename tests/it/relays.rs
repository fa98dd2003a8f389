//! What a pump does with a protocol between programs, by hand: messages come into a pipe with tickets, and
//! leave it, without a connection.

use pipes::remote::Fault;
use pipes::remote::{Carries, Incoming, Lifted, Lowered, Notice, Relay, Ticket, Window};
use pipes_tests::{Counted, DropCounter};
use std::task::{Context, Poll, Waker};

pipes::proto! {
    /// Unbounded. Later states need fewer parameters, so each state has slots of its own size, with room for
    /// tickets.
    #[remote]
    fewer<A, B, C> {
        all: send { first(A) -> all, third(C, u64) -> all, nothing -> all, next(B) -> two }
        two: send { second(B, C) -> two, unit(()) -> two, next -> one, last(B) -> ! }
        one: recv { third(C) -> one, many(Vec<C>) -> one, next -> empty }
        empty: send { more -> empty, number(u64) -> empty, end -> ! }
    }

    /// Unbounded, with one kind of slots.
    #[remote]
    plain {
        open: send { counted(Counted) -> open, nothing -> open, turn -> answer }
        answer: recv { end -> ! }
    }
}

type Fewer = fewer::Protocol<Counted, Big, Box<Counted>>;
type All = fewer::All<Counted, Big, Box<Counted>>;

/// A large payload.
struct Big {
    counted: Counted,
    ballast: [u64; 40],
}

/// A codec that writes numbers, and makes counted payloads of them.
struct Numbers(DropCounter);

/// What is made of a number.
trait Number: Sized {
    fn number(&self) -> u64;
    fn of(number: u64, drops: &DropCounter) -> Self;
}

impl<T: Number> Carries<T> for Numbers {
    fn put(&self, payload: &T, out: &mut Vec<u8>) -> Result<(), Fault> {
        out.extend_from_slice(&payload.number().to_be_bytes());
        Ok(())
    }

    fn get(&self, bytes: &[u8]) -> Result<T, Fault> {
        let bytes = bytes.try_into().map_err(|_| Fault::Undecodable(String::from("it is no number")))?;
        Ok(T::of(u64::from_be_bytes(bytes), &self.0))
    }
}

/// One type a line, with its number and how it is made of one.
macro_rules! numbers {
    ($($ty:ty: |$it:ident| $number:expr, |$read:ident, $drops:ident| $made:expr;)*) => {$(
        impl Number for $ty {
            fn number(&self) -> u64 {
                let $it = self;
                $number
            }

            fn of($read: u64, $drops: &DropCounter) -> Self {
                $made
            }
        }
    )*};
}

numbers! {
    (): |_it| 0, |_number, _tally| ();
    u64: |it| *it, |number, _tally| number;
    Counted: |it| it.number, |number, drops| drops.make(number);
    Box<Counted>: |it| it.number, |number, drops| Box::new(drops.make(number));
    Big: |it| it.counted.number, |number, drops| Big { counted: drops.make(number), ballast: [number; 40] };
    (Box<Counted>, u64): |it| it.1, |number, drops| (Box::new(drops.make(number)), number);
    (Big, Box<Counted>): |it| it.1.number, |number, drops| (Big::of(number, drops), Box::new(drops.make(number)));
    Vec<Box<Counted>>: |it| it.len() as u64, |number, drops| (0..number).map(|it| Box::new(drops.make(it))).collect();
}

/// Gives the user a message; the session goes on.
#[track_caller]
fn lower<R: Relay<Numbers>>(relay: R, codec: &Numbers, tag: u32, number: u64, ticket: Ticket) -> R {
    let mut notice = |_: Notice<'_>| panic!("the session goes on");
    let message = Incoming { tag, payload: &number.to_be_bytes(), ticket, notice: &mut notice };
    match relay.lower(codec, message) {
        Lowered::Next(relay) => relay,
        _ => panic!("the session goes on"),
    }
}

/// Takes the user's message: its tag, its number, and the next endpoint.
#[track_caller]
fn lift<R: Relay<Numbers>>(relay: R, codec: &Numbers) -> (u32, u64, Option<R>) {
    let mut out = Vec::new();
    match relay.lift(codec, &mut out) {
        Lifted::Sent { tag, next } => {
            (tag, u64::from_be_bytes(out.try_into().expect("it is a number")), next)
        }
        _ => panic!("the user has sent something"),
    }
}

/// The tickets that have come back.
fn returned(window: &Window) -> usize {
    match window.poll_returned(0, &mut Context::from_waker(Waker::noop())) {
        Poll::Ready(count) => count,
        Poll::Pending => panic!("none is enough"),
    }
}

#[test]
fn tickets_in_slots_of_many_sizes() {
    let codec = Numbers(DropCounter::new());
    let window = Window::new();
    let (client, server) = <Fewer as pipes::Protocol>::pipe();
    let relay = fewer::AnyClient::from(client);
    assert!(!Relay::<Numbers>::user_speaks(&relay));
    let relay = lower(relay, &codec, 0, 1, window.ticket());
    let relay = lower(relay, &codec, 1, 2, window.ticket());
    let relay = lower(relay, &codec, 2, 0, window.ticket());
    let relay = lower(relay, &codec, 3, 3, window.ticket());
    let relay = lower(relay, &codec, 0, 4, window.ticket());
    let relay = lower(relay, &codec, 1, 0, window.ticket());
    let relay = lower(relay, &codec, 2, 0, window.ticket());
    assert_eq!(returned(&window), 0);

    let Ok(fewer::All::First(first, server)) = server.recv() else { panic!("it was lowered") };
    assert_eq!((first.number, returned(&window)), (1, 1));
    let Ok(fewer::All::Third(third, 2, server)) = server.recv() else { panic!("it was lowered") };
    assert_eq!(third.number, 2);
    let Ok(fewer::All::Nothing(server)) = server.recv() else { panic!("it was lowered") };
    let Ok(fewer::All::Next(next, server)) = server.recv() else { panic!("it was lowered") };
    assert_eq!((next.counted.number, next.ballast), (3, [3; 40]));
    let Ok(fewer::Two::Second(big, small, server)) = server.recv() else { panic!("it was lowered") };
    assert_eq!((big.ballast, small.number, returned(&window)), ([4; 40], 4, 4));
    let Ok(fewer::Two::Unit((), server)) = server.recv() else { panic!("it was lowered") };
    let Ok(fewer::Two::Next(server)) = server.recv() else { panic!("it was lowered") };
    assert_eq!(returned(&window), 2);

    let server = server
        .third(Box::new(codec.0.make(5)))
        .unwrap()
        .many(vec![Box::new(codec.0.make(6))])
        .unwrap()
        .next()
        .unwrap();
    let (tag, number, relay) = lift(relay, &codec);
    assert_eq!((tag, number), (0, 5));
    let (tag, number, relay) = lift(relay.expect("it goes on"), &codec);
    assert_eq!((tag, number), (1, 1));
    let (tag, _, relay) = lift(relay.expect("it goes on"), &codec);
    assert_eq!(tag, 2);

    let relay = lower(relay.expect("it goes on"), &codec, 0, 0, window.ticket());
    let _relay = lower(relay, &codec, 1, 7, window.ticket());
    let Ok(fewer::Empty::More(server)) = server.recv() else { panic!("it was lowered") };
    let Ok(fewer::Empty::Number(7, _server)) = server.recv() else { panic!("it was lowered") };
    assert_eq!(returned(&window), 2);
    drop((first, third, next, big, small));
    codec.0.assert_all_dropped();
}

#[test]
fn unread_messages_give_their_tickets_back() {
    let codec = Numbers(DropCounter::new());
    let window = Window::new();
    for read in 0..4 {
        let (client, server) = <Fewer as pipes::Protocol>::pipe();
        let mut relay = fewer::AnyClient::from(client);
        for (tag, number) in [(0, 1), (2, 0), (1, 2), (3, 3), (0, 4)] {
            relay = lower(relay, &codec, tag, number, window.ticket());
        }
        let mut server: fewer::AnyServer<_, _, _> = server.into();
        for _ in 0..read {
            server = match pipes::Receive::try_recv(server) {
                Ok(fewer::ServerMessage::All(
                    All::First(_, next) | All::Third(_, _, next) | All::Nothing(next),
                )) => next.into(),
                Ok(fewer::ServerMessage::All(All::Next(_, next))) => next.into(),
                _ => panic!("something else was lowered"),
            };
        }
        assert_eq!(returned(&window), read);
        drop(server);
        assert_eq!(returned(&window), 5 - read);
        // The user has left: the next message is dropped, and so is its ticket.
        let mut notice = |_: Notice<'_>| panic!("it is a message");
        let payload = 9_u64.to_be_bytes();
        let message = Incoming { tag: 0, payload: &payload, ticket: window.ticket(), notice: &mut notice };
        assert!(matches!(relay.lower(&codec, message), Lowered::Left));
        assert_eq!(returned(&window), 1);
        codec.0.assert_all_dropped();
    }
}

#[test]
fn last_messages_and_faults() {
    let codec = Numbers(DropCounter::new());
    let window = Window::new();
    // A last message, which is received, or not.
    for is_received in [true, false] {
        let (client, server) = <Fewer as pipes::Protocol>::pipe();
        let relay = lower(fewer::AnyClient::from(client), &codec, 3, 1, window.ticket());
        let mut told = 0;
        let mut notice = |notice: Notice<'_>| told += usize::from(matches!(notice, Notice::Ending));
        let payload = 2_u64.to_be_bytes();
        let message = Incoming { tag: 3, payload: &payload, ticket: window.ticket(), notice: &mut notice };
        assert!(matches!(relay.lower(&codec, message), Lowered::Last));
        assert_eq!((told, returned(&window)), (1, 0));
        if is_received {
            let Ok(fewer::All::Next(_, server)) = server.recv() else { panic!("it was lowered") };
            assert!(matches!(server.recv(), Ok(fewer::Two::Last(Big { ballast, .. })) if ballast == [2; 40]));
        } else {
            drop(server);
        }
        assert_eq!(returned(&window), 2);
        codec.0.assert_all_dropped();
    }
    // A message that is none: of another state, and one that cannot be read.
    for (tag, payload) in [(4, &[0; 8][..]), (0, &[0; 3])] {
        let (client, server) = <Fewer as pipes::Protocol>::pipe();
        let relay = lower(fewer::AnyClient::from(client), &codec, 0, 1, window.ticket());
        let mut told = 0;
        let mut notice = |notice: Notice<'_>| told += usize::from(matches!(notice, Notice::Fault(_)));
        let message = Incoming { tag, payload, ticket: window.ticket(), notice: &mut notice };
        assert!(matches!(relay.lower(&codec, message), Lowered::Fault(_)));
        assert_eq!((told, returned(&window)), (1, 1));
        let Ok(fewer::All::First(_, server)) = server.recv() else { panic!("it was lowered before") };
        assert!(server.recv().is_err());
        assert_eq!(returned(&window), 1);
        codec.0.assert_all_dropped();
    }
}

#[test]
fn tickets_come_back_on_another_thread() {
    let codec = Numbers(DropCounter::new());
    let window = Window::new();
    let (client, server) = plain::pipe();
    let mut relay = plain::AnyClient::from(client);
    let receiving = std::thread::spawn(move || {
        let (mut server, mut sum) = (server, 0);
        loop {
            match server.recv().expect("the other side stays") {
                plain::Open::Counted(counted, next) => (sum, server) = (sum + counted.number, next),
                plain::Open::Nothing(next) => server = next,
                plain::Open::Turn(_) => return sum,
            }
        }
    });
    let mut unread = 0;
    for number in 0..20 {
        relay = lower(relay, &codec, 0, number, window.ticket());
        relay = lower(relay, &codec, 1, 0, window.ticket());
        unread = unread + 2 - returned(&window);
    }
    let _relay = lower(relay, &codec, 2, 0, window.ticket());
    assert_eq!(receiving.join().expect("it does not panic"), 190);
    assert_eq!(unread + 1, returned(&window));
    codec.0.assert_all_dropped();
}
