//! A receiver that is much slower than its peer: its memory is limited by its window.

use crate::{MEMORY, alone};
use pipes_remote_tests::raw::{BYE, MESSAGE, append, read_frame};
use pipes_remote_tests::{Counts, Net, Plan, Wire, by_hand, loads, size, virtually};
use pipes_tests::test_in;
use std::time::Duration;
use tokio::io::AsyncWriteExt;

/// The messages, and the bytes, of the usual window.
const WINDOW: (usize, usize) = (1024, 1 << 20);

/// Sends this message as often as this, as fast as it is taken, and keeps none.
async fn send(mut stream: Wire, code: u32, payload: Vec<u8>, items: u64) {
    let mut out = Vec::new();
    for number in 1..=items {
        append(&mut out, code, &payload);
        if out.len() > 16 << 10 || number == items {
            stream.write_all(&out).await.expect("it is read");
            out.clear();
        }
    }
    append(&mut out, MESSAGE + 3, &[]);
    stream.write_all(&out).await.expect("it is read");
    while read_frame(&mut stream).await.expect("it confirms what it has").0 != BYE {}
}

/// Receives the items, and rests after each ten.
async fn receive(code: u32, payload: Vec<u8>, items: u64) {
    let net = Net::of(Plan { keeps_history: false, ..Plan::default() });
    let (_listener, wire, (mut server, link)) = by_hand!(loads, &net);
    MEMORY.reset_peak_usage();
    let (before, bytes) = (MEMORY.current_usage(), payload.len());
    let sending = tokio::spawn(send(wire, code, payload, items));
    let mut received = 0;
    loop {
        server = match server.await {
            Ok(loads::Open::Load(_, next) | loads::Open::Bytes(_, next)) => next,
            Ok(loads::Open::Done) => break,
            other => panic!("{other:?}: {link:?}"),
        };
        received += 1;
        if received % 10 == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    let more = MEMORY.peak_usage().saturating_sub(before);
    sending.await.expect("it does not panic");
    let most = Counts::now().most;
    println!("{items} items of {bytes} bytes: {more} bytes more, at most {most} at once");
    assert_eq!(received, items);
    assert!(more <= WINDOW.1 + (1 << 20), "{more} bytes more");
    // One that is being received, and one that has just been decoded.
    assert!(most <= WINDOW.0 + 2, "{most} at once");
    assert_eq!(Counts::now().alive, 0);
}

#[test_in(alone)]
fn a_slow_receiver_needs_no_more_than_its_window() {
    let items = size("PIPES_FLOOD", 20_000);
    virtually().block_on(async {
        receive(MESSAGE, vec![7], items).await;
        // Of these the bytes fill the window.
        let payload = postcard::to_stdvec(&vec![7_u8; 10_000]).expect("it can be written");
        receive(MESSAGE + 1, payload, items.div_ceil(100)).await;
    });
}
