//! 19 — Many senders, one receiver: a log.
//!
//! You will see: what three machines have logged at the same time, and that one of them broke.
//! New here: `shared_stream`, a chan that can be cloned and shared. Before: 18_changing_crowd. Next: 20_service.
//!
//!     cargo run --example 19_shared_log

use pipes::SharedChan;
use std::thread;

fn main() {
    let (log, port) = pipes::shared_stream();
    let machines = ["drill", "lathe", "saw"].map(|name| {
        let log = log.clone(); // One for each thread. To a sender it does not matter how many there are.
        thread::spawn(move || work(name, &log))
    });
    drop(log); // The stream ends when the last chan goes. This one would keep it open for ever.

    // The port is one as in any stream.
    let mut lines: Vec<_> = port.into_iter().collect();

    // What one thread has sent comes in its order. What two have sent at the same time comes in some order, which is another
    // one each time: so that this program always prints the same, the lines of each machine are put together.
    lines.sort_by_key(|&(name, _)| name);
    for (name, line) in lines {
        println!("{name}: {line}");
    }
    let broken = machines.into_iter().filter_map(|machine| machine.join().err()).count();
    println!("{broken} machine is broken");
}

/// Makes four parts. Sending needs no `mut`: several threads could also send through one and the same chan, by reference.
fn work(name: &'static str, log: &SharedChan<(&str, String)>) {
    const KEPT: &str = "the log is kept until all machines are done";
    for part in 1..=4 {
        log.send((name, format!("begins part {part}"))).expect(KEPT);
        if (name, part) == ("lathe", 3) {
            // A panic without a report, to keep the output short. It closes this chan; what was sent is in the log, and the other
            // machines do not notice.
            std::panic::resume_unwind(Box::new("out of oil"));
        }
        log.send((name, format!("has made part {part}"))).expect(KEPT);
    }
}
