//! The stages that are described so far, as a function that starts them. Its argument says where their items
//! go.

use super::edge::{Distribution, Sender, edge, edge_to_one};
use super::gathering;
use super::input::Input;
use super::joined::{gather_region, join_point, join_region};
use super::output::{Output, Weigh};
use super::permits::{EarlyReleaser, Permits, Releaser, permits};
use super::receiver::Receiver;
use super::stage_info::StageInfo;
use super::stamps::Stamps;
use super::threads::Threads;
use crate::measure::probe::QueueDepth;
use crate::stage::Stage;
use crate::sync::{Arc, Lock};
use pipes::stream;

/// Starts an ordered point and all stages before it.
type StartPoint<T> = Box<dyn FnOnce(&Threads, Output<T>) + Send>;

/// Starts the last stage of a region and all stages before it. A region inside a farm has no window of its
/// own.
type StartRegion<T> = Box<dyn FnOnce(&Threads, Sender<T>, Option<Window>) + Send>;

/// The window of a region: its permits, and the stamps of the items in it.
pub(crate) struct Window {
    permits: Permits,
    stamps: Stamps,
    /// Releases the permits of items that become nothing. `None` if the end of the region needs the tags of
    /// all items.
    early_releaser: Option<EarlyReleaser>,
}

impl Window {
    /// Creates the window of a region, and what the end of the region needs: the releaser of the permits, and
    /// the stamps. If `is_early`, replicas may release the permits of items that become nothing.
    fn new(threads: &Threads, is_early: bool) -> (Window, Releaser, Stamps) {
        let ((releaser, permits), stamps) = (permits(threads.setting().room), Stamps::new(threads));
        // The end of the region removes the stamp of each item.
        let early_releaser = (is_early && !threads.keeps_stamps()).then(|| releaser.early());
        let window = Window { permits, stamps: stamps.clone(), early_releaser };
        (window, releaser, stamps)
    }

    /// Returns, for each replica of a stage, what releases the permits of items that become nothing.
    pub(crate) fn early_releasers(window: &mut Option<Window>, replicas: usize) -> Vec<Option<Releaser>> {
        match window.as_mut().and_then(|window| window.early_releaser.as_mut()) {
            Some(early_releaser) => early_releaser.split(replicas).into_iter().map(Some).collect(),
            None => (0..replicas).map(|_| None).collect(),
        }
    }
}

/// The receiver of a farm's replica. It is put here before the replica is started.
type Share<T> = Arc<Lock<Option<Receiver<T>>>>;

/// The stages that are described so far.
pub(crate) enum Upstream<T> {
    /// The last stage is an ordered point: it processes one item at a time, in an order that it keeps or
    /// defines.
    Point(StartPoint<T>),
    /// The last stage has this number of replicas, or takes the items in the order in which replicas complete
    /// them.
    Region(usize, StartRegion<T>),
    /// No stage yet: this is a replica of a farm, which gets its items when it is started.
    Share(Share<T>),
}

impl<T: Send + 'static> Upstream<T> {
    pub(crate) fn point(start: impl FnOnce(&Threads, Output<T>) + Send + 'static) -> Self {
        Upstream::Point(Box::new(start))
    }

    pub(crate) fn region(
        replicas: usize,
        start: impl FnOnce(&Threads, Sender<T>, Option<Window>) + Send + 'static,
    ) -> Self {
        Upstream::Region(replicas, Box::new(start))
    }

    pub(crate) fn is_share(&self) -> bool {
        matches!(self, Upstream::Share(_))
    }

    /// Lets the thread of the last stage run this one, too.
    ///
    /// # Panics
    ///
    /// Panics if there is no stage yet.
    pub(crate) fn joined<S>(self, info: StageInfo, stage: S) -> Upstream<S::Out>
    where
        S: Stage<T, Out: Send> + Send + 'static,
        S::Out: 'static,
    {
        match self {
            Upstream::Point(start) => Upstream::point(move |threads, output| {
                start(threads, join_point(threads, &info, stage, output));
            }),
            Upstream::Region(senders, start) => Upstream::region(senders, move |threads, sender, window| {
                start(threads, join_region(threads, &info, stage, sender), window);
            }),
            Upstream::Share(_) => unreachable!("the first stage of a part has a thread"),
        }
    }

    /// Takes the size of each item from this function, which an ordered point calls before it sends the item.
    /// In a region, this does nothing.
    pub(crate) fn weighed(self, weigh: Weigh<T>) -> Self {
        let Upstream::Point(start) = self else { return self };
        Upstream::point(move |threads, output| {
            // A later limit may be one of items.
            let is_weighed = threads.setting().is_weighed;
            start(threads, if is_weighed { output.weighed(weigh) } else { output });
        })
    }

    /// Ends a region without order here. Its replicas send their items to what comes next.
    pub(crate) fn gathered(self) -> Self {
        let Upstream::Region(_, start) = self else { return self };
        Upstream::point(move |threads, output| {
            let (window, releaser, stamps) = Window::new(threads, true);
            let sender = gather_region(threads, output, releaser, stamps);
            start(threads, sender, Some(window));
        })
    }

    /// Returns the number of threads that send items to the next stage.
    pub(crate) fn senders(&self) -> usize {
        if let Upstream::Region(senders, _) = self { *senders } else { 1 }
    }

    /// Starts the stages. They send their items to a stage of a region.
    pub(crate) fn start(self, threads: &Threads, sender: Sender<T>, window: Option<Window>) {
        match self {
            Upstream::Point(start) => {
                let Window { permits, stamps, .. } =
                    window.expect("a point begins its region, so it is given the region's window");
                start(threads, Output::region(sender, permits, stamps));
            }
            Upstream::Region(_, start) => start(threads, sender, window),
            Upstream::Share(_) => unreachable!("a farm adds a stage to a replica that has none"),
        }
    }

    /// Starts the stages, the last of which must be an ordered point.
    pub(crate) fn start_point(self, threads: &Threads, output: Output<T>) {
        let Upstream::Point(start) = self else {
            unreachable!("each source of a merge is a point: the others were gathered")
        };
        start(threads, output);
    }

    /// Starts the stages, and returns a receiver for each replica of the next stage.
    pub(crate) fn receivers(
        self,
        threads: &Threads,
        queue: Option<QueueDepth>,
        distribution: Distribution<T>,
        window: Option<Window>,
    ) -> Vec<Receiver<T>> {
        if let Upstream::Share(share) = self {
            let receiver = share.lock().take();
            return receiver
                .expect("the farm puts the receiver into the share before it starts the replica")
                .split(distribution.replicas);
        }
        let (sender, receivers) = edge(self.senders(), distribution);
        self.start(threads, sender.counted(queue), window);
        receivers
    }

    /// Starts the stages, and returns an input for each replica of the next stage, at which the region ends.
    pub(crate) fn gather_inputs(
        self,
        threads: &Threads,
        queue: Option<QueueDepth>,
        distribution: Distribution<T>,
    ) -> Vec<gathering::GatherInput<T>> {
        let (mut window, releaser, stamps) = Window::new(threads, true);
        // The replicas at the end share the permits that may be pending with those before.
        let mut early_releaser = window.early_releaser.take().unwrap_or_else(|| releaser.early());
        let releasers = early_releaser.split(distribution.replicas);
        window.early_releaser = (!threads.keeps_stamps()).then_some(early_releaser);
        let receivers = self.receivers(threads, queue, distribution, Some(window));
        let parts = receivers.into_iter().zip(releasers);
        parts
            .map(|(receiver, releaser)| gathering::GatherInput::new(receiver, releaser, stamps.clone()))
            .collect()
    }

    /// Starts the stages, and returns the input of the next stage, which processes one item at a time, or of
    /// the sink.
    pub(crate) fn input(self, threads: &Threads, queue: Option<QueueDepth>, in_order: bool) -> Input<T> {
        match self {
            Upstream::Point(start) => {
                let ((chan, port), (releaser, permits)) = (stream(), permits(threads.setting().room));
                let stamps = Stamps::new(threads);
                start(threads, Output::direct(chan, permits, stamps.clone()).counted(queue));
                Input::direct(port, releaser, stamps)
            }
            Upstream::Region(senders, start) => {
                let (sender, port) = edge_to_one(senders);
                let (window, releaser, stamps) = Window::new(threads, !in_order);
                start(threads, sender.counted(queue), Some(window));
                Input::region(port, releaser, stamps, in_order)
            }
            Upstream::Share(_) => {
                unreachable!("the plan was checked, which refuses to run a share as a pipeline")
            }
        }
    }
}
