//! Bugs that happened to others in the same place, each as a test named after it.
//!
//! Those that are races are repeated in `tests/stress`; this module has what one thread can show.

use crate::stages::{STAGES, paid_in};
use pipes::{RecvTimeoutError, TryRecvError, oneshot, stream};
use pipes_tests::pingpong::{self, Ping};
use pipes_tests::{Bell, Tally, caught, courier, poll, poll_future, watched};
use std::task::{Poll, Waker};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

#[test]
fn a_polled_receiver_is_dropped_before_the_message() {
    let tally = Tally::new();
    let (bell, waker) = Bell::new();
    let (chan, port) = oneshot();
    let mut receiving = port.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    drop(receiving);
    assert_eq!(bell.wakers(), 1, "the waker was dropped once");
    assert_eq!(chan.send(tally.make(1)).unwrap_err().into_payload().number, 1);
    tally.assert_all_gone();
}

#[test]
fn a_polled_receiver_is_dropped_after_the_message() {
    let tally = Tally::new();
    let (bell, waker) = Bell::new();
    let (chan, port) = oneshot();
    let mut receiving = port.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    chan.send(tally.make(1)).unwrap();
    drop(receiving);
    assert_eq!((bell.rings(), bell.wakers()), (1, 1));
    tally.assert_all_gone();
}

#[test]
fn try_recv_and_recv_after_a_poll() {
    watched(|| {
        for message in [false, true] {
            let (chan, mut port) = oneshot();
            assert!(poll(&mut port, Waker::noop()).is_pending());
            let Err(TryRecvError::Empty(mut port)) = port.try_recv() else { panic!("nothing was sent") };
            assert!(poll(&mut port, Waker::noop()).is_pending());
            let Err(RecvTimeoutError::Timeout(mut port)) = port.recv_timeout(Duration::ZERO) else {
                panic!("nothing was sent")
            };
            assert!(poll(&mut port, Waker::noop()).is_pending());
            if message {
                chan.send(1).unwrap();
                assert_eq!(port.recv(), Ok(1));
            } else {
                drop(chan);
                assert!(port.recv().is_err());
            }
        }
    });
}

#[test]
fn the_first_waker_is_kept_instead_of_the_last() {
    let (chan, port) = oneshot();
    let ((first, one), (last, two)) = (Bell::new(), Bell::new());
    let mut receiving = port.recv_async();
    assert!(poll_future(&mut receiving, &one).is_pending());
    assert!(poll_future(&mut receiving, &two).is_pending());
    chan.send(1).unwrap();
    assert_eq!((first.rings(), last.rings()), (0, 1));
    assert_eq!(poll_future(&mut receiving, &two), Poll::Ready(Ok(1)));
}

#[test]
fn both_sides_touch_the_payload_after_a_close() {
    let tally = Tally::new();
    let (mut chan, mut port) = stream();
    chan.send(tally.make(1)).unwrap();
    drop(chan);
    assert_eq!(port.try_recv().unwrap().number, 1);
    assert_eq!(tally.gone(), 1);
    assert!(port.try_recv().is_err());
    tally.assert_all_gone();
}

#[test]
fn a_port_is_dropped_while_a_block_is_half_installed() {
    for sent in 0..200 {
        let tally = Tally::new();
        let (mut chan, port) = stream();
        (0..sent).for_each(|number| chan.send(tally.make(number)).unwrap());
        drop(port);
        assert!(chan.send(tally.make(sent)).is_err());
        tally.assert_all_gone();
    }
}

#[test]
fn unread_messages_are_dropped_twice_when_the_chan_goes_on() {
    let tally = Tally::new();
    let (mut chan, port) = stream();
    (0..100).for_each(|number| chan.send(tally.make(number)).unwrap());
    drop(port);
    assert_eq!(tally.gone(), 100);
    (0..100).for_each(|number| drop(chan.send(tally.make(number))));
    drop(chan);
    assert_eq!(tally.gone(), 200);
}

#[test]
fn unread_messages_leak_when_the_receiver_dies_unwinding() {
    for (name, stage) in STAGES {
        let tally = Tally::new();
        let (client, server) = stage(&tally);
        let dying = caught(move || {
            let _server = server;
            std::panic::resume_unwind(Box::new("on purpose"));
        });
        assert!(dying.is_some());
        drop(client);
        assert_eq!(tally.gone(), tally.made(), "{name}");
    }
}

#[test]
fn a_stale_waiter_is_left_after_a_timeout() {
    let (bell, waker) = Bell::new();
    let (mut chan, mut port) = stream();
    assert!(poll(&mut port, &waker).is_pending());
    bell.gives_way(|time| assert_eq!(port.recv_timeout(time), Err(RecvTimeoutError::Timeout(()))));
    chan.send(1).unwrap();
    assert_eq!((bell.rings(), bell.wakers()), (0, 1), "the thread has replaced the task, and has left");
    assert_eq!(port.recv(), Ok(1));
}

#[test]
fn a_woken_receiver_is_cancelled_and_the_message_is_lost() {
    let (bell, waker) = Bell::new();
    let (mut chan, mut port) = stream();
    let mut receiving = port.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    chan.send(1).unwrap();
    assert_eq!(bell.rings(), 1);
    drop(receiving);
    assert_eq!(port.try_recv(), Ok(1));
}

#[test]
fn a_future_is_forgotten() {
    let (bell, waker) = Bell::new();
    let (chan, mut port) = stream::<u64>();
    let mut chan = chan;
    let mut receiving = port.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    #[allow(clippy::forget_non_drop, reason = "the trap is a future whose destructor never runs")]
    std::mem::forget(receiving);
    chan.send(1).unwrap();
    assert_eq!(bell.rings(), 1);
    assert_eq!(port.recv(), Ok(1));

    let (chan, port) = oneshot();
    let mut receiving = port.recv_async();
    assert!(poll_future(&mut receiving, &waker).is_pending());
    std::mem::forget(receiving);
    chan.send(2).unwrap();
    assert_eq!((bell.rings(), bell.wakers()), (2, 1));
}

#[test]
fn a_long_chain_overflows_the_stack() {
    watched(|| {
        let small = Builder::new().stack_size(64 * 1024).spawn(|| {
            let tally = Tally::new();
            let (client, server) = paid_in(&tally, 300_000);
            drop(client);
            drop(server);
            tally.assert_all_gone();
        });
        small.unwrap().join().unwrap();
    });
}

/// Room for many large values, in a ring or a block, is not built on the stack and moved from there.
#[test]
fn room_for_large_values_overflows_the_stack() {
    const LARGE: usize = 16 << 10;
    fn first<T>(port: &mut pipes::Port<T>) -> T {
        port.try_recv().unwrap_or_else(|_| panic!("it was sent"))
    }
    watched(|| {
        let small = Builder::new().stack_size(512 << 10).spawn(|| {
            let (mut chan, mut port) = pipes::sync_stream(100);
            assert!(chan.send([1_u8; LARGE]).is_ok() && first(&mut port) == [1; LARGE]);
            let (chan, mut port) = pipes::shared_stream();
            (0..100_u8).for_each(|number| assert!(chan.send([number; LARGE]).is_ok()));
            assert!(first(&mut port) == [0; LARGE]);
            let (mut chan, mut port) = stream();
            (0..100_u8).for_each(|number| assert!(chan.send([number; LARGE]).is_ok()));
            assert!(first(&mut port) == [0; LARGE]);
        });
        small.unwrap().join().unwrap();
    });
}

#[test]
fn a_thread_local_is_gone_when_a_destructor_receives() {
    watched(|| {
        struct Late(Option<pipes::PortOne<u64>>, Option<pipes::ChanOne<u64>>);
        impl Drop for Late {
            fn drop(&mut self) {
                if let (Some(port), Some(chan)) = (self.0.take(), self.1.take()) {
                    // Waits in the destructor of a thread-local, after the thread's other thread-locals were
                    // destroyed.
                    let received = port.recv().unwrap_or(0);
                    let _ = chan.send(received + 1);
                }
            }
        }
        thread_local! {
            static LATE: std::cell::RefCell<Late> = const { std::cell::RefCell::new(Late(None, None)) };
        }
        for _ in 0..50 {
            let ((chan, port), (answer, answered)) = (oneshot(), oneshot());
            let dying = thread::spawn(move || LATE.set(Late(Some(port), Some(answer))));
            chan.send(5).unwrap();
            assert_eq!(answered.recv(), Ok(6));
            dying.join().unwrap();
        }
    });
}

#[test]
fn a_huge_timeout_panics() {
    let (chan, mut port) = stream::<u64>();
    drop(chan);
    assert_eq!(port.recv_timeout(Duration::MAX), Err(RecvTimeoutError::Closed));
    let (mut chan, mut port) = stream();
    chan.send(1).unwrap();
    assert_eq!(port.recv_timeout(Duration::MAX), Ok(1));
    let far = Instant::now().checked_add(Duration::from_secs(u64::MAX / 4));
    chan.send(2).unwrap();
    assert_eq!(far.map_or(Ok(2), |far| port.recv_deadline(far)), Ok(2));
}

#[test]
fn a_panicking_destructor_stops_the_drain() {
    let tally = Tally::new();
    let (mut chan, port) = stream();
    for number in 0..100 {
        assert!(chan.send(if number == 3 { tally.make_bomb(3) } else { tally.make(number) }).is_ok());
    }
    assert!(caught(|| drop(port)).is_some());
    tally.assert_all_gone();
    assert!(chan.is_closed());
}

#[test]
fn the_close_is_seen_before_the_last_message() {
    watched(|| {
        for _ in 0..2_000 {
            let (mut chan, mut port) = stream();
            let sending = thread::spawn(move || {
                chan.send(1).unwrap();
                drop(chan);
            });
            while !port.is_closed() {
                match port.try_recv() {
                    Ok(number) => {
                        assert_eq!(number, 1);
                        break;
                    }
                    Err(error) => assert!(!error.is_closed(), "closed, and the message was not given"),
                }
            }
            assert!(port.recv().is_err());
            sending.join().unwrap();
        }
    });
}

#[test]
fn an_undelivered_message_keeps_its_reply_chan() {
    let (mut requests, server) = stream();
    let (reply, answer) = oneshot::<u64>();
    requests.send(reply).unwrap();
    drop(server);
    assert!(answer.recv().is_err(), "the requester would wait for ever");

    let (request, answered) = pingpong::pipe::<u64>();
    let request = request.ping(1).unwrap();
    let (client, server) = courier::pipe();
    client.last(answered).unwrap();
    drop(server);
    assert!(request.recv().is_err());
}

/// Dropping the messages calls into the library: an unread request is answered while its stream is drained.
#[test]
fn a_destructor_in_the_drain_comes_back() {
    struct Request(Option<pipes::ChanOne<u64>>, Option<pipes::Chan<u64>>);
    impl Drop for Request {
        fn drop(&mut self) {
            if let Some(reply) = self.0.take() {
                let _ = reply.send(0);
            }
            if let Some(mut log) = self.1.take() {
                let _ = log.send(1);
            }
        }
    }
    let (mut requests, server) = stream();
    let mut answers = Vec::new();
    for _ in 0..100 {
        let ((reply, answer), (log, logged)) = (oneshot(), stream());
        assert!(requests.send(Request(Some(reply), Some(log))).is_ok());
        answers.push((answer, logged));
    }
    drop(server);
    for (answer, mut logged) in answers {
        assert_eq!((answer.recv(), logged.recv()), (Ok(0), Ok(1)));
    }
}

#[test]
fn a_send_in_a_destructor_of_the_stream_it_is_sent_on() {
    use std::sync::{Arc, Mutex};
    struct Again(Arc<Mutex<Option<pipes::Chan<Again>>>>, u64);
    impl Drop for Again {
        fn drop(&mut self) {
            let chan = self.0.lock().unwrap().take();
            // The port is being drained: the value is given back, or is drained too. Either way this ends.
            if let (Some(mut chan), 1..) = (chan, self.1) {
                let back = chan.send(Again(self.0.clone(), self.1 - 1));
                *self.0.lock().unwrap() = Some(chan);
                drop(back);
            }
        }
    }
    let (chan, port) = stream();
    let place = Arc::new(Mutex::new(Some(chan)));
    let first = Again(place.clone(), 500);
    let mut chan = place.lock().unwrap().take().unwrap();
    assert!(chan.send(first).is_ok());
    *place.lock().unwrap() = Some(chan);
    drop(port);
    assert_eq!(Arc::strong_count(&place), 1, "every value is gone");
}

#[test]
fn a_second_poll_meets_a_message_that_is_being_sent() {
    let (client, mut server) = pingpong::pipe();
    let (_bell, waker) = Bell::new();
    assert!(poll(&mut server, &waker).is_pending());
    let _client = client.ping(1).unwrap();
    assert!(poll(&mut server, &waker).is_ready());
    assert!(poll(&mut server, Waker::noop()).is_ready());
    assert!(matches!(server.try_recv(), Ok(Ping::Ping(1, _))));
}
