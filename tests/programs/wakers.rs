//! Wakers and messages that do something when they are woken or dropped: use another pipe, drop an end that
//! they own or that another worker has put down, block for a moment, panic.

use crate::births::{self, Sort};
use crate::cargo::Totals;
use crate::ends::End;
use crate::kinds::Kind;
use crate::ledger::Patience;
use crate::program::Program;
use crate::worker::{Planned, Worker};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Wake, Waker};
use std::time::Duration;

/// What a waker or a message does, once.
pub enum Deed {
    Send(crate::chans::Many),
    TryReceive(crate::ports::Single),
    Drop(End),
    /// Drops an end that lies in this cell of the table. It may be the other side of the pipe that is just
    /// used.
    Steal(Weak<Program>, usize),
    /// Waits a moment for a message that never comes.
    Wait,
    /// Waits for a message that has been sent.
    Receive,
    Panic,
}

/// How many numbers stand for deeds.
pub const DEEDS: u64 = 14;

struct DeedWaker {
    totals: Arc<Totals>,
    on_wake: Mutex<Option<Deed>>,
    on_drop: Mutex<Option<Deed>>,
}

impl Deed {
    pub fn random(worker: &mut Worker) -> Deed {
        let deed = worker.program.shape.deeds.unwrap_or_else(|| worker.random.u64(..DEEDS));
        match deed {
            0..=2 => {
                let (chan, port) = births::shared(worker, Sort::Endless, Patience::Never, false);
                worker.put(End::Port(port));
                Deed::Send(chan)
            }
            3..=5 => {
                let (chan, port) = births::pair(worker, Sort::Endless, Patience::Never, false);
                worker.put(End::Chan(chan));
                Deed::TryReceive(port)
            }
            6 | 7 => {
                let (chan, port) = births::pair(worker, Sort::Bounded(1), Patience::Never, false);
                let (kept, held) = (End::Chan(chan), End::Port(port));
                let (kept, held) = if worker.once_in(2) { (kept, held) } else { (held, kept) };
                worker.put(kept);
                Deed::Drop(held)
            }
            8 => Deed::Wait,
            9 => Deed::Receive,
            10 | 11 if worker.totals().panicky => Deed::Panic,
            12 | 13 => {
                let cell = worker.random.u64(..worker.program.table.len() as u64);
                Deed::Steal(Arc::downgrade(&worker.program), cell as usize)
            }
            _ => {
                let (chan, port) = births::once(worker, Patience::Never);
                worker.put(End::ChanOne(chan));
                Deed::Drop(End::PortOne(port))
            }
        }
    }

    pub fn run(self, totals: &Arc<Totals>) {
        match self {
            Deed::Send(mut chan) => {
                chan.side.ledger.doubt();
                drop(chan.chan.send(chan.pen.write(totals)));
            }
            Deed::TryReceive(mut port) => {
                if let Ok(message) = port.port.try_recv() {
                    port.seen.note(&port.side, &message);
                }
            }
            Deed::Drop(end) => drop(end),
            Deed::Steal(program, cell) => {
                let stolen = program.upgrade().and_then(|program| program.take_from(cell));
                totals.stolen.fetch_add(u64::from(stolen.is_some()), Relaxed);
                drop(stolen);
            }
            Deed::Wait => {
                let (_chan, mut port) = pipes::stream::<u64>();
                assert!(port.recv_timeout(Duration::from_micros(100)).is_err(), "nothing was sent");
            }
            Deed::Receive => {
                let (mut chan, mut port) = pipes::sync_stream(1);
                assert!(chan.send(7).is_ok() && port.recv() == Ok(7), "what was sent comes");
            }
            // A second panic would abort the process.
            Deed::Panic if std::thread::panicking() => {}
            Deed::Panic => std::panic::resume_unwind(Box::new(Planned)),
        }
    }
}

impl Wake for DeedWaker {
    fn wake(self: Arc<Self>) {
        let deed = self.on_wake.lock().expect("nothing panics behind this lock").take();
        if let Some(deed) = deed {
            self.totals.woken.fetch_add(1, Relaxed);
            deed.run(&self.totals);
        }
    }
}

impl Drop for DeedWaker {
    fn drop(&mut self) {
        let deed = self.on_drop.lock().expect("nothing panics behind this lock").take();
        if let Some(deed) = deed {
            self.totals.let_go.fetch_add(1, Relaxed);
            deed.run(&self.totals);
        }
    }
}

/// A fresh waker; most do nothing.
///
/// The worker keeps a clone until its next operation. If the last clone were dropped at the end of a function
/// and its destructor panicked, the function's return value would leak.
pub fn waker(worker: &mut Worker) -> Waker {
    let waker = fresh(worker);
    worker.spent.push(waker.clone());
    waker
}

fn fresh(worker: &mut Worker) -> Waker {
    let hostile = worker.program.shape.hostile;
    if worker.below(100) >= hostile {
        return if worker.once_in(2) { Waker::noop().clone() } else { deed_waker(worker, None, None) };
    }
    let on_wake = worker.once_in(2).then(|| Deed::random(worker));
    let on_drop = worker.once_in(2).then(|| Deed::random(worker));
    deed_waker(worker, on_wake, on_drop)
}

fn deed_waker(worker: &Worker, on_wake: Option<Deed>, on_drop: Option<Deed>) -> Waker {
    Arc::new(DeedWaker {
        totals: worker.totals().clone(),
        on_wake: Mutex::new(on_wake),
        on_drop: Mutex::new(on_drop),
    })
    .into()
}

/// Records what wakers and messages have done.
pub fn count(worker: &mut Worker) {
    let totals = worker.totals().clone();
    worker.counts.add(Kind::WokenDeed, totals.woken.load(Relaxed));
    worker.counts.add(Kind::DroppedDeed, totals.let_go.load(Relaxed));
    worker.counts.add(Kind::MessageDeed, totals.acted.load(Relaxed));
    worker.counts.add(Kind::StolenEnd, totals.stolen.load(Relaxed));
}
