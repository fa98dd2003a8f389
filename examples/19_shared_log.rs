//! 19 — Many senders, one receiver: a log.
//!
//! You will see: the log of three machines that run at the same time, and that one of them broke.
//! New here: `shared_stream`, a chan that can be cloned and shared.
//! Before: 18_changing_crowd. Next: 20_service.
//!
//!     cargo run --example 19_shared_log

use pipes::SharedChan;
use std::thread;

fn main() {
    let (log, port) = pipes::shared_stream();
    let machines = ["drill", "lathe", "saw"].map(|name| {
        let log = log.clone(); // A chan for each thread. A sender need not know how many there are.
        thread::spawn(move || work(name, &log))
    });
    drop(log); // The stream ends when the last chan is dropped. This one would keep it open forever.

    // The port is an ordinary one, as in other streams.
    let mut lines: Vec<_> = port.into_iter().collect();

    // The messages of one thread arrive in order. The order between messages of two threads differs from run
    // to run. So the lines are sorted by machine, and this program always prints the same.
    lines.sort_by_key(|&(name, _)| name);
    for (name, line) in lines {
        println!("{name}: {line}");
    }
    let broken = machines.into_iter().filter_map(|machine| machine.join().err()).count();
    println!("{broken} machine is broken");
}

/// Makes four parts. Sending needs no `mut`, so several threads could also share one chan by reference.
fn work(name: &'static str, log: &SharedChan<(&str, String)>) {
    const KEPT: &str = "the log is kept until all machines are done";
    for part in 1..=4 {
        log.send((name, format!("begins part {part}"))).expect(KEPT);
        if (name, part) == ("lathe", 3) {
            // This panic prints no message, which keeps the output short. It drops this chan. The messages
            // sent before are in the log, and the other machines are not affected.
            std::panic::resume_unwind(Box::new("out of oil"));
        }
        log.send((name, format!("has made part {part}"))).expect(KEPT);
    }
}
