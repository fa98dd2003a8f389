//! A stream of capacity 0 to 2 whose port is shared. Its sender and its receivers use every way to send and
//! receive, with time limits that end most attempts. Each message that was sent must be received once, and
//! all threads must end, also on one core.

use pipes::{RecvTimeoutError, SendTimeoutError, SharedPort, TryRecvError, TrySendError, sync_stream};
use pipes_tests::watched;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use std::thread;
use std::time::Duration;

fn next(lot: &mut u64) -> u64 {
    *lot ^= *lot << 13;
    *lot ^= *lot >> 7;
    *lot ^= *lot << 17;
    *lot
}

fn receive_all(mut port: SharedPort<u32>, mut lot: u64) -> Vec<u32> {
    let mut all = Vec::new();
    loop {
        match next(&mut lot) % 6 {
            0 => match port.recv_timeout(Duration::from_micros(next(&mut lot) % 60)) {
                Ok(n) => all.push(n),
                Err(RecvTimeoutError::Timeout(())) => {}
                Err(RecvTimeoutError::Closed) => return all,
            },
            1 => match port.try_recv() {
                Ok(n) => all.push(n),
                Err(TryRecvError::Empty(())) => thread::yield_now(),
                Err(TryRecvError::Closed) => return all,
            },
            2 => match port.recv() {
                Ok(n) => all.push(n),
                Err(_) => return all,
            },
            3 => {
                // Polled a few times, and given up.
                let mut future = pin!(port.recv_async());
                for _ in 0..next(&mut lot) % 4 {
                    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                        std::task::Poll::Ready(Ok(n)) => {
                            all.push(n);
                            break;
                        }
                        std::task::Poll::Ready(Err(_)) => return all,
                        std::task::Poll::Pending => thread::yield_now(),
                    }
                }
            }
            4 => match futures::executor::block_on(port.recv_async()) {
                Ok(n) => all.push(n),
                Err(_) => return all,
            },
            _ => match futures::executor::block_on(futures::StreamExt::next(&mut port)) {
                Some(n) => all.push(n),
                None => return all,
            },
        }
    }
}

fn program(room: usize, receivers: u64, seed: u64) {
    const MANY: u32 = 3000;
    let (mut chan, port) = sync_stream(room);
    let port = port.into_shared();
    let threads: Vec<_> = (0..receivers)
        .map(|number| {
            let port = port.clone();
            thread::spawn(move || {
                receive_all(port, (seed * 77 + number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
            })
        })
        .collect();
    drop(port);
    let mut lot = seed.wrapping_mul(0x1234_5678_9abc_def1);
    let mut sent = Vec::new();
    for n in 0..MANY {
        match next(&mut lot) % 5 {
            0 => match chan.try_send(n) {
                Ok(()) => sent.push(n),
                Err(TrySendError::Full(back)) => assert_eq!(back, n),
                Err(TrySendError::Closed(_)) => panic!("nothing has closed"),
            },
            1 => match chan.send_timeout(n, Duration::from_micros(next(&mut lot) % 60)) {
                Ok(()) => sent.push(n),
                Err(SendTimeoutError::Timeout(back)) => assert_eq!(back, n),
                Err(SendTimeoutError::Closed(_)) => panic!("nothing has closed"),
            },
            2 => {
                chan.send(n).expect("nothing has closed");
                sent.push(n);
            }
            3 => {
                let mut future = chan.send_async(n);
                let mut is_sent = false;
                for _ in 0..next(&mut lot) % 4 {
                    if std::pin::Pin::new(&mut future)
                        .poll(&mut Context::from_waker(Waker::noop()))
                        .is_ready()
                    {
                        is_sent = true;
                        break;
                    }
                    thread::yield_now();
                }
                if is_sent || future.into_inner().is_none() {
                    sent.push(n);
                }
            }
            _ => {
                futures::executor::block_on(chan.send_async(n)).expect("nothing has closed");
                sent.push(n);
            }
        }
    }
    drop(chan);
    let mut all: Vec<_> = threads.into_iter().flat_map(|it| it.join().expect("it does not panic")).collect();
    all.sort_unstable();
    assert_eq!(all, sent, "each that was sent comes out once");
}

#[test]
fn in_many_ways() {
    for seed in 0..12 {
        watched(move || program((seed % 3) as usize, 1 + seed % 4, seed + 1));
    }
}
