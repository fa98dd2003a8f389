//! Lanes from the replicas of one stage of a region to those of the next.

use super::front::Inlet;
use crate::envelope::{Envelope, Group};
use crate::measure::probe::{QueueDepth, move_items};
use pipes::{Chan, Port, SendError, SharedChan, shared_stream, stream};

/// A function of the item and the number of replicas that chooses the replica for an item. Its result is
/// taken modulo the number of replicas. `None` means that it has panicked, and the pipeline ends.
pub(crate) type Deal<T> = Box<dyn FnMut(&T, usize) -> Option<usize> + Send>;

/// What a stage needs from the one before it: items for this number of replicas, either dealt out or for any
/// replica that is free.
pub(crate) struct Demand<T> {
    pub(crate) replicas: usize,
    pub(crate) deal: Option<Deal<T>>,
}

/// The lane to which a replica, or the source of a region, sends its items.
pub(crate) enum Lane<T> {
    /// There is one sender.
    Sole(Chan<Envelope<T>>),
    /// There are several senders.
    Shared(SharedChan<Envelope<T>>),
    /// There is one sender, which chooses the replica for each item.
    Dealt(Vec<Chan<Envelope<T>>>, Deal<T>),
    /// Items go through a passage.
    Through(Box<dyn Passage<T>>),
}

/// A lane whose items are counted.
struct Counted<T> {
    lane: Lane<T>,
    queue: QueueDepth,
}

impl<T: Send + 'static> Passage<T> for Counted<T> {
    fn send(&mut self, envelope: Envelope<T>) -> Result<(), Envelope<T>> {
        move_items(Some(&self.queue), envelope.items.len() as i64);
        self.lane.send(envelope)
    }

    fn another(&self) -> Box<dyn Passage<T>> {
        Box::new(Counted { lane: self.lane.another(), queue: self.queue.clone() })
    }
}

/// A passage, which does something with the items on their way.
pub(crate) trait Passage<T>: Send {
    /// Hands an envelope over. Returns it if the receivers have left.
    fn send(&mut self, envelope: Envelope<T>) -> Result<(), Envelope<T>>;

    /// Creates another one of this kind, for another replica.
    fn another(&self) -> Box<dyn Passage<T>>;
}

/// Creates a lane from this number of replicas to those of the next stage.
pub(crate) fn lane<T>(senders: usize, demand: Demand<T>) -> (Lane<T>, Vec<Inlet<T>>) {
    if let Some(deal) = demand.deal {
        let (chans, ports): (Vec<_>, Vec<_>) = (0..demand.replicas).map(|_| stream()).unzip();
        return (Lane::Dealt(chans, deal), ports.into_iter().map(Inlet::Sole).collect());
    }
    let (lane, port) = lane_to_one(senders);
    (lane, Inlet::Sole(port).split(demand.replicas))
}

/// Creates a lane from this number of replicas to a stage with one thread.
pub(crate) fn lane_to_one<T>(senders: usize) -> (Lane<T>, Port<Envelope<T>>) {
    if senders == 1 {
        let (chan, port) = stream();
        (Lane::Sole(chan), port)
    } else {
        let (chan, port) = shared_stream();
        (Lane::Shared(chan), port)
    }
}

/// Creates a lane from any number of replicas, also of later stages, to the replicas of one stage.
pub(crate) fn shared_lane<T>() -> (SharedChan<Envelope<T>>, Inlet<T>) {
    let (chan, port) = shared_stream();
    (chan, Inlet::Sole(port))
}

impl<T: Send + 'static> Lane<T> {
    /// Counts the lane's items, if they are measured.
    pub(crate) fn counted(self, queue: Option<QueueDepth>) -> Self {
        match queue {
            None => self,
            Some(queue) => Lane::Through(Box::new(Counted { lane: self, queue })),
        }
    }
}

impl<T> Lane<T> {
    /// Splits the lane into one for each of this number of replicas.
    pub(crate) fn split(self, replicas: usize) -> Vec<Lane<T>> {
        let mut lanes: Vec<_> = (1..replicas).map(|_| self.another()).collect();
        lanes.push(self);
        lanes
    }

    /// Creates another one of this kind, for another replica.
    pub(crate) fn another(&self) -> Lane<T> {
        match self {
            Lane::Shared(chan) => Lane::Shared(chan.clone()),
            Lane::Through(passage) => Lane::Through(passage.another()),
            Lane::Sole(_) | Lane::Dealt(..) => {
                unreachable!("a lane for several replicas is made shared or through a passage")
            }
        }
    }

    /// Hands an envelope over. Returns it if the receivers have left. It never waits, because the number of
    /// envelopes is limited where they are made.
    #[inline]
    pub(crate) fn send(&mut self, envelope: Envelope<T>) -> Result<(), Envelope<T>> {
        let sent = match self {
            Lane::Sole(chan) => chan.send(envelope),
            Lane::Shared(chan) => chan.send(envelope),
            Lane::Dealt(chans, deal) => return send_dealt(chans, deal, envelope),
            Lane::Through(passage) => return passage.send(envelope),
        };
        sent.map_err(SendError::into_payload)
    }
}

#[inline]
fn send_dealt<T>(
    chans: &mut [Chan<Envelope<T>>],
    deal: &mut Deal<T>,
    envelope: Envelope<T>,
) -> Result<(), Envelope<T>> {
    let replica = match &envelope.items {
        Group::One(item) => deal(item, chans.len()),
        Group::None | Group::Many(_) => {
            unreachable!("items are dealt before a stage of the region has changed them, so each is one")
        }
    };
    let Some(replica) = replica else { return Err(envelope) };
    let replica = replica % chans.len();
    chans[replica].send(envelope).map_err(SendError::into_payload)
}
