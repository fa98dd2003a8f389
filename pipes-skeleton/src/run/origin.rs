//! A pipeline before it runs: a function that starts all stages described so far, when it gets the place
//! where their items go.

use super::crew::Crew;
use super::front::Inlet;
use super::lane::{Demand, Lane, lane, lane_to_one};
use super::outlet::Outlet;
use super::places::{Debts, Places, Refund, places};
use super::station::Limits;
use super::supply::Supply;
use crate::measure::probe::QueueDepth;
use crate::measure::stamps::Stamps;
use crate::sync::{Arc, Lock};
use pipes::stream;

/// Starts an ordered point and all stages before it.
type StartPoint<T> = Box<dyn FnOnce(&Crew, Outlet<T>) + Send>;

/// Starts the last stage of a region and all stages before it. The room is that of the region's window. A
/// region inside a farm has none of its own.
type StartRegion<T> = Box<dyn FnOnce(&Crew, Lane<T>, Option<Room>) + Send>;

/// The places of a window, and the moments at which the items in them left the source.
pub(crate) struct Room {
    places: Places,
    stamps: Stamps,
    /// The way back for the places of items that become nothing, unless the end of the region needs the
    /// numbers of all items.
    refund: Option<Refund>,
}

impl Room {
    /// Returns what a stage needs to give back the places of items that become nothing, for each of its
    /// replicas.
    pub(crate) fn refunds(room: &mut Option<Room>, replicas: usize) -> Vec<Option<Debts>> {
        match room.as_mut().and_then(|room| room.refund.as_mut()) {
            Some(refund) => refund.split(replicas).into_iter().map(Some).collect(),
            None => (0..replicas).map(|_| None).collect(),
        }
    }
}

/// The place in which a replica of a farm finds its inlet.
type Share<T> = Arc<Lock<Option<Inlet<T>>>>;

/// All stages that are described so far.
pub(crate) enum Origin<T> {
    /// The last stage processes one item after the other, in an order that it defines or keeps.
    Point(StartPoint<T>),
    /// The last stage has this number of replicas, or processes the items in the order in which they come
    /// from such a stage.
    Region(usize, StartRegion<T>),
    /// There are none: this is a replica of a farm, which gets its items when it is started.
    Share(Share<T>),
}

impl<T: Send + 'static> Origin<T> {
    pub(crate) fn point(start: impl FnOnce(&Crew, Outlet<T>) + Send + 'static) -> Self {
        Origin::Point(Box::new(start))
    }

    pub(crate) fn region(
        replicas: usize,
        start: impl FnOnce(&Crew, Lane<T>, Option<Room>) + Send + 'static,
    ) -> Self {
        Origin::Region(replicas, Box::new(start))
    }

    pub(crate) fn is_share(&self) -> bool {
        matches!(self, Origin::Share(_))
    }

    /// Returns the number of threads that hand items over to the next stage.
    pub(crate) fn senders(&self) -> usize {
        if let Origin::Region(senders, _) = self { *senders } else { 1 }
    }

    /// Starts the stages, which hand their items over to a region.
    pub(crate) fn start(self, crew: &Crew, lane: Lane<T>, room: Option<Room>) {
        match self {
            Origin::Point(start) => {
                let Room { places, stamps, .. } =
                    room.expect("a point begins its region, so it is given the region's places");
                start(crew, Outlet::region(lane, places, stamps));
            }
            Origin::Region(_, start) => start(crew, lane, room),
            Origin::Share(_) => unreachable!("a farm gives a replica without stages one"),
        }
    }

    /// Starts an ordered point.
    pub(crate) fn start_point(self, crew: &Crew, outlet: Outlet<T>) {
        let Origin::Point(start) = self else {
            unreachable!("each source of a merge is a point: the others were gathered")
        };
        start(crew, outlet);
    }

    /// Starts the stages, and returns an inlet for each replica of the next stage of the region.
    pub(crate) fn inlets(
        self,
        crew: &Crew,
        queue: Option<QueueDepth>,
        demand: Demand<T>,
        room: Option<Room>,
    ) -> Vec<Inlet<T>> {
        if let Origin::Share(share) = self {
            let inlet = share.lock().take();
            return inlet
                .expect("the farm puts the inlet into the share before it starts the replica")
                .split(demand.replicas);
        }
        let (lane, inlets) = lane(self.senders(), demand);
        self.start(crew, lane.counted(queue), room);
        inlets
    }

    /// Starts the stages, and returns their items for a stage or a sink that processes one item after the
    /// other.
    pub(crate) fn supply(self, crew: &Crew, queue: Option<QueueDepth>, limits: Limits) -> Supply<T> {
        let is_measured = crew.metrics().is_some();
        match self {
            Origin::Point(start) => {
                let ((chan, port), (debts, places)) = (stream(), places(limits.room));
                let stamps = Stamps::new(is_measured);
                start(crew, Outlet::direct(chan, places, stamps.clone()).counted(queue));
                Supply::direct(port, debts, stamps)
            }
            Origin::Region(senders, start) => {
                let ((lane, port), (debts, places)) = (lane_to_one(senders), places(limits.window));
                let stamps = Stamps::new(is_measured);
                // In a measured pipeline, the end takes the stamp of each item out of the stamps.
                let refund = (!limits.in_order && !is_measured).then(|| debts.refund());
                let room = Room { places, stamps: stamps.clone(), refund };
                start(crew, lane.counted(queue), Some(room));
                Supply::region(port, debts, stamps, limits.in_order)
            }
            Origin::Share(_) => {
                unreachable!("a share that is run as a pipeline was refused when the plan was checked")
            }
        }
    }
}
