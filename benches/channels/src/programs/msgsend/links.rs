//! The server, the workers and the main thread, over any library's channels.

use std::io;
use std::sync::mpsc;

use tokio::sync::oneshot;

use super::{BYTES, Msgsend, Request};
use crate::merge::{BlockingMerge, TaskMerge};
use pipes_benches::executor::{Executor, Tasks, Threads, two_threads};
use pipes_benches::links::{BlockingChan, Closed, TaskChan};

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("links.rs");

/// Messages that a worker task sends before it yields.
const RUN: u64 = 256;

/// The state of the server.
#[derive(Default)]
struct Server {
    count: u64,
    asked: bool,
}

impl Server {
    #[inline]
    fn take(&mut self, request: Request) {
        match request {
            Request::Bytes(bytes) => self.count += bytes,
            Request::GetCount => self.asked = true,
        }
    }

    /// The answer, if it was requested.
    fn answer(&self) -> Option<u64> {
        self.asked.then_some(self.count)
    }
}

/// Runs the server and each worker on a thread; this thread asks for the count. The last chan is this
/// thread's.
pub fn on_threads<C, M>(msgsend: &Msgsend, (mut chans, merge): (Vec<C>, M)) -> io::Result<u64>
where
    C: BlockingChan<Request>,
    M: BlockingMerge<Request>,
{
    let each = msgsend.messages / msgsend.workers;
    let (reply, answer) = mpsc::channel();
    let serve = move || {
        let mut server = Server::default();
        merge.take_all(|request| server.take(request));
        server.answer().map(|count| mpsc::Sender::send(&reply, count))
    };
    let ask = move || {
        let own = chans.pop();
        let mut workers = Threads::with_capacity(chans.len());
        for chan in chans {
            workers.start(move || work(each, chan))?;
        }
        // If a send fails, the verification finds what is missing.
        workers.join().for_each(drop);
        own.and_then(|mut own| own.send(Request::GetCount).ok());
        Ok(answer.recv().unwrap_or(0))
    };
    let (count, _) = two_threads(ask, serve)?;
    count
}

fn work<C: BlockingChan<Request>>(messages: u64, mut chan: C) -> Result<(), Closed> {
    (0..messages).try_for_each(|_| chan.send(Request::Bytes(BYTES)))
}

/// Runs the server, each worker, and the party that asks for the count as tasks. The last chan is that
/// party's.
pub fn on_tasks<C, M>(
    msgsend: &Msgsend,
    executor: &Executor,
    (mut chans, merge): (Vec<C>, M),
) -> io::Result<u64>
where
    C: TaskChan<Request>,
    M: TaskMerge<Request>,
{
    let each = msgsend.messages / msgsend.workers;
    let (reply, answer) = oneshot::channel();
    let serve = async move {
        let mut server = Server::default();
        merge.take_all(|request| server.take(request)).await;
        server.answer().map(|count| reply.send(count))
    };
    let ask = async move {
        let own = chans.pop();
        // If a send fails, the verification finds what is missing.
        Tasks::start(chans.into_iter().map(|chan| work_task(each, chan))).join().await;
        if let Some(mut own) = own {
            let _ = own.send(Request::GetCount).await;
        }
        answer.await.unwrap_or(0)
    };
    let (count, _) = executor.both(ask, serve);
    Ok(count)
}

async fn work_task<C: TaskChan<Request>>(messages: u64, mut chan: C) -> Result<(), Closed> {
    for sent in 1..=messages {
        chan.send(Request::Bytes(BYTES)).await?;
        if sent % RUN == 0 {
            tokio::task::yield_now().await;
        }
    }
    Ok(())
}
