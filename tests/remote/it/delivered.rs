//! `Link::delivered`: when it says yes, when it says no, and when it waits.

use pipes::remote::{Cause, Link};
use pipes_remote_tests::{Cut, Net, UP, at_rest, session, talk, tasks, within};
use pipes_tests::{WakeCounter, poll_future};
use std::pin::pin;
use std::time::Duration;
use tokio::time::{sleep, timeout};

const SECOND: Duration = Duration::from_secs(1);

async fn is_waiting(link: &Link) -> bool {
    timeout(SECOND, link.delivered_async()).await.is_err()
}

#[tokio::test(start_paused = true)]
async fn the_next_message_confirms_those_before_it() {
    let net = Net::new();
    let (_listener, (client, link), (server, its_link)) = session!(talk, &net.via());
    within(link.delivered_async()).await.expect("there is nothing");
    let asking = client.question(1).expect("the link stands");
    // Before the pump has run.
    assert!(is_waiting(&link).await);
    assert!(link.delivered(Duration::ZERO).is_err());
    let Ok(talk::Ask::Question(1, answer)) = within(server).await else { panic!("a question comes") };
    within(its_link.delivered_async()).await.expect("it has sent nothing");
    assert!(is_waiting(&link).await);
    let server = answer.reply(2).expect("the link stands");
    assert!(is_waiting(&its_link).await);
    // The message need not be received.
    within(link.delivered_async()).await.expect("the answer is here");
    let Ok(talk::Answer::Reply(2, client)) = within(asking).await else { panic!("an answer comes") };
    assert!(is_waiting(&its_link).await);
    client.stop().expect("the link stands");
    within(its_link.delivered_async()).await.expect("the last message confirms it");
    within(link.delivered_async()).await.expect("the last message is confirmed");
    assert!(matches!(within(server).await, Ok(talk::Ask::Stop)));
    for link in [link, its_link] {
        assert!(matches!(link.cause(), Cause::Ended));
        within(link.delivered_async()).await.expect("it is over");
        link.delivered(Duration::ZERO).expect("it is over");
    }
}

/// A program that stands still cannot confirm a leave. What was sent before is confirmed by its answer.
#[tokio::test(start_paused = true)]
async fn a_leave_that_is_not_confirmed_loses_nothing() {
    let net = Net::new();
    let (_listener, (client, link), (server, _)) = session!(talk, &net.via());
    let asking = client.question(1).expect("the link stands");
    let Ok(talk::Ask::Question(1, answer)) = within(server).await else { panic!("a question comes") };
    let _server = answer.reply(2).expect("the link stands");
    let Ok(talk::Answer::Reply(2, client)) = within(asking).await else { panic!("an answer comes") };
    net.cable(0).block(UP, true);
    drop(client);
    assert!(is_waiting(&link).await);
    timeout(5 * SECOND, link.delivered_async())
        .await
        .expect("it does not wait long")
        .expect("all was confirmed");
    assert!(matches!(link.cause(), Cause::LeftHere), "{link:?}");
}

#[tokio::test(start_paused = true)]
async fn many_links_wait_at_once() {
    for ends_well in [true, false] {
        let (base, net) = (tasks(), Net::new());
        let (listener, (client, link), (server, _)) = session!(talk, &net.via());
        net.cable(0).block(UP, true);
        client.stop().expect("the link stands");
        let waiting: Vec<_> = (0..3)
            .map(|_| link.clone())
            .map(|link| {
                tokio::spawn(async move { link.delivered_async().await.map_err(|no| no.cause().clone()) })
            })
            .collect();
        sleep(SECOND).await;
        assert!(waiting.iter().all(|waiting| !waiting.is_finished()));
        if ends_well {
            net.cable(0).block(UP, false);
            assert!(matches!(within(server).await, Ok(talk::Ask::Stop)));
        } else {
            net.cable(0).cut(UP, Cut::Resets);
            assert!(within(server).await.is_err());
        }
        for waiting in waiting {
            match within(waiting).await.expect("it does not panic") {
                Ok(()) => assert!(ends_well),
                Err(cause) => assert!(!ends_well && matches!(cause, Cause::Broken(_)), "{cause:?}"),
            }
        }
        drop(listener);
        at_rest(base).await;
    }
}

/// Tasks that wait no longer are not kept by the link.
#[tokio::test(start_paused = true)]
async fn those_that_wait_no_longer_are_forgotten() {
    let net = Net::new();
    let (_listener, (client, link), (_server, _)) = session!(talk, &net.via());
    net.cable(0).block(UP, true);
    client.stop().expect("the link stands");
    let (wakes, waker) = WakeCounter::new();
    for _ in 0..1000 {
        assert!(poll_future(&mut pin!(link.delivered_async()), &waker).is_pending());
    }
    assert!(wakes.wakers() <= 2, "{} are kept", wakes.wakers());
}
