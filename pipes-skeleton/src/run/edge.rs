//! The edges of a region: channels from the replicas of one stage to those of the next.

use super::receiver::Receiver;
use crate::envelope::{Envelope, Group};
use crate::measure::probe::{QueueDepth, move_items};
use pipes::{Chan, Port, SendError, SharedChan, shared_stream, stream};

/// Chooses the replica for an item, given the item and the number of replicas. The result is taken modulo the
/// number of replicas. It is `None` if user code has panicked, which ends the pipeline.
pub(crate) type Router<T> = Box<dyn FnMut(&T, usize) -> Option<usize> + Send>;

/// How items are distributed among the replicas of a stage.
pub(crate) struct Distribution<T> {
    pub(crate) replicas: usize,
    /// `None` if any free replica takes the next item.
    pub(crate) router: Option<Router<T>>,
}

/// The sending end of an edge. A replica, or the first stage of a region, sends its envelopes to it.
pub(crate) enum Sender<T> {
    /// The edge has one sender.
    Sole(Chan<Envelope<T>>),
    /// The edge has several senders.
    Shared(SharedChan<Envelope<T>>),
    /// The edge has one sender, which chooses the replica for each item.
    Routed(Vec<Chan<Envelope<T>>>, Router<T>),
    /// Something else is done with each envelope.
    Custom(Box<dyn CustomSender<T>>),
}

/// A sender that counts its items.
struct Counted<T> {
    sender: Sender<T>,
    queue: QueueDepth,
}

impl<T: Send + 'static> CustomSender<T> for Counted<T> {
    fn send(&mut self, envelope: Envelope<T>) -> Result<(), Envelope<T>> {
        move_items(Some(&self.queue), envelope.items.len() as i64);
        self.sender.send(envelope)
    }

    fn duplicate(&self) -> Box<dyn CustomSender<T>> {
        Box::new(Counted { sender: self.sender.duplicate(), queue: self.queue.clone() })
    }
}

/// A sender with a behaviour of its own.
pub(crate) trait CustomSender<T>: Send {
    /// Sends an envelope. Returns it if the receivers are gone.
    fn send(&mut self, envelope: Envelope<T>) -> Result<(), Envelope<T>>;

    /// Creates a sender of the same edge for another replica.
    fn duplicate(&self) -> Box<dyn CustomSender<T>>;
}

/// Creates an edge from `senders` threads to the replicas of the next stage.
pub(crate) fn edge<T>(senders: usize, distribution: Distribution<T>) -> (Sender<T>, Vec<Receiver<T>>) {
    if let Some(router) = distribution.router {
        let (chans, ports): (Vec<_>, Vec<_>) = (0..distribution.replicas).map(|_| stream()).unzip();
        return (Sender::Routed(chans, router), ports.into_iter().map(Receiver::Sole).collect());
    }
    let (sender, port) = edge_to_one(senders);
    (sender, Receiver::Sole(port).split(distribution.replicas))
}

/// Creates an edge from `senders` threads to a stage with one thread.
pub(crate) fn edge_to_one<T>(senders: usize) -> (Sender<T>, Port<Envelope<T>>) {
    if senders == 1 {
        let (chan, port) = stream();
        (Sender::Sole(chan), port)
    } else {
        let (chan, port) = shared_stream();
        (Sender::Shared(chan), port)
    }
}

/// Creates an edge from any number of threads, including those of later stages, to the replicas of a stage.
pub(crate) fn shared_edge<T>() -> (SharedChan<Envelope<T>>, Receiver<T>) {
    let (chan, port) = shared_stream();
    (chan, Receiver::Sole(port))
}

impl<T: Send + 'static> Sender<T> {
    /// Counts the items if the pipeline is measured.
    pub(crate) fn counted(self, queue: Option<QueueDepth>) -> Self {
        match queue {
            None => self,
            Some(queue) => Sender::Custom(Box::new(Counted { sender: self, queue })),
        }
    }
}

impl<T> Sender<T> {
    /// Splits the sender into one for each of `replicas` replicas.
    pub(crate) fn split(self, replicas: usize) -> Vec<Sender<T>> {
        let mut senders: Vec<_> = (1..replicas).map(|_| self.duplicate()).collect();
        senders.push(self);
        senders
    }

    /// Creates a sender of the same edge for another replica.
    pub(crate) fn duplicate(&self) -> Sender<T> {
        match self {
            Sender::Shared(chan) => Sender::Shared(chan.clone()),
            Sender::Custom(custom) => Sender::Custom(custom.duplicate()),
            Sender::Sole(_) | Sender::Routed(..) => {
                unreachable!("a sender for several replicas is made shared or custom")
            }
        }
    }

    /// Sends an envelope. Returns it if the receivers are gone. This never waits, because permits limit the
    /// number of envelopes.
    #[inline]
    pub(crate) fn send(&mut self, envelope: Envelope<T>) -> Result<(), Envelope<T>> {
        let sent = match self {
            Sender::Sole(chan) => chan.send(envelope),
            Sender::Shared(chan) => chan.send(envelope),
            Sender::Routed(chans, router) => return send_routed(chans, router, envelope),
            Sender::Custom(custom) => return custom.send(envelope),
        };
        sent.map_err(SendError::into_payload)
    }
}

/// Sends an envelope to the replica that the router chooses.
///
/// The envelope stays where it is until it is sent, and this is not inlined. If it was moved before, it would
/// be copied in parts, and the processor would stall.
#[inline(never)]
fn send_routed<T>(
    chans: &mut [Chan<Envelope<T>>],
    router: &mut Router<T>,
    envelope: Envelope<T>,
) -> Result<(), Envelope<T>> {
    match route(router, &envelope, chans.len()) {
        Some(replica) => chans[replica].send(envelope).map_err(SendError::into_payload),
        None => Err(envelope),
    }
}

/// Returns the replica for an envelope, or `None` if user code has panicked.
#[inline]
fn route<T>(router: &mut Router<T>, envelope: &Envelope<T>, replicas: usize) -> Option<usize> {
    let replica = match &envelope.items {
        Group::One(item) => router(item, replicas)?,
        Group::None | Group::Many(_) => {
            unreachable!("items are routed before another stage of the region, so each envelope has one")
        }
    };
    // A division takes longer than a comparison, and most routers return the number of a replica.
    Some(if replica < replicas { replica } else { replica % replicas })
}
