//! Sessions between tasks of a page, and services.
#![cfg(target_family = "wasm")]

use gloo_timers::future::sleep;
use pipes::{Closing, PortSet};
use pipes_browser_tests::{counts, serve_counts, serve_sums, sums};
use std::time::Duration;
use wasm_bindgen_futures::spawn_local;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn a_session_goes_through_its_states() {
    let (mut client, server) = sums::pipe();
    spawn_local(serve_sums(server));
    let mut expected = 0;
    for number in 1..=100 {
        let sums::Answer::Is(sum, next) =
            client.add(number).expect("it is there").sum().expect("it is there").await.expect("it answers");
        expected += number;
        assert_eq!(sum, expected);
        client = next;
    }
    client.leave().expect("it is there");
}

#[wasm_bindgen_test]
async fn an_endpoint_that_is_dropped_ends_the_wait_of_the_other_side() {
    let (client, server) = counts::pipe();
    spawn_local(async move {
        sleep(Duration::from_millis(1)).await;
        drop(client);
    });
    assert!(server.recv_async().await.is_err());
    let (mut client, server) = counts::pipe();
    spawn_local(async move {
        sleep(Duration::from_millis(1)).await;
        drop(server);
    });
    client.closed().await;
    assert!(client.count(1).is_err());
}

#[wasm_bindgen_test]
async fn a_service_gives_each_client_its_own_session() {
    let (connector, mut listener) = pipes::listen::<sums::Protocol>();
    spawn_local(async move {
        while let Ok(server) = listener.recv_async().await {
            spawn_local(serve_sums(server));
        }
    });
    let (done, mut results) = pipes::shared_stream();
    for client in 0..20_u64 {
        let (connector, done) = (connector.clone(), done.clone());
        spawn_local(async move {
            let mut session = connector.connect_async().await.expect("it accepts");
            for number in 0..10 {
                session = session.add(client * number).expect("it is there");
                sleep(Duration::from_millis(number % 2)).await;
            }
            let sums::Answer::Is(sum, _) = session.sum().expect("it is there").await.expect("it answers");
            done.send((client, sum)).expect("it receives");
        });
    }
    drop(done);
    let mut sessions = 0;
    while let Ok((client, sum)) = results.recv_async().await {
        assert_eq!(sum, client * 45);
        sessions += 1;
    }
    assert_eq!(sessions, 20);
}

#[wasm_bindgen_test]
async fn sessions_are_members_of_a_set() {
    let mut set = PortSet::new();
    for most in 0..10 {
        let (client, server) = counts::pipe();
        spawn_local(serve_counts(server));
        set.insert_at(most, client.count(most).expect("it is there"));
    }
    let mut seen = [0; 10];
    while !set.is_empty() {
        match set.recv_async().await.expect("it has members") {
            (key, Ok(counts::Counting::Number(number, next))) => {
                assert_eq!(number, seen[key as usize]);
                seen[key as usize] += 1;
                set.insert_at(key, next);
            }
            (key, Ok(counts::Counting::Done)) => assert_eq!(seen[key as usize], key),
            (_, Err(pipes::Closed)) => panic!("it ends with its last message"),
        }
    }
    assert_eq!(seen.iter().sum::<u32>(), 45);
}
