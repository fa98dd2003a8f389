//! A protocol with too many states for the compiler to follow from one type to the next.

use pipes_tests::watched;

/// A ring of states, each of which steps to the next one or ends the session.
macro_rules! ring_of_states {
    ($first:ident $($rest:ident)*) => { ring_of_states! { @ $first [] $first $($rest)* } };
    (@ $start:ident [$($states:tt)*] $this:ident $next:ident $($rest:ident)*) => {
        ring_of_states! {
            @ $start [$($states)* $this: send { go(Vec<u64>) -> $next, stop -> ! }] $next $($rest)*
        }
    };
    (@ $start:ident [$($states:tt)*] $last:ident) => {
        pipes::proto! { long { $($states)* $last: send { go(Vec<u64>) -> $start, stop -> ! } } }
    };
}

ring_of_states! {
    a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 c0 c1 c2 c3 c4 c5 c6 c7 c8 c9
    d0 d1 d2 d3 d4 d5 d6 d7 d8 d9 e0 e1 e2 e3 e4 e5 e6 e7 e8 e9 f0 f1 f2 f3 f4 f5 f6 f7 f8 f9
    g0 g1 g2 g3 g4 g5 g6 g7 g8 g9 h0 h1 h2 h3 h4 h5 h6 h7 h8 h9 i0 i1 i2 i3 i4 i5 i6 i7 i8 i9
    j0 j1 j2 j3 j4 j5 j6 j7 j8 j9
}

static_assertions::assert_impl_all!(long::client::A0: Send, Sync);
static_assertions::assert_impl_all!(long::server::J9: Send, Sync);
static_assertions::assert_impl_all!(long::A0: Send, Sync);
static_assertions::assert_impl_all!(long::AnyServer: Send, Sync);

#[test]
fn a_hundred_states() {
    watched(|| {
        let (client, server) = long::pipe();
        let serving = std::thread::spawn(move || {
            let Ok(long::A0::Go(payload, server)) = server.recv() else { panic!("it is sent") };
            assert!(matches!(server.recv(), Ok(long::A1::Stop)));
            payload
        });
        client.go(vec![1]).expect("the server is there").stop().expect("the server is there");
        assert_eq!(serving.join().expect("the server does not panic"), [1]);
    });
}

/// The state is known only at run time.
#[test]
fn any_of_them() {
    let (client, server) = long::pipe();
    let client = client.go(vec![0]).expect("the server is there");
    let Ok(long::ServerMessage::A0(long::A0::Go(payload, next))) = long::AnyServer::from(server).recv()
    else {
        panic!("it was sent")
    };
    assert_eq!(payload, [0]);
    let server = long::AnyServer::from(next);
    drop(client);
    assert!(server.is_closed());
    assert!(server.recv().is_err());
}

#[test]
fn its_cycle_is_all_of_it() {
    let pipes::Bound::Unbounded { cycle } = long::BOUND else { panic!("the client may go round for ever") };
    assert_eq!((cycle.len(), cycle.first(), cycle.last()), (100, Some(&"a0"), Some(&"j9")));
}
