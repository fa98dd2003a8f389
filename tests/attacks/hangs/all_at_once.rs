//! Many parts of the library in one random program. A bounded stream feeds a pipeline with a loop; futures in
//! the loop are clients of a service, which serves all clients in one thread with a set; receivers of a
//! shared port take the results in every way. If nothing ends the program, each result must come out once. If
//! something ends it, all threads must end.

use futures::StreamExt;
use pipes::{Closed, PortSet, SharedPort, listen, select, sync_stream};
use pipes_skeleton::{Cancel, Cause, from_port};
use pipes_tests::{Random, effort, watched};
use std::ops::ControlFlow::{Break, Continue};
use std::thread;
use std::time::Duration;

pipes::proto! {
    pub doubling {
        asking: send { double(u64) -> waiting }
        waiting: recv { is(u64) -> asking }
    }
}

/// Serves all clients in one thread until none is left and no more can connect. At random a server is put
/// back into the set under another key.
fn serve(mut listener: pipes::Listener<doubling::Protocol>, mut random: Random) {
    let (mut set, mut open) = (PortSet::new(), true);
    loop {
        select! {
            server = listener, if open => match server {
                Ok(server) => drop(set.insert(server)),
                Err(_) => open = false,
            },
            turn = set, if !set.is_empty() => match turn.expect("there is a member") {
                (key, Ok(doubling::Asking::Double(number, server))) => {
                    let Ok(next) = server.is(2 * number) else { continue };
                    let at = if random.below(2) == 0 { key } else { key + 100_000 };
                    assert!(set.insert_at(at, next).is_none(), "all keys are different");
                }
                (_, Err(Closed)) => {}
            },
            else => return,
        }
    }
}

/// Receives at most `most` items in one of several ways, and returns them.
fn receive(mut port: SharedPort<u64>, way: u64, most: usize) -> Vec<u64> {
    let mut all = Vec::new();
    while all.len() < most {
        let got = match way {
            0 => port.recv().ok(),
            1 => futures::executor::block_on(port.next()),
            2 => match port.recv_timeout(Duration::from_micros(50)) {
                Ok(number) => Some(number),
                Err(pipes::RecvTimeoutError::Timeout(())) => continue,
                Err(pipes::RecvTimeoutError::Closed) => None,
            },
            _ => futures::executor::block_on(port.recv_async()).ok(),
        };
        let Some(number) = got else { break };
        all.push(number);
    }
    all
}

#[test]
fn a_service_in_a_round_in_a_pipeline() {
    const ITEMS: u64 = 60;
    for seed in 0..effort(60) {
        watched(move || {
            let mut random = Random::new(seed as u64);
            let (connector, listener) = listen::<doubling::Protocol>();
            let lots = Random::new(random.below(1 << 30));
            let server = thread::spawn(move || serve(listener, lots));
            let (mut chan, port) = sync_stream(random.below(3) as usize);
            let source = thread::spawn(move || {
                let sent = (0..ITEMS).try_for_each(|number| chan.send(number)).is_ok();
                if !sent {
                    chan.wait_closed();
                }
            });
            let cancel = Cancel::new();
            let (window, at_a_time) = (1 + random.below(6) as usize, 1 + random.below(4) as usize);
            let replicas = 1 + random.below(3) as usize;
            let pipeline = from_port(port)
                .window(window)
                .hand_over(1 + random.below(3) as usize)
                .cancelled_by(&cancel)
                .sequential(|number| (number, number + 1))
                .feedback(move |again| {
                    let asked = again.parallel(replicas, |item| item).concurrent(
                        at_a_time,
                        move |(first, number): (u64, u64)| {
                            let client = connector.connect();
                            async move {
                                let client = client.expect("the service runs");
                                let client = client.double(number).expect("it is there");
                                let doubling::Waiting::Is(number, _client) =
                                    client.await.expect("it answers");
                                (first, number)
                            }
                        },
                    );
                    asked.parallel(replicas, |(first, number)| {
                        if number > 300 { Break(first) } else { Continue((first, number)) }
                    })
                });
            let (port, running) = pipeline.in_order().sequential(|first| first).into_port();
            let port = port.into_shared();
            let end = random.below(4);
            let receivers: Vec<_> = (0..3)
                .map(|number| {
                    let (port, way) = (port.clone(), random.below(4));
                    let most = if end == 1 { 5 * number } else { usize::MAX };
                    thread::spawn(move || receive(port, way, most))
                })
                .collect();
            drop(port);
            match end {
                2 => {
                    (0..random.below(40)).for_each(|_| thread::yield_now());
                    cancel.cancel();
                }
                3 => {
                    (0..random.below(40)).for_each(|_| thread::yield_now());
                    drop(running);
                    receivers.into_iter().for_each(|it| drop(it.join().expect("it does not panic")));
                    source.join().expect("it does not panic");
                    return server.join().expect("it does not panic");
                }
                _ => {}
            }
            let got = receivers.into_iter().flat_map(|it| it.join().expect("it does not panic"));
            let mut got: Vec<u64> = got.collect();
            got.sort_unstable();
            match running.join() {
                Ok(()) if end == 1 => assert!(got.len() <= 15),
                Ok(()) => assert!(got.into_iter().eq(0..ITEMS)),
                Err(failure) => assert!(end == 2 && matches!(failure.cause(), Cause::Cancelled)),
            }
            source.join().expect("it does not panic");
            server.join().expect("it does not panic");
        });
    }
}
