//! Zero-sized payloads, also of last messages.

use std::cell::Cell;

/// A zero-sized value with a large alignment.
#[derive(Debug, PartialEq)]
#[repr(align(64))]
struct Token;

pipes::proto! {
    /// No payload takes room.
    #[bounded(1)]
    nothing {
        knock: send { knock -> who, knock_with((), [u64; 0], Token) -> who }
        who: recv { who(()) -> knock, nobody(Token) -> ! }
    }

    /// The same without a bound, with a destructor.
    ticks {
        tick: send { drop(Counting) -> tick, last(Token) -> ! }
    }
}

#[test]
fn payloads_without_a_size() {
    let (mut client, mut server) = nothing::pipe();
    for _ in 0..10 {
        let asked = client.knock_with((), [], Token).expect("the server is here");
        let Ok(nothing::Knock::KnockWith((), [], Token, answering)) = server.recv() else {
            panic!("it was sent")
        };
        server = answering.who(()).expect("the client is here");
        let Ok(nothing::Who::Who((), next)) = asked.recv() else { panic!("it was sent") };
        client = next;
    }
    let asked = client.knock().expect("the server is here");
    let Ok(nothing::Knock::Knock(answering)) = server.recv() else { panic!("it was sent") };
    answering.nobody(Token).expect("the client is here");
    assert!(matches!(asked.recv(), Ok(nothing::Who::Nobody(Token))));
}

thread_local! {
    static DROPPED: Cell<usize> = const { Cell::new(0) };
}

/// A zero-sized value whose destructor counts, separately on each thread.
#[repr(align(64))]
struct Counting;

impl Drop for Counting {
    fn drop(&mut self) {
        assert_eq!(std::ptr::from_ref(self).addr() % 64, 0, "it is dropped where it lies");
        DROPPED.set(DROPPED.get() + 1);
    }
}

#[test]
fn destructors_of_nothing() {
    let (mut client, mut server) = ticks::pipe();
    for _ in 0..300 {
        client = client.drop(Counting).expect("the server is here");
    }
    for read in 1..=100 {
        let Ok(ticks::Tick::Drop(_, next)) = server.recv() else { panic!("it was sent") };
        server = next;
        assert_eq!(DROPPED.get(), read);
    }
    drop(server);
    assert_eq!(DROPPED.get(), 300);
    let refused = client.drop(Counting).expect_err("the server has left");
    assert_eq!(DROPPED.get(), 300);
    drop(refused);
    assert_eq!(DROPPED.get(), 301);
}
