//! Recording what threads do.

use super::recording::Recording;
use crate::wait::{rings, steps};
use std::time::Instant;

/// Records the steps of all threads as long as it lives; see [`record`].
#[must_use = "dropping it ends the recording and forgets the steps"]
#[derive(Debug)]
pub struct Recorder {
    since: Instant,
}

/// Begins to record: from now on, each thread keeps its last steps in this library, at most
/// `steps_per_thread` of them. Returns `None` while another recorder lives.
///
/// Only with the feature `inspect`. A step takes some hundred nanoseconds longer while it is recorded. Each
/// thread has memory of its own for its steps, which no other thread changes.
///
/// The steps of a thread that has ended stay until the recorder is dropped. At most 1,024 threads are
/// recorded, those that take a step first. A step takes about 100 bytes, so all steps together take at most
/// about `steps_per_thread` times 100 KiB, and the texts of notes. If more than some ten thousand messages
/// are on their way at once, it is not known of all of them who has sent them.
///
/// # What is recorded
///
/// - That a session, a stream or a oneshot is made, and that a side of it is closed. Of several senders or
///   receivers, the last one closes.
/// - Each message that is sent, and each that is received. Of a [`SharedPort`](crate::SharedPort), the
///   receiver is the thread that takes the message out of the stream: it may take several at once, and leave
///   some to other receivers.
/// - That a thread falls asleep, and that it wakes up. A wait that ends before the thread sleeps is not
///   recorded, and neither is that of a task.
/// - What the threads [note](note()).
///
/// The steps of a task are those of the threads that poll it.
///
/// Payloads are not recorded. Neither are the messages of a broadcast, of a watch, and of a stream of
/// capacity 0, and values that a close returns.
///
/// ```
/// use pipes::inspect::{Event, record};
///
/// let recorder = record(100).expect("there is no other recorder");
/// let (chan, port) = pipes::oneshot();
/// chan.send(7_u32).expect("the port is there");
/// assert_eq!(port.recv(), Ok(7));
/// let recording = recorder.stop();
/// # let thread = std::thread::current().id();
/// # let mut recording = recording;
/// # recording.retain_threads(|it| it.id == thread);
/// let Event::Sent { message, .. } = &recording.steps[1].event else {
///     panic!("it was sent")
/// };
/// assert_eq!(message.name, "u32");
/// println!("{}", recording.to_mermaid());
/// ```
pub fn record(steps_per_thread: usize) -> Option<Recorder> {
    let since = Instant::now();
    // It is made only if this one begins: dropping it ends the recording.
    rings::begin(steps_per_thread).then(|| Recorder { since })
}

impl Recorder {
    /// Returns the steps that the threads have kept until now, and goes on to record.
    pub fn recording(&self) -> Recording {
        let (threads, has_more_threads) = rings::look();
        Recording::new(threads, self.since, has_more_threads)
    }

    /// Ends the recording, and returns the steps that the threads have kept.
    pub fn stop(self) -> Recording {
        self.recording()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        rings::end();
    }
}

/// Adds a text of yours to the steps of this thread, such as what is in the message that it sends next. The
/// function is called only while a [`Recorder`] lives.
///
/// Only with the feature `inspect`.
///
/// ```
/// # let order = 7_u32;
/// # let (chan, _port) = pipes::oneshot();
/// pipes::inspect::note(|| format!("orders number {order}"));
/// chan.send(order)?;
/// # Ok::<(), pipes::SendError<u32>>(())
/// ```
// A recorder cannot show payloads by itself. It would have to know at run time that the payload of a step has
// the type for which the user has given it a function. For that a type must be `'static`. Payloads need not
// be, and without their lifetimes, a function for `&'static str` would get one that lives shorter.
pub fn note(text: impl FnOnce() -> String) {
    steps::note(text);
}
