//! Protocols of up to two hundred states and six hundred messages: they compile, their endpoints may go to
//! other threads, and they work.

use crate::player::Player;
use generated::{BIG, HUGE, big, big_session, big_shared, huge, huge_session, huge_shared};
use pipes::Bound;
use pipes_tests::{Counted, DropCounter, watched};

/// The output of the build script.
#[allow(clippy::unit_arg, reason = "nothing is a payload as well")]
mod generated {
    use crate::local::Nothing;
    use crate::payload::{Aligned, Padded};
    use crate::player::Player;
    use pipes_tests::Counted;
    use std::cell::Cell;
    use std::ops::ControlFlow::Continue;

    /// Compiles only if the type is `Send` and `Sync`.
    fn shared<E: Send + Sync>() {}

    include!(concat!(env!("OUT_DIR"), "/scale.rs"));
}

impl crate::payload::Payload for huge::client::S0<Counted> {
    fn make(_: &mut Player) -> Self {
        huge::pipe().0
    }

    fn seen(self, _: &mut Player) {}
}

impl crate::payload::Payload for huge::server::S0<Counted> {
    fn make(_: &mut Player) -> Self {
        huge::pipe().1
    }

    fn seen(self, _: &mut Player) {
        assert!(self.is_closed(), "the client's end was dropped when this one was made");
    }
}

/// How many messages each side saw in a session with both sides on one thread.
fn messages(session: fn(&mut Player, &mut Player)) -> [u64; 2] {
    watched(move || {
        let drops = DropCounter::new();
        let [mut client, mut server] = [0, 1].map(|seed| Player::new(seed, &drops));
        session(&mut client, &mut server);
        drops.assert_all_dropped();
        [client.messages(), server.messages()]
    })
}

#[test]
fn a_session_of_a_large_protocol() {
    assert_eq!(messages(big_session), [50, 50]);
    assert_eq!(messages(huge_session), [50, 50]);
}

#[test]
fn every_endpoint_of_a_large_protocol_is_shared_between_threads() {
    assert_eq!(big_shared(), 102);
    assert_eq!(huge_shared::<Counted>(), 402);
}

#[test]
fn the_bound_of_a_large_protocol() {
    assert_eq!(Some(big::BOUND), BIG.map(Bound::Messages));
    assert!(HUGE.is_none() && !huge::BOUND.is_bounded());
}
