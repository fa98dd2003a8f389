//! Each kind of channel between tasks of a page.
#![cfg(target_family = "wasm")]

use futures::{SinkExt, StreamExt};
use gloo_timers::future::sleep;
use pipes::{PortSet, RecvOrError, Select};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen_futures::spawn_local;
use wasm_bindgen_test::wasm_bindgen_test;

const MOMENT: Duration = Duration::from_millis(1);

#[wasm_bindgen_test]
async fn a_oneshot_brings_its_value_or_a_close() {
    let (chan, port) = pipes::oneshot();
    spawn_local(async move { chan.send(7).expect("it waits") });
    assert_eq!(port.recv_async().await, Ok(7));
    let (chan, port) = pipes::oneshot::<u32>();
    spawn_local(async move { drop(chan) });
    assert!(port.recv_async().await.is_err());
}

#[wasm_bindgen_test]
async fn a_stream_keeps_the_order() {
    let (mut chan, mut port) = pipes::stream();
    spawn_local(async move {
        for number in 0..1000 {
            chan.send(number).expect("it receives");
            if number % 100 == 0 {
                sleep(MOMENT).await;
            }
        }
    });
    for number in 0..1000 {
        assert_eq!(port.recv_async().await, Ok(number));
    }
    assert!(port.recv_async().await.is_err());
}

#[wasm_bindgen_test]
async fn a_bounded_stream_never_has_more_than_its_bound() {
    for bound in [1, 2, 7] {
        let (mut chan, mut port) = pipes::sync_stream(bound);
        let received = Rc::new(Cell::new(0));
        let seen = received.clone();
        spawn_local(async move {
            for number in 0..200 {
                chan.send_async(number).await.expect("it receives");
                // One more may have been taken out already.
                assert!(number <= seen.get() + bound);
            }
        });
        for number in 0..200 {
            assert_eq!(port.recv_async().await, Ok(number));
            received.set(number + 1);
        }
    }
}

#[wasm_bindgen_test]
async fn capacity_zero_hands_over() {
    let (mut chan, mut port) = pipes::sync_stream(0);
    spawn_local(async move {
        for number in 0..100 {
            chan.send_async(number).await.expect("it receives");
        }
    });
    for number in 0..100 {
        assert_eq!(port.recv_async().await, Ok(number));
    }
}

#[wasm_bindgen_test]
async fn many_senders_share_a_bounded_stream() {
    let (chan, mut port) = pipes::shared_sync_stream(3);
    for _ in 0..10 {
        let chan = chan.clone();
        spawn_local(async move {
            for number in 0..100 {
                chan.send_async(number).await.expect("it receives");
            }
        });
    }
    drop(chan);
    let mut sum = 0;
    while let Ok(number) = port.recv_async().await {
        sum += number;
    }
    assert_eq!(sum, 10 * 4950);
}

#[wasm_bindgen_test]
async fn several_receivers_share_a_stream() {
    let (chan, port) = pipes::shared_stream::<u32>();
    let (port, total) = (port.into_shared(), pipes::shared_stream());
    for _ in 0..4 {
        let (port, done) = (port.clone(), total.0.clone());
        spawn_local(async move {
            let mut sum = 0;
            while let Ok(number) = port.recv_async().await {
                sum += number;
                if number % 10 == 0 {
                    sleep(MOMENT).await;
                }
            }
            done.send(sum).expect("it receives");
        });
    }
    drop(port);
    for number in 0..100 {
        chan.send(number).expect("they receive");
    }
    drop((chan, total.0));
    let mut total = total.1;
    let mut sum = 0;
    while let Ok(part) = total.recv_async().await {
        sum += part;
    }
    assert_eq!(sum, 4950);
}

#[wasm_bindgen_test]
async fn the_traits_of_futures() {
    let (mut chan, port) = pipes::sync_stream(2);
    spawn_local(async move {
        for number in 0..50 {
            chan.feed(number).await.expect("it receives");
        }
        chan.close().await.expect("it receives");
    });
    assert_eq!(port.collect::<Vec<_>>().await, (0..50).collect::<Vec<_>>());
}

#[wasm_bindgen_test]
async fn a_timer_ends_a_receive() {
    let (mut chan, mut port) = pipes::stream();
    match port.recv_or(sleep(MOMENT)).await {
        Err(RecvOrError::Other((), ())) => {}
        other => panic!("{other:?}"),
    }
    chan.send(1).expect("it receives");
    assert_eq!(port.recv_or(sleep(Duration::from_secs(60))).await.ok(), Some(1));
}

#[wasm_bindgen_test]
async fn a_selection_waits_for_all_kinds() {
    let (mut words, mut words_port) = pipes::stream::<&str>();
    let (number, mut number_port) = pipes::oneshot::<u32>();
    let (mut full, mut room) = pipes::sync_stream::<u32>(1);
    full.send(0).expect("there is room");
    spawn_local(async move {
        sleep(MOMENT).await;
        words.send("hello").expect("it waits");
        sleep(MOMENT).await;
        number.send(7).expect("it waits");
        sleep(MOMENT).await;
        assert_eq!(room.recv_async().await, Ok(0));
        assert_eq!(room.recv_async().await, Ok(1));
    });
    let (mut seen, mut has_number, mut has_words) = (Vec::new(), false, true);
    while seen.len() < 4 {
        pipes::select_async! {
            word = words_port, if has_words => match word {
                Ok(word) => seen.push(word.to_owned()),
                Err(_) => has_words = false,
            },
            number = number_port, if !has_number => {
                has_number = true;
                seen.push(number.expect("it was sent").to_string());
                let (_, never) = pipes::oneshot();
                number_port = never;
            },
            sent = full.send(1), if has_number && seen.len() == 2 => {
                sent.expect("it receives");
                seen.push("sent".to_owned());
            },
            timeout(sleep(Duration::from_millis(50))) => seen.push("late".to_owned()),
            else => seen.push("late".to_owned()),
        }
    }
    assert_eq!(seen, ["hello", "7", "sent", "late"]);
}

#[wasm_bindgen_test]
async fn a_selection_made_at_run_time() {
    let (mut chans, mut ports): (Vec<_>, Vec<_>) = (0..5).map(|_| pipes::stream()).unzip();
    spawn_local(async move {
        for index in [3, 1, 4] {
            sleep(MOMENT).await;
            chans[index].send(index).expect("it waits");
        }
        sleep(Duration::from_secs(1)).await;
    });
    for expected in [3, 1, 4] {
        let mut select = Select::new();
        for port in &mut ports {
            select.add(port);
        }
        let chosen = select.wait_async().await.expect("there are some");
        drop(select);
        assert_eq!((chosen, ports[chosen].try_recv().ok()), (expected, Some(expected)));
    }
}

#[wasm_bindgen_test]
async fn a_set_receives_from_all_members() {
    let mut set = PortSet::new();
    for task in 0..20 {
        let (mut chan, port) = pipes::stream();
        set.insert_at(task, port);
        spawn_local(async move {
            for number in 0..10 {
                sleep(MOMENT * (task % 3)).await;
                chan.send(number).expect("it receives");
            }
        });
    }
    let (mut sum, mut closed) = (0, 0);
    while !set.is_empty() {
        match set.recv_async().await.expect("it has members") {
            (_, Ok(number)) => sum += number,
            (_, Err(pipes::Closed)) => closed += 1,
        }
    }
    assert_eq!((sum, closed), (20 * 45, 20));
}

#[wasm_bindgen_test]
async fn each_receiver_of_a_broadcast_gets_everything() {
    let (chan, port) = pipes::broadcast(2);
    let (done, mut sums) = pipes::shared_stream();
    for _ in 0..5 {
        let (mut port, done) = (port.clone(), done.clone());
        spawn_local(async move {
            let mut sum = 0;
            while let Ok(number) = port.recv_async().await {
                sum += number;
            }
            done.send(sum).expect("it receives");
        });
    }
    drop((port, done));
    for number in 0..100 {
        chan.send_async(number).await.expect("they receive");
    }
    drop(chan);
    for _ in 0..5 {
        assert_eq!(sums.recv_async().await, Ok(4950));
    }
}

#[wasm_bindgen_test]
async fn a_slow_receiver_learns_what_it_has_missed() {
    let (chan, mut port) = pipes::broadcast_lagging(2);
    for number in 0..5 {
        chan.send(number).expect("there is a receiver");
    }
    let lagged = port.recv_async().await.expect("it is open").expect_err("it has missed three");
    assert_eq!(lagged.0, 3);
    assert_eq!(port.recv_async().await, Ok(Ok(3)));
}

#[wasm_bindgen_test]
async fn a_watch_has_the_latest_value() {
    let (chan, mut port) = pipes::watch(0);
    spawn_local(async move {
        for number in 1..=10 {
            sleep(MOMENT).await;
            chan.send(number).expect("there is a receiver");
        }
    });
    let mut last = 0;
    while last < 10 {
        port.changed_async().await.expect("it is open");
        let now = *port.borrow();
        assert!(now > last);
        last = now;
    }
}

#[wasm_bindgen_test]
async fn both_sides_of_a_duplex_stream_speak() {
    let (mut one, mut other) = pipes::duplex_stream::<u32, String>();
    spawn_local(async move {
        while let Ok(number) = other.recv_async().await {
            other.send(number.to_string()).expect("it receives");
        }
    });
    for number in 0..10 {
        one.send_async(number).await.expect("it receives");
        assert_eq!(one.recv_async().await.as_deref(), Ok(&*number.to_string()));
    }
}

#[wasm_bindgen_test]
async fn a_wait_for_readiness_can_be_given_up() {
    let (mut chan, mut port) = pipes::stream();
    for _ in 0..10 {
        let waits = async { port.ready().await };
        tokio::select! {
            () = waits => panic!("nothing was sent"),
            () = sleep(MOMENT) => {}
        }
    }
    chan.send(1).expect("it receives");
    port.ready().await;
    assert_eq!(port.recv_async().await, Ok(1));
}

#[wasm_bindgen_test]
async fn room_is_reserved_before_the_value_exists() {
    let (chan, mut port) = pipes::shared_sync_stream(1);
    let permit = chan.reserve_async().await.expect("it is open");
    assert!(chan.try_send(9).is_err(), "the room is taken");
    permit.send(1).expect("it receives");
    assert_eq!(port.recv_async().await, Ok(1));
}
