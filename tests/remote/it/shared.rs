//! A service with clients in this program and in others.

use pipes::{Cause, RecvError};
use pipes_remote::{ListenError, memory};
use pipes_remote_tests::{letter, numbers, within};
use std::time::Duration;

#[tokio::test(start_paused = true)]
async fn clients_of_both_kinds_come_out_of_one_listener() {
    let (connector, mut listener) = pipes::listen::<numbers::Protocol>();
    let here = memory();
    here.serve_for_async(&connector).await.expect("it is free");
    let local = connector.connect().expect("there is a listener");
    let (remote, link) = within(numbers::connect_with_link_async(&here)).await.expect("it listens");
    let mut sums = Vec::new();
    for (client, number) in [(local, 3), (remote, 4)] {
        let waiting = client.number(number).expect("it is there").done().expect("it is there");
        let server = within(listener.recv_async()).await.expect("a client has come");
        let numbers::Open::Number(number, server) = within(server.recv_async()).await.expect("it was sent")
        else {
            panic!("a number was sent")
        };
        let numbers::Open::Done(answer) = within(server.recv_async()).await.expect("it was sent") else {
            panic!("that was the last one")
        };
        answer.sum(number).expect("the client waits");
        let numbers::Sum::Sum(sum) = within(waiting.recv_async()).await.expect("it was answered");
        sums.push(sum);
    }
    assert_eq!(sums, [3, 4]);
    assert!(matches!(link.cause(), Cause::Ended), "{link:?}");
    assert_eq!(
        tokio::task::spawn_blocking(|| listener.drain(Duration::from_secs(60))).await.expect("no panic"),
        0
    );
}

#[tokio::test(start_paused = true)]
async fn a_drain_closes_what_comes_from_other_programs() {
    let (connector, mut listener) = pipes::listen::<numbers::Protocol>();
    let here = memory();
    here.serve_for_async(&connector).await.expect("it is free");
    let (remote, link) = within(numbers::connect_with_link_async(&here)).await.expect("it listens");
    let server = within(listener.recv_async()).await.expect("a client has come");
    drop(listener.drain_async());
    assert!(matches!(within(server.recv_async()).await, Err(RecvError)), "its client was taken away");
    let mut remote = remote;
    within(pipes::Closing::closed(&mut remote)).await;
    assert!(matches!(link.cause(), Cause::Left), "{link:?}");
    assert!(connector.connect().is_err(), "there is no listener");
}

#[tokio::test(start_paused = true)]
async fn an_address_has_one_service_of_a_name() {
    let (connector, _listener) = pipes::listen::<numbers::Protocol>();
    let here = memory();
    here.serve_for_async(&connector).await.expect("it is free");
    let again = here.serve_for_async(&connector).await.expect_err("it serves there already");
    assert!(matches!(again, ListenError::Taken { protocol: "numbers", .. }), "{again}");
    assert!(matches!(numbers::listen_async(&here).await, Err(ListenError::Taken { .. })));
    drop(letter::listen_async(&here).await.expect("that is another name"));
}

/// The service of a connector that is dropped goes on as long as clients may come from other programs.
#[tokio::test(start_paused = true)]
async fn other_programs_keep_a_service_open() {
    let (connector, mut listener) = pipes::listen::<numbers::Protocol>();
    let here = memory();
    here.serve_for_async(&connector).await.expect("it is free");
    drop(connector);
    let _remote = within(numbers::connect_async(&here)).await.expect("it listens");
    assert!(within(listener.recv_async()).await.is_ok(), "a client has come");
}
