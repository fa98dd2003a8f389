//! An unbounded protocol between threads and between tasks: no allocation for a message after a warm-up.

use crate::{both_without_allocating, counting};
use futures::executor::block_on;
use futures::join;
use pipes_tests::bank::{self, Account, Answer};
use pipes_tests::watched;
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::thread;

type Client = bank::client::Account<u64>;
type Server = bank::server::Account<u64>;

/// Sends `deposits` deposits, calls the bank, and withdraws all of them, `visits` times.
fn visit(mut client: Client, visits: u64, deposits: u64, mut call: impl FnMut()) -> Client {
    for _ in 0..visits {
        for number in 0..deposits {
            client = client.deposit(number).expect("the bank is there");
        }
        let asked = client.withdraw(deposits).expect("the bank is there");
        call();
        let Ok(Answer::Money(sum, next)) = asked.recv() else { panic!("the bank answers") };
        assert_eq!(sum, (0..deposits).sum());
        client = next;
    }
    client
}

/// Waits for the call before it receives.
fn keep(mut server: Server, visits: u64, mut wait: impl FnMut()) -> Server {
    for _ in 0..visits {
        wait();
        let mut sum = 0;
        server = loop {
            match server.recv() {
                Ok(Account::Deposit(number, next)) => (server, sum) = (next, sum + number),
                Ok(Account::Withdraw(_, answering)) => {
                    break answering.money(sum).expect("the customer waits");
                }
                Ok(Account::Leave) | Err(_) => panic!("the customer comes again"),
            }
        };
    }
    server
}

/// More than the number of slots in a block.
const SHIFTS: u64 = 62;

#[test]
fn between_threads() {
    watched(|| {
        for deposits in [0, 1, 3, 60] {
            let visits = 20_000 / (deposits + 1);
            let (mut client, server) = bank::pipe();
            let (call, called) = channel();
            let both = Arc::new(Barrier::new(2));
            let theirs = both.clone();
            let keeping = thread::spawn(move || {
                let server =
                    keep(server, SHIFTS * (SHIFTS + 1), || called.recv().expect("the customer calls"));
                both_without_allocating(&theirs, || keep(server, visits, || ()))
            });
            // Warms up until all memory is allocated: the customer is furthest ahead when the bank waits for
            // the call. The visits begin at each slot of a block, because the lengths of these visits and of
            // those in between have no common divisor.
            for _ in 0..SHIFTS {
                let call = || call.send(()).expect("the bank waits");
                client = visit(client, SHIFTS, deposits, call);
                client = visit(client, 1, 5, call);
            }
            let client = both_without_allocating(&both, || visit(client, visits, deposits, || ()));
            drop(keeping.join().expect("the bank allocates nothing"));
            drop(client);
        }
    });
}

#[test]
fn between_tasks() {
    let allocations = |visits: u64| {
        let (sum, info) = counting(|| {
            block_on(async {
                let (mut client, mut server) = bank::pipe();
                let visiting = async {
                    for number in 0..visits {
                        client = client.deposit(number).expect("the bank is there");
                        let asked = client.withdraw(number).expect("the bank is there");
                        let Ok(Answer::Money(_, next)) = asked.await else { panic!("the bank answers") };
                        client = next;
                    }
                    client.leave().expect("the bank is there");
                };
                let keeping = async {
                    let mut sum = 0;
                    loop {
                        server = match server.await {
                            Ok(Account::Deposit(number, next)) => {
                                sum += number;
                                next
                            }
                            Ok(Account::Withdraw(number, next)) => {
                                next.money(number).expect("the customer waits")
                            }
                            Ok(Account::Leave) | Err(_) => return sum,
                        };
                    }
                };
                join!(visiting, keeping).1
            })
        });
        assert_eq!(sum, visits * (visits - 1) / 2);
        (info.count_total, info.bytes_max, info.bytes_current)
    };
    // The executor keeps memory for the thread.
    allocations(200);
    let few = allocations(1_000);
    assert_eq!(few.2, 0, "all memory comes back");
    assert_eq!(few, allocations(100_000));
}
