//! Services that leave while clients wait for them.

use pipes::{Eventual, RecvError, listen, spawn_service};
use pipes_tests::{apart, caught, effort, greeting, spawn, test_in, watched};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender, channel};

/// Clients connect again and again while the listener leaves. Each is served, refused, or finds its pipe
/// closed.
#[test_in(watched)]
fn a_listener_that_leaves_while_clients_connect() {
    for round in 0..effort(200) {
        let (connector, mut listener) = listen::<greeting::Protocol<usize>>();
        let over = Arc::new(AtomicBool::new(false));
        let clients: Vec<_> = (0..3)
            .map(|_| {
                let (connector, over) = (connector.clone(), over.clone());
                spawn(move || {
                    let mut served = 0;
                    while let Ok(client) = connector.connect() {
                        let answer = match served % 2 {
                            0 => client.recv(),
                            _ => futures::executor::block_on(client.recv_async()),
                        };
                        match answer {
                            Ok(greeting::Hello::Hello(_, reply)) => {
                                let _ = reply.thanks();
                                served += 1;
                            }
                            Err(_) => assert!(over.load(Ordering::SeqCst), "it was not served"),
                        }
                    }
                    served
                })
            })
            .collect();
        for number in 0..round % 20 {
            let _ = listener.accept().expect("they connect").hello(number);
        }
        over.store(true, Ordering::SeqCst);
        drop(listener);
        let served = clients.into_iter().map(|client| client.join().expect("it does not panic"));
        assert_eq!(served.sum::<usize>(), round % 20);
    }
}

/// The payload of a panic, whose destructor panics. It also tells when it is dropped.
struct Bomb(#[expect(dead_code, reason = "it is there to be dropped")] Sender<()>);

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("the payload is dropped");
    }
}

/// The thread of a service or of an eventual panics with a payload whose destructor panics. That ends the
/// service, and not the process.
#[test_in(apart, watched)]
#[cfg(not(miri))]
fn a_panic_whose_payload_panics() {
    let (bomb, dropped) = channel();
    let service = spawn_service::<greeting::Protocol<u32>>(|_| std::panic::panic_any(Bomb(bomb)));
    assert!(service.recv().is_err());
    assert_eq!(dropped.recv(), Err(mpsc::RecvError));
    let (bomb, dropped) = channel();
    let panics = move || -> u32 { std::panic::panic_any(Bomb(bomb)) };
    drop(caught(|| assert_eq!(Eventual::spawn(panics).get(), Err(RecvError))));
    assert_eq!(dropped.recv(), Err(mpsc::RecvError));
}
