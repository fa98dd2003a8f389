//! The tasks, their messages, and the user's code that panics.

use pipes::{Chan, ChanOne, DuplexStream, Eventual, Port, PortOne, PortSet, SharedChan, SharedPort};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Wake;

thread_local! {
    /// How many more calls the user's code makes until it panics, once.
    pub(super) static FUSE: Cell<u64> = const { Cell::new(0) };
    pub(super) static BLOWN: Cell<bool> = const { Cell::new(false) };
    /// The lines whose end a task has seen.
    pub(super) static OVER: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Counts a call of the user's code, and panics if it is the chosen one.
pub(super) fn call() {
    let left = FUSE.get();
    if left > 0 && !std::thread::panicking() {
        FUSE.set(left - 1);
        if left == 1 {
            BLOWN.set(true);
            std::panic::resume_unwind(Box::new("on purpose"));
        }
    }
}

pub(super) fn over(line: usize) {
    OVER.with_borrow_mut(|over| over.push(line));
}

/// A message, which counts how often it is dropped.
pub(super) struct Message(pub(super) Rc<Cell<u32>>);

impl Drop for Message {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
        call();
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key(pub(super) usize);

impl Drop for Key {
    fn drop(&mut self) {
        call();
    }
}

/// A waker. A hostile one may panic like the rest of the user's code.
pub(super) struct Bell {
    pub(super) rung: Arc<AtomicBool>,
    pub(super) is_hostile: bool,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.rung.store(true, Ordering::Relaxed);
        if self.is_hostile {
            call();
        }
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        if self.is_hostile {
            call();
        }
    }
}

/// The state of a stream, as the test knows it.
#[derive(Default)]
pub(super) struct Line {
    /// Messages that were surely sent. A count above 0 means that it is dropped.
    pub(super) sent: Vec<Rc<Cell<u32>>>,
    pub(super) senders: usize,
    /// Several tasks receive from it, and one of them must be woken.
    pub(super) is_group: bool,
}

impl Line {
    pub(super) fn has_something(&self) -> bool {
        self.senders == 0 || self.sent.iter().any(|message| message.get() == 0)
    }
}

pub(super) enum Sender {
    Chan(Chan<Message>),
    Shared(SharedChan<Message>),
    One(ChanOne<Message>),
    Duplex(DuplexStream<Message, Message>),
}

pub(super) type Job = Pin<Box<dyn Future<Output = ()>>>;

pub(super) struct Task {
    pub(super) job: Option<Job>,
    /// Whether it was woken since its last poll; `None` if it was not polled yet.
    pub(super) rung: Option<Arc<AtomicBool>>,
    pub(super) lines: Vec<usize>,
    /// The kind of its receiver.
    pub(super) kind: &'static str,
}

impl Task {
    /// It was polled, and not woken since.
    pub(super) fn is_waiting(&self) -> bool {
        self.job.is_some() && self.rung.as_ref().is_some_and(|rung| !rung.load(Ordering::Relaxed))
    }
}

pub(super) async fn from_port(mut port: Port<Message>) {
    while let Ok(message) = port.recv_async().await {
        drop(message);
    }
}

pub(super) async fn from_one(port: PortOne<Message>) {
    drop(port.await);
}

pub(super) async fn from_eventual(eventual: Eventual<Message>) {
    drop(eventual.await);
}

pub(super) async fn from_group(mut port: SharedPort<Message>) {
    while let Ok(message) = port.recv_async().await {
        drop(message);
    }
}

pub(super) async fn from_duplex(mut duplex: DuplexStream<Message, Message>) {
    while let Ok(message) = duplex.recv_async().await {
        drop(message);
        drop(duplex.send(Message(Rc::default())));
    }
}

pub(super) async fn from_set(mut set: PortSet<Port<Message>, Key>) {
    while let Ok((key, message)) = set.recv_async().await {
        if message.is_err() {
            over(key.0);
        }
        drop((message, key));
    }
}

/// The messages of a stream on which a task sends.
pub(super) type Made = Rc<RefCell<Vec<Rc<Cell<u32>>>>>;

pub(super) async fn to_port(mut chan: Chan<Message>, made: Made) {
    for _ in 0..5 {
        let count = Rc::new(Cell::new(0));
        made.borrow_mut().push(count.clone());
        if let Err(error) = chan.send_async(Message(count)).await {
            return drop(error);
        }
    }
}

pub(super) async fn from_all(
    mut set: PortSet<Port<Message>, Key>,
    (port_line, mut port): (usize, Port<Message>),
    (one_line, mut one): (usize, PortOne<Message>),
) {
    let mut open = true;
    loop {
        pipes::select_async! {
            message = port, if open => match message {
                Ok(message) => drop(message),
                Err(_) => {
                    over(port_line);
                    open = false;
                }
            },
            turn = set, if !set.is_empty() => match turn {
                Ok((key, Err(_))) => over(key.0),
                turn => drop(turn),
            },
            message = one => {
                over(one_line);
                drop(message);
                break;
            },
            else => break,
        }
    }
    // The other receivers are dropped with the task.
    over(port_line);
    set.keys().for_each(|key| over(key.0));
}

/// Two tasks, one of which sends to the other through a stream of capacity `room`.
pub(super) struct Duel {
    pub(super) room: usize,
    pub(super) made: Made,
    pub(super) sends: usize,
    pub(super) receives: usize,
}

impl Duel {
    /// Returns whether each task that can go on was woken.
    pub(super) fn is_well(&self, tasks: &[Task]) -> bool {
        let (sends, receives) = (&tasks[self.sends], &tasks[self.receives]);
        let alive = self.made.borrow().iter().filter(|message| message.get() == 0).count();
        // A message that waits to be sent is not in the stream, except at capacity 0.
        let has_one = sends.job.is_some() && sends.rung.is_some();
        let sent = if has_one && self.room > 0 { alive.saturating_sub(1) } else { alive };
        let has_room = if self.room > 0 { sent < self.room } else { sent == 0 };
        let may_send = receives.job.is_none() || has_room;
        let may_receive = sends.job.is_none() || sent > 0;
        !(sends.is_waiting() && may_send || receives.is_waiting() && may_receive)
    }
}
