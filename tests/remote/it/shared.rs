//! A service with clients in this program and in others.

use pipes::{RecvError, remote::Cause};
use pipes_remote::{ListenError, memory};
use pipes_remote_tests::engines::serves;
use pipes_remote_tests::{Net, letter, numbers, within};
use std::io::ErrorKind;

#[tokio::test(start_paused = true)]
async fn clients_of_both_kinds_come_out_of_one_listener() {
    let (connector, mut listener) = pipes::listen::<numbers::Protocol>();
    let here = memory();
    here.serve_for_async(&connector).await.expect("it is free");
    let local = connector.connect().expect("there is a listener");
    let (remote, link) = within(numbers::connect_with_link_async(&here)).await.expect("it listens");
    serves(&mut listener, local).await;
    serves(&mut listener, remote).await;
    assert!(matches!(link.cause(), Cause::Ended), "{link:?}");
    within(listener.shutdown_async()).await;
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_closes_what_comes_from_other_programs() {
    let (connector, mut listener) = pipes::listen::<numbers::Protocol>();
    let here = memory();
    here.serve_for_async(&connector).await.expect("it is free");
    let (remote, link) = within(numbers::connect_with_link_async(&here)).await.expect("it listens");
    let server = within(listener.recv_async()).await.expect("a client has come");
    drop(listener.shutdown_async());
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
    // Another program, as it were.
    let net = Net::new();
    let _listener = numbers::listen_async(&net.via()).await.expect("it is free");
    let bound = numbers::listen_async(&net.via()).await.map(drop).expect_err("it is bound");
    assert!(matches!(&bound, ListenError::Unavailable { error, .. } if error.kind() == ErrorKind::AddrInUse));
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
