//! The sender and the receivers over any library's channels.

use std::future::Future;
use std::io;
use std::sync::mpsc;

use super::Broadcast;
use pipes_benches::executor::{Executor, Tasks, Threads};
use pipes_benches::harness::Tally;
use pipes_benches::links::Closed;

/// The source of this file, for `list --sloc`.
pub const SOURCE: &str = include_str!("links.rs");

/// Messages that a sending task sends before it yields.
const RUN: u64 = 256;

/// A sending end.
pub trait Chan: Send + 'static {
    /// It waits for receivers that are too slow, and does not overwrite what they have not received.
    const WAITS: bool;

    /// Sends from a thread.
    fn send(&mut self, value: u64) -> Result<(), Closed>;

    /// Sends from a task.
    fn send_async(&mut self, value: u64) -> impl Future<Output = Result<(), Closed>> + Send;
}

/// A receiving end.
pub trait Port: Send + 'static {
    /// Another receiver of the same messages.
    fn another(&self) -> Self;

    /// Receives in a thread. A message that was missed ends it, too.
    fn recv(&mut self) -> Result<u64, Closed>;

    /// Receives in a task. A message that was missed ends it, too.
    fn recv_async(&mut self) -> impl Future<Output = Result<u64, Closed>> + Send;
}

/// The receivers' ends.
fn ports<P: Port>(broadcast: &Broadcast, port: P) -> Vec<P> {
    let mut ports: Vec<_> = (1..broadcast.receivers).map(|_| port.another()).collect();
    ports.push(port);
    ports
}

/// The number of messages after which the sender waits for all receivers.
fn burst<C: Chan>(broadcast: &Broadcast) -> u64 {
    if C::WAITS { u64::MAX } else { broadcast.capacity }
}

/// Runs the sender in this thread, and each receiver in another.
pub fn on_threads<C: Chan, P: Port>(
    broadcast: &Broadcast,
    (mut chan, port): (C, P),
) -> io::Result<Vec<Tally>> {
    let burst = burst::<C>(broadcast);
    let mut receivers = Threads::with_capacity(broadcast.receivers as usize);
    let mut received = Vec::with_capacity(broadcast.receivers as usize);
    for mut port in ports(broadcast, port) {
        let (all, has_all) = mpsc::channel();
        received.push(has_all);
        receivers.start(move || {
            let mut tally = Tally::default();
            for count in 1.. {
                let Ok(value) = port.recv() else { break };
                tally.note_multiple(value, 1);
                if count % burst == 0 && all.send(()).is_err() {
                    break;
                }
            }
            tally
        })?;
    }
    for number in 0..broadcast.messages {
        // If a send fails, the verification finds what is missing.
        if chan.send(number).is_err() {
            break;
        }
        if (number + 1) % burst == 0 {
            received.iter().for_each(|has_all| has_all.recv().unwrap_or_default());
        }
    }
    drop(chan);
    Ok(receivers.join().collect())
}

/// Runs the sender and each receiver as tasks.
pub fn on_tasks<C: Chan, P: Port>(
    broadcast: &Broadcast,
    executor: &Executor,
    (mut chan, port): (C, P),
) -> io::Result<Vec<Tally>> {
    let (burst, messages) = (burst::<C>(broadcast), broadcast.messages);
    let mut received = Vec::with_capacity(broadcast.receivers as usize);
    let receivers: Vec<_> = ports(broadcast, port)
        .into_iter()
        .map(|mut port| {
            let (all, has_all) = tokio::sync::mpsc::unbounded_channel();
            received.push(has_all);
            async move {
                let mut tally = Tally::default();
                for count in 1.. {
                    let Ok(value) = port.recv_async().await else { break };
                    tally.note_multiple(value, 1);
                    if count % burst == 0 && all.send(()).is_err() {
                        break;
                    }
                }
                tally
            }
        })
        .collect();
    let sender = async move {
        for number in 0..messages {
            // If a send fails, the verification finds what is missing.
            if chan.send_async(number).await.is_err() {
                break;
            }
            if (number + 1) % burst == 0 {
                for has_all in &mut received {
                    has_all.recv().await.unwrap_or_default();
                }
            }
            if (number + 1) % RUN == 0 {
                tokio::task::yield_now().await;
            }
        }
    };
    let (tallies, ()) = executor.both(async { Tasks::start(receivers).join().await }, sender);
    Ok(tallies)
}

impl Chan for pipes::BroadcastChan<u64> {
    const WAITS: bool = true;

    fn send(&mut self, value: u64) -> Result<(), Closed> {
        pipes::BroadcastChan::send(self, value).map_err(Closed::from_any)
    }

    async fn send_async(&mut self, value: u64) -> Result<(), Closed> {
        pipes::BroadcastChan::send_async(self, value).await.map_err(Closed::from_any)
    }
}

impl Port for pipes::BroadcastPort<u64> {
    fn another(&self) -> Self {
        self.clone()
    }

    fn recv(&mut self) -> Result<u64, Closed> {
        pipes::BroadcastPort::recv(self).map_err(Closed::from_any)
    }

    async fn recv_async(&mut self) -> Result<u64, Closed> {
        pipes::BroadcastPort::recv_async(self).await.map_err(Closed::from_any)
    }
}

impl Chan for pipes::LaggingChan<u64> {
    const WAITS: bool = false;

    fn send(&mut self, value: u64) -> Result<(), Closed> {
        pipes::LaggingChan::send(self, value).map_err(Closed::from_any)
    }

    async fn send_async(&mut self, value: u64) -> Result<(), Closed> {
        pipes::LaggingChan::send(self, value).map_err(Closed::from_any)
    }
}

impl Port for pipes::LaggingPort<u64> {
    fn another(&self) -> Self {
        self.clone()
    }

    fn recv(&mut self) -> Result<u64, Closed> {
        pipes::LaggingPort::recv(self).map_err(Closed::from_any)?.map_err(Closed::from_any)
    }

    async fn recv_async(&mut self) -> Result<u64, Closed> {
        let received = pipes::LaggingPort::recv_async(self).await;
        received.map_err(Closed::from_any)?.map_err(Closed::from_any)
    }
}

impl Chan for async_broadcast::Sender<u64> {
    const WAITS: bool = true;

    fn send(&mut self, value: u64) -> Result<(), Closed> {
        self.broadcast_blocking(value).map(drop).map_err(Closed::from_any)
    }

    async fn send_async(&mut self, value: u64) -> Result<(), Closed> {
        self.broadcast_direct(value).await.map(drop).map_err(Closed::from_any)
    }
}

impl Port for async_broadcast::Receiver<u64> {
    fn another(&self) -> Self {
        self.clone()
    }

    fn recv(&mut self) -> Result<u64, Closed> {
        self.recv_blocking().map_err(Closed::from_any)
    }

    async fn recv_async(&mut self) -> Result<u64, Closed> {
        self.recv_direct().await.map_err(Closed::from_any)
    }
}

impl Chan for tokio::sync::broadcast::Sender<u64> {
    const WAITS: bool = false;

    fn send(&mut self, value: u64) -> Result<(), Closed> {
        tokio::sync::broadcast::Sender::send(self, value).map(drop).map_err(Closed::from_any)
    }

    async fn send_async(&mut self, value: u64) -> Result<(), Closed> {
        Chan::send(self, value)
    }
}

impl Port for tokio::sync::broadcast::Receiver<u64> {
    fn another(&self) -> Self {
        self.resubscribe()
    }

    fn recv(&mut self) -> Result<u64, Closed> {
        self.blocking_recv().map_err(Closed::from_any)
    }

    async fn recv_async(&mut self) -> Result<u64, Closed> {
        tokio::sync::broadcast::Receiver::recv(self).await.map_err(Closed::from_any)
    }
}
