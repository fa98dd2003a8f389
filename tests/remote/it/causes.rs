//! Why a session ends is known before its end closes: a waker looks in that very moment.

use pipes::{
    Closing,
    remote::{Cause, Fault, Link},
};
use pipes_remote_tests::raw::{FAULT, LEAVE, MESSAGE, frame};
use pipes_remote_tests::{Cut, Net, Trap, UP, Wire, by_hand, rest, session, talk, traps, within};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use std::time::Duration;
use tokio::io::AsyncWriteExt;

/// Notes what a link says when it is woken for the first time.
struct Witness {
    link: Link,
    seen: Mutex<Option<Cause>>,
}

impl Wake for Witness {
    fn wake(self: Arc<Self>) {
        let cause = self.link.cause();
        self.seen.lock().expect("nothing panics").get_or_insert(cause);
    }
}

/// What the link says in the moment in which this future is woken.
async fn witnessed<T>(link: &Link, waits: impl IntoFuture<Output = T>, event: impl AsyncFnOnce()) -> Cause {
    let witness = Arc::new(Witness { link: link.clone(), seen: Mutex::new(None) });
    let waker = Waker::from(witness.clone());
    let mut waits = pin!(waits.into_future());
    assert!(waits.as_mut().poll(&mut Context::from_waker(&waker)).is_pending(), "it is too early");
    event().await;
    rest().await;
    assert!(waits.as_mut().poll(&mut Context::from_waker(&waker)).is_ready());
    let seen = witness.seen.lock().expect("nothing panics").take();
    seen.expect("it was woken")
}

/// What the cause is after this event of a client by hand, for a user that listens and for one that speaks.
async fn after(event: impl AsyncFn(&Net, &mut Wire)) -> [Cause; 2] {
    let net = Net::new();
    let (_listener, mut wire, (server, link)) = by_hand!(talk, &net);
    let listening = witnessed(&link, server, async || event(&net, &mut wire).await).await;
    let net = Net::new();
    let (_listener, mut wire, (server, link)) = by_hand!(talk, &net);
    wire.write_all(&frame(MESSAGE, &[1])).await.expect("the link stands");
    let Ok(talk::Ask::Question(1, mut answer)) = within(server).await else { panic!("a question comes") };
    let speaking = witnessed(&link, answer.closed(), async || event(&net, &mut wire).await).await;
    [listening, speaking]
}

async fn after_bytes(bytes: &[u8]) -> [Cause; 2] {
    after(async |_, wire| wire.write_all(bytes).await.expect("the link stands")).await
}

#[tokio::test(start_paused = true)]
async fn of_bytes_that_end_it() {
    for cause in after_bytes(&frame(LEAVE, b"")).await {
        assert!(matches!(cause, Cause::Left), "{cause:?}");
    }
    for cause in after_bytes(&frame(FAULT, b"no")).await {
        assert!(matches!(&cause, Cause::Fault(Fault::Reported(words)) if words == "no"), "{cause:?}");
    }
    for bytes in [&[0; 4][..], &[0xff; 4], &frame(5, b"")] {
        for cause in after_bytes(bytes).await {
            assert!(matches!(cause, Cause::Fault(_)), "{cause:?}");
        }
    }
    let [listening, speaking] = after_bytes(&frame(MESSAGE + 1, b"")).await;
    assert!(matches!(listening, Cause::Ended), "{listening:?}");
    assert!(matches!(speaking, Cause::Fault(Fault::Unexpected { .. })), "{speaking:?}");
    for bytes in [frame(MESSAGE, b""), frame(MESSAGE, &[1, 2]), frame(MESSAGE + 9, b"")] {
        let [listening, speaking] = after_bytes(&bytes).await;
        assert!(matches!(listening, Cause::Fault(_)), "{listening:?}");
        assert!(matches!(speaking, Cause::Fault(_)), "{speaking:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn of_a_connection_that_breaks() {
    for how in Cut::ALL {
        for cause in after(async |net, _| net.cable(0).cut(UP, how)).await {
            let is_silent = matches!(how, Cut::Silence | Cut::Dead);
            assert_eq!(matches!(cause, Cause::Silent(_)), is_silent, "{how:?} {cause:?}");
            assert_eq!(matches!(cause, Cause::Broken(_)), !is_silent, "{how:?} {cause:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn of_a_listener_that_is_shut_down() {
    let net = Net::new();
    let (listener, _wire, (server, link)) = by_hand!(talk, &net);
    let shutdown = async || assert_eq!(listener.shutdown(Duration::ZERO), 1);
    let cause = witnessed(&link, server, shutdown).await;
    assert!(matches!(cause, Cause::LeftHere), "{cause:?}");
}

#[tokio::test(start_paused = true)]
async fn of_a_payload_that_fails() {
    for trap in
        [Trap::PanicsInSerialize, Trap::FailsInSerialize, Trap::PanicsInDeserialize, Trap::FailsInDeserialize]
    {
        let net = Net::new();
        let (mut listener, (client, link), (server, its_link)) = session!(traps, &net.via());
        let mut sent = None;
        let send = async || sent = Some(client.trap(trap).expect("the link stands"));
        let theirs = witnessed(&its_link, server, send).await;
        assert!(matches!(theirs, Cause::Fault(_)), "{theirs:?}");
        within(sent.expect("it was sent").closed()).await;
        assert!(matches!(link.cause(), Cause::Fault(_)), "{link:?}");

        let (client, link) = traps::connect_with_link_async(&net.via()).await.expect("it listens");
        let _server = within(listener.recv_async()).await.expect("a client comes");
        let mut client = client.trap(trap).expect("the link stands");
        let ours = witnessed(&link, client.closed(), async || ()).await;
        assert!(matches!(ours, Cause::Fault(_)), "{ours:?}");
    }
}
