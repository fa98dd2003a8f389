//! A bounded and an unbounded ping-pong, driven by the same code.
//!
//! `bench/pingpong.rs`, Rust 0.5: the second protocol differs from the first in a state that no session
//! reaches, which is enough to make it unbounded. The benchmark command measures the times. The `follow!`
//! macro of the original is a `let … else` here.

use super::serve;
use pipes::{Bound, Protocol};
use pipes_tests::watched;

pipes::proto! {
    #[bounded]
    pingpong {
        ping: send { ping -> pong }
        pong: recv { pong -> ping }
    }

    pingpong_unbounded {
        ping: send { ping -> pong }
        pong: recv { pong -> ping }
        #[allow(deprecated)]
        you_can_not_get_here: send { you_can_not_get_here -> you_can_not_get_here }
    }
}

/// Returns how many rounds a client completes before its server leaves, and how many a server completes
/// before its client leaves.
macro_rules! sides {
    ($protocol:ident) => {{
        let client = |mut client: $protocol::client::Ping, rounds| {
            for _ in 0..rounds {
                let waiting = client.ping().expect("the server serves");
                let Ok($protocol::Pong::Pong(next)) = waiting.recv() else { panic!("the server serves") };
                client = next;
            }
        };
        let server = |mut server: $protocol::server::Ping| {
            let mut served = 0;
            while let Ok($protocol::Ping::Ping(answering)) = server.recv() {
                server = answering.pong().expect("the client waits");
                served += 1;
            }
            served
        };
        rounds::<$protocol::Protocol>(client, server)
    }};
}

const ROUNDS: u64 = 1_000;

fn rounds<P: Protocol<Server: Send + 'static>>(
    client: fn(P::Client, u64),
    server: fn(P::Server) -> u64,
) -> u64 {
    let (ours, service) = serve::<P, _>(server);
    client(ours, ROUNDS);
    service.join().expect("the server ends")
}

#[test]
fn both_count_the_same() {
    watched(|| {
        assert_eq!(sides!(pingpong), ROUNDS);
        assert_eq!(sides!(pingpong_unbounded), ROUNDS);
    });
}

#[test]
fn a_state_that_cannot_be_reached_counts() {
    assert_eq!(pingpong::BOUND, Bound::Messages(1));
    assert_eq!(pingpong_unbounded::BOUND, Bound::Unbounded { cycle: &["you_can_not_get_here"] });
}
