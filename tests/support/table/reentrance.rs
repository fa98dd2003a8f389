//! Wakers, and destructors of a thread, that call back into the library, while it is in the call that wakes
//! or drops them.

use super::flavor::{Boxed, Flavor, Receiver, Sender, TaskReceiver, send_and_close};
use crate::{Counted, DropCounter, WakeCounter, begun, effort, poll_future, spawn, spin_while};
use std::cell::RefCell;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use std::thread;

/// A task that receives one message, and owns its receiver.
pub(super) type Task = Boxed<'static, Option<Counted>>;

/// Where a waker or a stage finds what it uses.
pub type Place<T> = Arc<Mutex<Option<T>>>;

/// Takes what is there.
pub fn take<T>(place: &Place<T>) -> Option<T> {
    place.lock().expect("nothing panics behind the lock").take()
}

/// Puts it there.
pub fn put<T>(place: &Place<T>, it: T) {
    *place.lock().expect("nothing panics behind the lock") = Some(it);
}

pub(super) fn task<F: Flavor<Receiver: TaskReceiver>>(mut receiver: F::Receiver) -> Task {
    Box::pin(async move { receiver.recv_async().await })
}

/// A task that waits for a message. Its waker gives it to the action.
fn woken<F: Flavor<Receiver: TaskReceiver>>(
    receiver: F::Receiver,
    action: impl FnOnce(Task) + Send + 'static,
) {
    let place = Place::default();
    let own = place.clone();
    let (_wakes, waker) = WakeCounter::on_wake(move || action(take(&own).expect("the task is there")));
    let task = begun(task::<F>(receiver), &waker);
    put(&place, task);
}

/// The result of a task that was woken.
fn result(mut task: Task) -> Option<u64> {
    // In a thread that has received much, tasks give way, a few times in a row.
    for _ in 0..8 {
        if let Poll::Ready(message) = poll_future(&mut task, Waker::noop()) {
            return message.map(|message| message.number);
        }
    }
    panic!("it was woken")
}

/// The waker drops the receiver in the call that sends a message, or that closes.
pub fn drops_its_receiver<F: Flavor<Receiver: TaskReceiver>>() {
    for sends in [true, false] {
        let (drops, woke) = (DropCounter::new(), Place::default());
        let (mut sender, receiver) = F::channel();
        let note = woke.clone();
        woken::<F>(receiver, move |task| {
            drop(task);
            put(&note, ());
        });
        if sends {
            // A send that waits for its receiver returns the message; another one has sent it.
            drop(sender.send(drops.make(1)));
            spin_while(|| !sender.is_closed());
        }
        drop(sender);
        assert_eq!(take(&woke), Some(()));
        drops.assert_all_dropped();
    }
}

/// Only the waker owns its task: the call that wakes it, or that drops it afterwards, drops the receiver.
pub fn owns_its_receiver<F: Flavor<Receiver: TaskReceiver>>() {
    for way in 0..8 {
        let [when_woken, sends, elsewhere] = [1, 2, 4].map(|bit| way & bit != 0);
        let (drops, place) = (DropCounter::new(), Place::default());
        let (mut sender, receiver) = F::channel();
        let (own, token) = (place.clone(), drops.make(0));
        let action = move || {
            drop(take(&own));
            drop(token);
        };
        let waker = if when_woken { WakeCounter::on_wake(action).1 } else { WakeCounter::on_drop(action) };
        let task = begun(task::<F>(receiver), &waker);
        put(&place, task);
        drop((place, waker));
        let message = sends.then(|| drops.make(1));
        let step = move || drop(message.map(|message| sender.send(message)));
        if elsewhere {
            spawn(step).join().expect("it does not panic")
        } else {
            step()
        }
        drops.assert_all_dropped();
    }
}

/// The waker owns the sender: a receiver that leaves drops both ends.
pub fn owns_the_sender<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let (sender, receiver) = F::channel();
    let token = drops.make(0);
    let waker = WakeCounter::on_drop(move || drop((sender, token)));
    let task = begun(task::<F>(receiver), &waker);
    drop(waker);
    drop(task);
    drops.assert_all_dropped();
}

/// How many wakers call each other, one inside the other.
const DEPTH: u64 = if cfg!(miri) { 5 } else { 20 };

/// Each waker receives the message and sends it on to the next channel, one inside the other.
pub fn passes_a_message_on<F: Flavor<Receiver: TaskReceiver>>() {
    let (drops, received) = (DropCounter::new(), Place::default());
    let (mut first, mut receiver) = F::channel();
    for _ in 0..DEPTH {
        let (mut sender, next) = F::channel();
        let source = drops.clone();
        woken::<F>(std::mem::replace(&mut receiver, next), move |task| {
            let number = result(task).expect("a message was sent");
            assert!(sender.send(source.make(number + 1)).is_ok());
        });
    }
    let found = received.clone();
    woken::<F>(receiver, move |task| put(&found, result(task)));
    assert!(first.send(drops.make(0)).is_ok());
    assert_eq!(take(&received), Some(Some(DEPTH)));
    drops.assert_all_dropped();
}

/// Each waker sees the close and closes the next channel, one inside the other.
pub fn passes_a_close_on<F: Flavor<Receiver: TaskReceiver>>() {
    let closed = Place::default();
    let (first, mut receiver) = F::channel();
    for _ in 0..DEPTH {
        let (sender, next) = F::channel();
        woken::<F>(std::mem::replace(&mut receiver, next), move |task| {
            assert_eq!(result(task), None);
            drop(sender);
        });
    }
    let found = closed.clone();
    woken::<F>(receiver, move |task| put(&found, result(task)));
    drop(first);
    assert_eq!(take(&closed), Some(None));
}

/// The waker gives its task to another thread, which receives while the send goes on.
pub fn gives_its_task_away<F: Flavor<Receiver: TaskReceiver>>() {
    for _ in 0..effort(50) {
        let drops = DropCounter::new();
        let (mut sender, receiver) = F::channel();
        let (give, given) = channel();
        woken::<F>(receiver, move |task| give.send(task).expect("the thread waits for it"));
        let receiving = spawn(move || result(given.recv().expect("it is given")));
        assert!(sender.send(drops.make(1)).is_ok());
        assert_eq!(receiving.join().expect("a message was sent"), Some(1));
        drop(sender);
        drops.assert_all_dropped();
    }
}

/// A task is polled by one thread after the other, each with a waker of its own.
pub fn polled_by_many_threads<F: Flavor<Receiver: TaskReceiver>>() {
    for _ in 0..effort(20) {
        let drops = DropCounter::new();
        let (sender, receiver) = F::channel();
        let poll = |mut task: Task| {
            let polling = spawn(move || {
                let polled = poll_future(&mut task, &WakeCounter::new().1);
                (task, polled)
            });
            polling.join().expect("it only polls")
        };
        let (mut task, mut polled) = poll(task::<F>(receiver));
        assert!(polled.is_pending());
        let sending = send_and_close::<F>(sender, &drops, 1..2, || ());
        while polled.is_pending() {
            (task, polled) = poll(task);
        }
        assert!(matches!(polled, Poll::Ready(Some(Counted { number: 1, .. }))));
        sending.join().expect("the message was sent");
        drop((task, polled));
        drops.assert_all_dropped();
    }
}

/// Runs its actions when its thread ends.
struct AtEnd(RefCell<Vec<Box<dyn FnOnce()>>>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        self.0.get_mut().drain(..).for_each(|action| action());
    }
}

thread_local! {
    static EARLY: AtEnd = const { AtEnd(RefCell::new(Vec::new())) };
    static LATE: AtEnd = const { AtEnd(RefCell::new(Vec::new())) };
}

/// Runs the action in a thread, and twice in the destructors of its locals: of one that is used before the
/// library's own, and of one that is used after them. On most systems the one is dropped after the library's
/// own, the other before.
pub(super) fn at_the_end_of_a_thread(action: impl Fn() + Clone + Send + 'static) {
    let running = thread::spawn(move || {
        EARLY.with(|it| it.0.borrow_mut().push(Box::new(action.clone())));
        action();
        LATE.with(|it| it.0.borrow_mut().push(Box::new(action)));
    });
    running.join().expect("the destructors do not panic");
}

/// The destructors of a thread's locals use channels together with another thread.
pub fn in_destructors_of_a_thread<F: Flavor<Receiver: TaskReceiver>>() {
    let drops = DropCounter::new();
    let source = drops.clone();
    // On Windows no thread begins or ends while such a destructor runs.
    let (started, is_started) = channel();
    let (hand, handed) = channel::<(F::Receiver, F::Sender)>();
    let other = thread::spawn(move || {
        started.send(()).expect("the test waits for it");
        while let Ok((mut from_here, mut back)) = handed.recv() {
            let message = from_here.recv().expect("a message was sent");
            assert!(back.send(message).is_ok());
        }
    });
    is_started.recv().expect("it has started");
    at_the_end_of_a_thread(move || {
        let ((mut there, from_here), (back, mut from_there)) = (F::channel(), F::channel());
        hand.send((from_here, back)).expect("it waits for its ends");
        assert!(there.send(source.make(1)).is_ok());
        assert_eq!(from_there.recv().expect("it comes back").number, 1);
        assert!(from_there.recv().is_none());
        let (sender, receiver) = F::channel();
        let task = begun(task::<F>(receiver), &WakeCounter::new().1);
        drop((sender, task));
    });
    other.join().expect("it does not panic");
    assert_eq!(drops.made(), 3);
    drops.assert_all_dropped();
}
