//! Tasks: what they wait for, and the futures that are woken and not polled any more.

use crate::{asking, deadlock_of};
use futures::executor::LocalPool;
use futures::task::LocalSpawnExt;
use pipes::inspect::{Awaited, Sleeper, Snapshot, ThreadOrTask, Verdict, named, snapshot};
use pipes::{shared_sync_stream, stream, sync_stream};
use pipes_tests::watched;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Returns the task of this name, if it waits.
fn task<'a>(seen: &'a Snapshot, name: &str) -> Option<&'a Sleeper> {
    let is_it = |it: &&Sleeper| it.name.as_deref() == Some(name) && matches!(it.id, ThreadOrTask::Task(_));
    seen.sleepers.iter().find(is_it)
}

/// Polls a future once, which must not be ready, in a task with a waker that does nothing.
fn poll_once<F: Future>(future: std::pin::Pin<&mut F>) {
    assert!(future.poll(&mut Context::from_waker(Waker::noop())).is_pending());
}

#[test]
fn a_named_task_is_listed_as_long_as_it_waits() {
    watched(|| {
        let (mut chan, mut port) = stream::<u32>();
        let line = line!() + 1;
        let mut till = pin!(named("till 3", async move { port.recv_async().await }));
        assert!(task(&snapshot(), "till 3").is_none(), "it was not polled");
        poll_once(till.as_mut());
        let seen = snapshot();
        let found = task(&seen, "till 3").expect("it waits");
        assert_eq!((found.location.file(), found.location.line()), (file!(), line));
        assert_eq!(found.waits_for[0].to_string(), "a message at Port<u32>");
        assert!(!found.is_woken && found.waits_for[0].woken.is_none());
        assert!(seen.to_string().contains("task 'till 3'"), "{seen}");
        chan.send(7).expect("the port is there");
        let seen = snapshot();
        let found = task(&seen, "till 3").expect("it was not polled since");
        assert!(found.is_woken && found.waits_for[0].woken.is_some());
        assert!(seen.to_string().contains("ago, and not polled since"), "{seen}");
        let polled = till.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        assert_eq!(polled, Poll::Ready(Ok(7)));
        assert!(task(&snapshot(), "till 3").is_none(), "it is done");
    });
}

/// A permit is granted to a future that its task keeps and does not poll: the others in the line wait.
#[test]
fn a_permit_that_is_granted_to_a_future_that_is_not_polled() {
    watched(|| {
        let (chan, mut port) = shared_sync_stream::<u32>(1);
        chan.send(1).expect("there is room");
        let mut kept = pin!(named("keeps", chan.reserve_async()));
        let mut waits = pin!(named("waits", chan.reserve_async()));
        poll_once(kept.as_mut());
        poll_once(waits.as_mut());
        assert_eq!(port.recv(), Ok(1));
        let seen = snapshot();
        let woken = |name| task(&seen, name).map(|it| it.waits_for[0].woken.is_some());
        assert_eq!((woken("keeps"), woken("waits")), (Some(true), Some(false)), "{seen}");
        assert_eq!(task(&seen, "waits").expect("it waits").waits_for[0].awaited, Awaited::Room);
    });
}

/// Tasks of one executor that ask each other. Each has used its ends before.
#[test]
fn tasks_that_wait_for_each_other() {
    watched(|| {
        let _pool = std::thread::spawn(|| {
            let mut pool = LocalPool::new();
            let (one, two) = (asking::pipe(), asking::pipe());
            for (name, client, server) in [("task a", one.0, two.1), ("task b", two.0, one.1)] {
                let run = named(name, async move {
                    let client = client.ask(1).expect("the other is there");
                    let Ok(asking::Idle::Ask(number, server)) = server.recv_async().await else {
                        panic!("it asks")
                    };
                    let server = server.answer(number).expect("it waits");
                    let asking::Asked::Answer(_, client) = client.recv_async().await.expect("it answers");
                    // The mistake: it waits for an answer before it answers.
                    let answer = client.ask(2).expect("the other is there").recv_async().await;
                    drop((answer, server));
                });
                pool.spawner().spawn_local(run).expect("the pool is there");
            }
            pool.run();
        });
        let found = deadlock_of(&["task a", "task b"], Verdict::Suspected);
        let said = found.to_string();
        assert!(said.starts_with("deadlock suspected: 2 threads and tasks seem to wait for each"), "{said}");
        assert!(said.contains("the other end was last used by task 'task b'"), "{said}");
    });
}

#[test]
fn a_thread_in_a_block_on_waits_for_what_its_future_waits_for() {
    watched(|| {
        let (mut to_b, mut from_a) = sync_stream::<u32>(1);
        let (mut to_a, mut from_b) = sync_stream::<u32>(1);
        crate::start("blocks on", move || {
            pipes::block_on(async {
                to_b.send_async(1).await.expect("there is room");
                assert_eq!(from_b.recv_async().await, Ok(1));
                let _ = from_b.recv_async().await;
            });
            drop(to_b);
        });
        crate::start("blocks", move || {
            to_a.send(1).expect("there is room");
            assert_eq!(from_a.recv(), Ok(1));
            let _ = from_a.recv();
            drop(to_a);
        });
        let found = deadlock_of(&["blocks", "blocks on"], Verdict::Suspected);
        assert!(found.sleepers.iter().all(|it| matches!(it.id, ThreadOrTask::Thread(_))), "{found}");
    });
}

/// Each future of the library says what it waits for.
#[test]
fn every_future_is_listed() {
    use pipes::{Closing, PortSet, Select, broadcast, oneshot, select_async, shared_stream, watch};
    fn says<F: Future>(future: F) -> Vec<String> {
        let mut future = pin!(named("says", future));
        poll_once(future.as_mut());
        let seen = snapshot();
        let task = task(&seen, "says").expect("it waits");
        assert!(task.location.file().ends_with("tasks.rs"), "{}", task.location);
        task.waits_for.iter().map(|it| it.to_string()).collect()
    }
    watched(|| {
        let message = ["a message at Port<u8>".to_owned()];
        let (mut chan, mut port) = stream::<u8>();
        assert_eq!(says(port.recv_async()), message);
        assert_eq!(says(port.ready()), message);
        assert_eq!(says(port.recv_many_async(&mut Vec::new(), 2)), message);
        assert_eq!(says(chan.closed()), ["the other side of Chan<u8> to leave"]);
        assert_eq!(
            says(async {
                select_async! { it = port => it.is_ok() }
            }),
            message
        );
        let mut select = Select::new();
        select.add(&mut port);
        assert_eq!(says(select.wait_async()), message);
        let mut set = PortSet::from_iter([port]);
        assert_eq!(says(set.recv_async()), message);
        let (mut chan, port) = sync_stream::<u8>(1);
        let room = ["room in Chan<u8>".to_owned()];
        chan.send(1).expect("there is room");
        assert_eq!(says(chan.send_async(2)), room);
        assert_eq!(says(chan.send_all_async(&mut vec![2])), room);
        drop(port);
        let (chan, port) = shared_sync_stream::<u8>(1);
        let room = ["room in SharedChan<u8>".to_owned()];
        chan.send(1).expect("there is room");
        assert_eq!(says(chan.send_async(2)), room);
        assert_eq!(says(chan.send_all_async(&mut vec![2])), room);
        assert_eq!(says(chan.reserve_async()), room);
        assert_eq!(says(chan.reserve_many_async(1)), room);
        assert_eq!(says(chan.clone().reserve_owned_async()), room);
        drop(port);
        let (chan, port) = shared_sync_stream::<u8>(0);
        assert_eq!(says(chan.send_async(2)), room);
        drop(port);
        let (_chan, port) = shared_stream::<u8>();
        let port = port.into_shared();
        assert_eq!(says(port.recv_async()), ["a message at SharedPort<u8>"]);
        assert_eq!(says(port.recv_many_async(&mut Vec::new(), 2)), ["a message at SharedPort<u8>"]);
        let (mut one, port) = oneshot::<u8>();
        assert_eq!(says(one.closed()), ["the other side of ChanOne<u8> to leave"]);
        assert_eq!(says(port.recv_async()), ["a message at PortOne<u8>"]);
        let (chan, mut port) = broadcast::<u8>(1);
        assert_eq!(says(port.recv_async()), ["a message at BroadcastPort<u8>"]);
        chan.send(1).expect("there is room");
        assert_eq!(says(chan.send_async(2)), ["room in BroadcastChan<u8>"]);
        let (_chan, mut port) = watch(1_u8);
        assert_eq!(says(port.changed_async()), ["a message at WatchPort<u8>"]);
        let (mut client, server) = asking::pipe();
        assert_eq!(says(client.closed()), ["the other side of asking::Client<Idle> to leave"]);
        let recv = server.recv_async();
        assert_eq!(says(recv), ["a message at asking::Server<Idle>: the client sends `ask` or `bye`"]);
    });
}
