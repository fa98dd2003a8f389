//! Receives of tasks, on executors that poll a task only after it was woken.

use super::flavor::{Flavor, Receiver, Sender, TaskReceiver};
use crate::{DropCounter, Tasks, effort, spawn};
use futures::executor::block_on;

/// Many tasks of one thread wait, each at its own channel. Each is woken by its message and by its close.
pub fn many_tasks_of_one_thread<F: Flavor<Receiver: TaskReceiver>>() {
    for spurious in [false, true] {
        let (drops, tasks) = (DropCounter::new(), Tasks::new());
        if spurious {
            tasks.poll_spuriously(7);
        }
        let sending: Vec<_> = (0..8)
            .map(|number| {
                let (mut sender, mut receiver) = F::channel();
                tasks.spawn("a receiver", async move {
                    assert_eq!(receiver.recv_async().await.expect("a message was sent").number, number);
                    assert!(receiver.recv_async().await.is_none());
                });
                let message = drops.make(number);
                spawn(move || assert!(sender.send(message).is_ok()))
            })
            .collect();
        tasks.run();
        sending.into_iter().for_each(|sending| sending.join().expect("the message was sent"));
        drops.assert_all_dropped();
    }
}

/// A task blocks its thread until there is a message, and then waits as a task again. Both kinds of waits use
/// the token of the thread's `unpark`.
pub fn blocking_receive_in_a_task<F: Flavor<Receiver: TaskReceiver>>() {
    let (drops, source) = (DropCounter::new(), DropCounter::new());
    let (asking, asked) = std::sync::mpsc::channel::<F::Sender>();
    let serving = spawn(move || {
        for (number, mut sender) in asked.into_iter().enumerate() {
            assert!(sender.send(source.make(number as u64)).is_ok());
        }
    });
    block_on(async {
        for number in 0..effort(200) as u64 {
            let (sender, mut receiver) = F::channel();
            asking.send(sender).expect("it serves");
            let message = if number % 2 == 0 { receiver.recv() } else { receiver.recv_async().await };
            assert_eq!(message.expect("it is served").number, number);
        }
    });
    drop(asking);
    serving.join().expect("all was served");
    drops.assert_all_dropped();
}
