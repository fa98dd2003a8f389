//! Which threads a snapshot has, and what it says of them beside what they wait for.

use super::{Order, asleep, start, thread_of, till, wait_for};
use pipes::inspect::snapshot;
use pipes::{PortSet, stream, sync_stream};
use pipes_tests::{WakeCounter, poll, watched};
use std::sync::Arc;
use std::time::Duration;

#[test]
fn a_thread_that_does_not_sleep_is_not_there() {
    watched(|| {
        let (mut chan, mut port) = stream::<Order>();
        let (mut back, mut at_work) = stream::<()>();
        let thread = start("awake again", move || {
            while port.recv().is_ok() {
                back.send(()).expect("the test waits");
            }
        });
        for _ in 0..20 {
            asleep("awake again");
            chan.send(Order).expect("the thread is there");
            at_work.recv().expect("the thread answers");
        }
        drop(chan);
        thread.join().expect("it does not panic");
        assert!(thread_of(&snapshot(), "awake again").is_none(), "it has ended");
    });
}

#[test]
fn a_timeout_says_how_much_is_left() {
    watched(|| {
        let (chan, mut port) = stream::<Order>();
        let hour = Duration::from_secs(3600);
        let thread = start("limited", move || drop(port.recv_timeout(hour)));
        let left = asleep("limited").time_left.expect("it has a deadline");
        assert!(left <= hour && left > hour / 2);
        drop(chan);
        thread.join().expect("it does not panic");
    });
}

#[test]
fn those_that_have_slept_longest_come_first() {
    watched(|| {
        let names = ["first asleep", "second asleep", "third asleep"];
        let sleepers: Vec<_> = names
            .iter()
            .map(|name| {
                let (chan, mut port) = stream::<Order>();
                let thread = start(name, move || drop(port.recv()));
                asleep(name);
                (chan, thread)
            })
            .collect();
        let threads = snapshot().sleepers;
        let ours: Vec<_> = threads.iter().filter_map(|it| it.name.as_deref()).collect();
        let ours: Vec<_> = ours.into_iter().filter(|name| names.contains(name)).collect();
        assert_eq!(ours, names);
        assert!(threads.is_sorted_by(|a, b| a.asleep >= b.asleep));
        for (chan, thread) in sleepers {
            drop(chan);
            thread.join().expect("it does not panic");
        }
    });
}

/// One side waits for the other to leave, and the other one for a message.
#[test]
fn the_thread_at_the_other_side_is_known() {
    watched(|| {
        let (mut client, server) = till::pipe();
        let one = start("this side", move || {
            client_waits(&mut client);
        });
        asleep("this side");
        let other = start("that side", move || drop(server.recv_timeout(Duration::from_secs(1))));
        let (seen, that) = wait_for(|seen| thread_of(seen, "that side").cloned());
        let this = &seen.sleepers[that.waits_for[0].other_side[0]];
        assert_eq!(this.name.as_deref(), Some("this side"));
        assert_eq!(this.waits_for[0].channel, that.waits_for[0].channel);
        let back = &seen.sleepers[this.waits_for[0].other_side[0]];
        assert_eq!(back.name.as_deref(), Some("that side"));
        other.join().expect("it does not panic");
        one.join().expect("it does not panic");
    });
}

fn client_waits<E: pipes::Closing>(end: &mut E) {
    end.wait_closed();
}

#[test]
fn two_channels_are_two() {
    watched(|| {
        let ((one, first), (two, second)) = (sync_stream::<Order>(1), sync_stream::<Order>(1));
        let mut set = PortSet::from_iter([first, second]);
        let thread = start("two", move || while set.recv().is_ok() {});
        let seen = asleep("two");
        assert_ne!(seen.waits_for[0].channel, seen.waits_for[1].channel);
        drop((one, two));
        thread.join().expect("it does not panic");
    });
}

/// The destructor of a waker sleeps in the middle of a wait. Both waits belong to one thread, which sleeps in
/// the inner one.
#[test]
fn a_wait_inside_a_wait() {
    watched(|| {
        let (chan, mut outer) = stream::<Order>();
        let (mut inner_chan, mut inner) = stream::<u8>();
        let waker = WakeCounter::on_drop(move || assert!(inner.recv().is_ok()));
        assert!(poll(&mut outer, &waker).is_pending());
        drop(waker);
        let thread = start("nested", move || assert!(outer.recv().is_err()));
        assert_eq!(asleep("nested").waits_for[0].end, "Port<u8>");
        inner_chan.send(1).expect("it is waited for");
        wait_for(|seen| thread_of(seen, "nested").filter(|it| it.waits_for[0].end == "Port<Order>").cloned());
        drop(chan);
        thread.join().expect("it does not panic");
    });
}

#[test]
fn many_threads_come_and_go() {
    watched(|| {
        let count = if cfg!(miri) { 8 } else { 300 };
        for _ in 0..2 {
            let (chan, port) = stream::<Order>();
            let port = port.into_shared();
            let name: Arc<str> = format!("one of {count}").into();
            let threads: Vec<_> = (0..count)
                .map(|_| {
                    let port = port.clone();
                    start(&name, move || drop(port.recv()))
                })
                .collect();
            let all = |seen: &pipes::inspect::Snapshot| {
                let ours = seen.sleepers.iter().filter(|it| it.name.as_deref() == Some(&*name));
                (ours.count() == count).then_some(())
            };
            wait_for(all);
            drop(chan);
            threads.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
            assert!(thread_of(&snapshot(), &name).is_none(), "all have ended");
        }
    });
}

/// The channels are freed, and the threads end, while snapshots are taken.
#[test]
fn snapshots_beside_short_sleeps() {
    watched(|| {
        let rounds = if cfg!(miri) { 20 } else { 5_000 };
        let sessions = start("sessions", move || {
            for _ in 0..rounds {
                let (client, server) = till::pipe();
                let answer = start("client", move || {
                    let client = client.login(String::new()).expect("the server is there");
                    assert!(client.recv().is_err());
                });
                let till::Login::Login(_, server) = server.recv().expect("the client logs in");
                drop(server);
                answer.join().expect("it does not panic");
            }
        });
        while !sessions.is_finished() {
            for thread in snapshot().sleepers {
                if thread.name.as_deref() == Some("client") {
                    assert_eq!(thread.waits_for.len(), 1);
                    assert_eq!(thread.waits_for[0].end, "till::Client<Answer>");
                }
            }
        }
        sessions.join().expect("it does not panic");
    });
}
