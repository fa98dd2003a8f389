//! Sessions with other programs: inside of the page, and with a native server over the browser's WebSocket.
//!
//! `PIPES_BROWSER_SERVER` is the server's address, when this is compiled.
#![cfg(target_family = "wasm")]

use gloo_timers::future::sleep;
use pipes::remote::Cause;
use pipes_browser_tests::{counts, serve_counts, serve_sums, sums};
use pipes_remote::{ConnectError, memory, ws};
use std::time::Duration;
use wasm_bindgen_futures::spawn_local;
use wasm_bindgen_test::wasm_bindgen_test;

fn server() -> String {
    let address: Option<&str> = option_env!("PIPES_BROWSER_SERVER");
    address.expect("`ci/browser.sh` sets the server's address").to_owned()
}

async fn sum(mut client: sums::Client<sums::Adding>, most: u64) -> u64 {
    for number in 1..=most {
        client = client.add(number).expect("the link stands");
    }
    let sums::Answer::Is(sum, client) =
        client.sum().expect("the link stands").await.expect("the link stands");
    client.leave().expect("the link stands");
    sum
}

#[wasm_bindgen_test]
async fn both_programs_are_in_the_page() {
    let here = memory();
    let mut listener = sums::listen_async(&here).await.expect("it is free");
    spawn_local(async move {
        while let Ok(server) = listener.recv_async().await {
            spawn_local(serve_sums(server));
        }
    });
    for _ in 0..10 {
        let (client, link) = sums::connect_with_link_async(&here).await.expect("it listens");
        assert_eq!(sum(client, 100).await, 5050);
        link.delivered_async().await.expect("it is confirmed");
        assert!(matches!(link.cause(), Cause::Ended), "{:?}", link.cause());
    }
}

#[wasm_bindgen_test]
async fn a_listener_that_has_gone_serves_no_one() {
    let here = memory();
    let listener = counts::listen_async(&here).await.expect("it is free");
    drop(listener);
    assert!(counts::connect_async(&here.clone().handshake(Duration::from_millis(50))).await.is_err());
    // Another one takes over.
    let mut listener = counts::listen_async(&here).await.expect("it is free again");
    spawn_local(async move { serve_counts(listener.recv_async().await.expect("a client comes")).await });
    let client = counts::connect_async(&here).await.expect("it listens").count(1).expect("the link stands");
    let counts::Counting::Number(0, _) = client.await.expect("the link stands") else { panic!("another") };
}

/// The heartbeats go on while the page does nothing.
#[wasm_bindgen_test]
async fn a_silent_session_lasts() {
    let there = ws(server()).beat(Duration::from_millis(20)).lost(Duration::from_millis(200));
    let (client, link) = sums::connect_with_link_async(&there).await.expect("the server is there");
    sleep(Duration::from_millis(600)).await;
    assert!(matches!(link.cause(), Cause::Open), "{:?}", link.cause());
    assert_eq!(sum(client, 10).await, 55);
}

#[wasm_bindgen_test]
async fn a_server_far_away_answers() {
    let there = ws(server());
    for most in [1, 100, 10_000] {
        let client = sums::connect_async(&there).await.expect("the server is there");
        assert_eq!(sum(client, most).await, most * (most + 1) / 2);
    }
    let client = sums::connect_async(&there.eager()).await.expect("the server is there");
    assert_eq!(sum(client, 5).await, 15);
}

#[wasm_bindgen_test]
async fn many_messages_of_a_server_come_in_order() {
    let mut client = counts::connect_async(&ws(server()))
        .await
        .expect("the server is there")
        .count(20_000)
        .expect("the link stands");
    let mut expected = 0;
    while let counts::Counting::Number(number, next) = client.recv_async().await.expect("the link stands") {
        assert_eq!(number, expected);
        (expected, client) = (expected + 1, next);
    }
    assert_eq!(expected, 20_000);
}

#[wasm_bindgen_test]
async fn sessions_run_beside_each_other() {
    let (done, mut results) = pipes::shared_stream();
    for most in 1..=20 {
        let done = done.clone();
        spawn_local(async move {
            let client = sums::connect_async(&ws(server())).await.expect("the server is there");
            done.send((most, sum(client, most).await)).expect("it receives");
        });
    }
    drop(done);
    let mut sessions = 0;
    while let Ok((most, sum)) = results.recv_async().await {
        assert_eq!(sum, most * (most + 1) / 2);
        sessions += 1;
    }
    assert_eq!(sessions, 20);
}

#[wasm_bindgen_test]
async fn what_is_not_there_is_an_error() {
    for url in ["ws://127.0.0.1:9/", "not a url", "ws://127.0.0.1:99999/"] {
        match sums::connect_async(&ws(url)).await {
            Err(ConnectError::Unreachable { address, .. }) => assert_eq!(address, url),
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("{url}"),
        }
    }
}
