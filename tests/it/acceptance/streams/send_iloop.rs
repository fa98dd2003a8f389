//! Threads that send to themselves until they are stopped.
//!
//! `run-pass/send-iloop.rs`, Rust 0.5: sixteen tasks that send to themselves and receive, and can be killed.
//! Threads cannot be killed; each waits for its own message and for its link to the thread that may stop it,
//! which closes when that thread dies.

use crate::acceptance::{Sleeper, die, died};
use pipes::{PortOne, oneshot, select, stream};
use pipes_tests::watched;

fn forever(mut link: PortOne<()>) -> u64 {
    let (mut chan, mut port) = stream();
    chan.send(0).expect("the port is here");
    loop {
        select! {
            number = port => chan.send(number.expect("the chan is here") + 1).expect("the port is here"),
            _ = link => return port.recv().expect("it was sent"),
        }
    }
}

#[test]
fn they_end_with_who_holds_their_links() {
    watched(|| {
        let mut threads = Vec::new();
        let mut links = Vec::new();
        for _ in 0..16 {
            let (link, linked) = oneshot();
            links.push(link);
            threads.push(Sleeper::spawn(move || forever(linked)));
        }
        let holder = Sleeper::spawn(move || {
            let _links = links;
            die()
        });
        assert!(died::<()>(holder.join()));
        let rounds = threads.into_iter().map(|thread| thread.join().expect("it ends"));
        assert_eq!(rounds.count(), 16);
    });
}
