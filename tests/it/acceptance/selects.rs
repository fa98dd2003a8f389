//! Waits for one of several endpoints.
//!
//! `run-pass/pipe-select.rs`, and `pipe-select-macro.rs` with `select-macro.rs`, which was disabled and never
//! ran.

use super::serve;
use pipes::select;
use pipes_tests::watched;

pipes::proto! {
    oneshot { waiting: send { signal -> ! } }

    pairs {
        open: send<T: Send> { send(T) -> open<T> }
    }

    door {
        knocking: recv { knock -> knocking, break_in(&'static str) -> ! }
    }

    post {
        parcel: recv { parcel(u64) -> receipt }
        receipt: send { signed -> ! }
    }
}

/// Two endpoints to wait for, as one payload.
type Pair = (oneshot::server::Waiting, oneshot::server::Waiting);

/// Receives pairs and selects over each; returns which end it was, whether there was a message, and how many
/// ends were left.
fn service(mut server: pairs::server::Open<Pair>) -> Vec<(usize, bool, usize)> {
    let mut found = Vec::new();
    while let Ok(pairs::Open::Send((left, right), next)) = server.recv() {
        let (index, message, rest) = select(vec![left, right]);
        found.push((index, message.is_ok(), rest.len()));
        server = next;
    }
    found
}

/// First the left end of one pair is signalled, then the right end of another; the other senders stay.
#[test]
fn a_service_that_is_sent_pairs_of_endpoints() {
    watched(|| {
        let (client, service) = serve::<pairs::Protocol<Pair>, _>(service);
        let ((left, one), (_right, two)) = (oneshot::pipe(), oneshot::pipe());
        let client = client.send((one, two)).expect("the service is there");
        service.fall_asleep();
        left.signal().expect("the service has it");
        let ((_left, one), (right, two)) = (oneshot::pipe(), oneshot::pipe());
        drop(client.send((one, two)).expect("the service is there"));
        service.fall_asleep();
        right.signal().expect("the service has it");
        assert_eq!(service.join().expect("the service ends"), [(0, true, 1), (1, true, 1)]);
    });
}

/// What one of two waits has found.
#[derive(Debug, PartialEq)]
enum Saw {
    Knock,
    BreakIn(&'static str),
    Parcel(u64),
    DoorClosed,
    PostClosed,
}

/// The endpoints that remain after a wait.
type Ends = (Option<door::client::Knocking>, Option<post::client::Parcel>);

/// Waits for one of the two and handles its message. The endpoint that was not chosen is usable in the arm.
fn turn(mut door: door::client::Knocking, mut post: post::client::Parcel) -> (Saw, Ends) {
    select! {
        visit = door => match visit {
            Ok(door::Knocking::Knock(next)) => (Saw::Knock, (Some(next), Some(post))),
            Ok(door::Knocking::BreakIn(who)) => (Saw::BreakIn(who), (None, Some(post))),
            Err(_) => (Saw::DoorClosed, (None, Some(post))),
        },
        delivery = post => match delivery {
            Ok(post::Parcel::Parcel(number, receipt)) => {
                receipt.signed().expect("the server waits for it");
                (Saw::Parcel(number), (Some(door), None))
            }
            Err(_) => (Saw::PostClosed, (Some(door), None)),
        },
    }
}

#[test]
fn exactly_one_arm_runs_and_the_other_endpoint_is_usable() {
    watched(|| {
        let ((door, visitor), (post, postman)) = (door::pipe(), post::pipe());
        let postman = postman.parcel(7).expect("the client is here");
        let (saw, (door, gone)) = turn(door, post);
        assert_eq!((saw, gone.is_none()), (Saw::Parcel(7), true));
        assert!(matches!(postman.recv(), Ok(post::Receipt::Signed)));

        let (post, postman) = post::pipe();
        let visitor = visitor.knock().expect("the end that was not chosen is here");
        let (saw, (door, post)) = turn(door.expect("it came back"), post);
        assert_eq!(saw, Saw::Knock);
        visitor.break_in("a thief").expect("it goes on");
        let (saw, (gone, post)) = turn(door.expect("it goes on"), post.expect("it came back"));
        assert_eq!((saw, gone.is_none()), (Saw::BreakIn("a thief"), true));
        drop(postman.parcel(8).expect("the end that was not chosen is here"));
        assert!(matches!(post.expect("it came back").recv(), Ok(post::Parcel::Parcel(8, _))));
    });
}
