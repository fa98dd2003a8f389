//! Settings of a pipeline's stages: names, limits, cancellation, measurements.

use super::cancel::Cancel;
use super::pipeline::Pipeline;
use super::place::Place;
use crate::failure::BuildError;
use crate::measure::metrics::Metrics;
use crate::run::upstream::Upstream;
use crate::sync::Arc;

impl<T: Send + 'static, P: Place> Pipeline<T, P> {
    /// Names the previous stage, or the source. The name appears in failures and measurements. If a stage is
    /// named several times, the last name counts, for all of its replicas.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let failing = from_iter([0]).sequential(|number: u32| 1 / number).named("divide");
    /// assert_eq!(failing.collect().expect_err("by zero").stage(), "divide");
    /// ```
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.plan.rename(name.into());
        self
    }

    /// Gives the previous stage, or the source, a note. The function is called for each report of
    /// [`Metrics`], and its text is printed below the stage's figures. A note can tell what only the stage
    /// knows, such as the state of a cache or of a connection. If a stage gets several notes, the last one
    /// counts.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    /// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    /// use std::sync::Arc;
    ///
    /// let (metrics, hits) = (Metrics::new(), Arc::new(AtomicU64::new(0)));
    /// let counted = hits.clone();
    /// from_iter(0..100_u64)
    ///     .filter(move |n| n % 10 == 0 && counted.fetch_add(1, Relaxed) < 100)
    ///     .named("pick")
    ///     .noted(move || format!("{} picked", hits.load(Relaxed)))
    ///     .measured(&metrics)
    ///     .for_each(drop)?;
    /// assert_eq!(metrics.report().stages()[1].note(), Some("10 picked"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn noted(mut self, note: impl Fn() -> String + Send + Sync + 'static) -> Self {
        self.plan.annotate(Arc::new(note));
        self
    }
}

/// The settings of a whole pipeline.
impl<T: Send + 'static> Pipeline<T> {
    /// Sets the maximum number of items in the whole pipeline. Without this, each region has room for 256;
    /// see [`Pipeline`].
    ///
    /// Each region gets an equal share, and room for at least one item. The last setting counts. Items that
    /// are done make room for others a quarter of the share at a time. So up to a quarter of the room may be
    /// unused while the end of the region processes an item, and another quarter while stages that drop items
    /// do.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let squares =
    ///     from_iter(1..=100_u64).parallel(2, |number| number * number).in_order().in_flight(8);
    /// assert_eq!(squares.collect()?.len(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_flight(mut self, items: usize) -> Self {
        self.limit("in_flight", items);
        self.plan.is_weighed = false;
        self
    }

    /// Sets the maximum size of the items in the whole pipeline. The function returns the size of an item in
    /// bytes, or in any unit. It is called where the item leaves the source, so call this directly after the
    /// source, or after stages that have joined it, such as [`map`](Pipeline::map).
    ///
    /// What a later stage makes of an item counts with the size of that item, and a batch with the size of
    /// its items. Each region gets an equal share of the limit, also that behind a
    /// [`parallel_gather`](Pipeline::parallel_gather). An item that is larger is alone in its region. The
    /// source makes its next item while others are in the pipeline, and keeps it until there is room: so one
    /// item more is in memory.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let chunks = (0..100).map(|number| vec![number; 1000]);
    /// let sums = from_iter(chunks)
    ///     .in_flight_bytes(32_000, |chunk| size_of_val(chunk.as_slice()))
    ///     .parallel(2, |chunk| chunk.iter().sum::<u64>());
    /// assert_eq!(sums.collect()?.len(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn in_flight_bytes(mut self, bytes: usize, size: impl FnMut(&T) -> usize + Send + 'static) -> Self {
        self.limit("in_flight_bytes", bytes);
        let Pipeline { upstream, mut plan, .. } = self;
        let is_at_source = matches!(upstream, Upstream::Point(_)) && !plan.has_region();
        plan.check_call("in_flight_bytes", is_at_source, BuildError::NotAtSource);
        plan.is_weighed = true;
        Pipeline::new(upstream.weighed(Box::new(size)), plan)
    }

    fn limit(&mut self, function: &str, limit: usize) {
        self.plan.in_flight = Some(limit);
        self.plan.check_call(function, limit > 0, BuildError::NoRoom);
    }

    /// Sets the size of the stacks of the pipeline's threads, in bytes, as
    /// [`std::thread::Builder::stack_size`] does. Default: that of the standard library, 2 MiB unless
    /// `RUST_MIN_STACK` says otherwise. The sink runs in the calling thread, which already has its stack.
    ///
    /// The setting is for all stages, before and after it. The last setting counts. Where pipelines are
    /// combined, as in a [`merge`](super::merge), the largest counts. If the system has no memory
    /// for such a stack, the pipeline fails with [`FailureKind::NoThread`](crate::FailureKind::NoThread).
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let sums = from_iter([0_u8, 1])
    ///     .stack_size(16 << 20)
    ///     .sequential(|byte| [byte; 1 << 18]) // 256 KiB by value
    ///     .sequential(|bytes| bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>());
    /// assert_eq!(sums.collect()?, [0, 1 << 18]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.plan.stack_size = Some(bytes);
        self
    }

    /// Lets `cancel` end the pipeline: at once with [`Cancel::cancel`], or after the items that are in it
    /// with [`Cancel::drain`].
    ///
    /// ```
    /// use pipes_skeleton::{Cancel, from_iter};
    ///
    /// let cancel = Cancel::new();
    /// cancel.cancel();
    /// assert!(from_iter(0..).cancelled_by(&cancel).for_each(drop).is_err());
    /// ```
    pub fn cancelled_by(mut self, cancel: &Cancel) -> Self {
        self.plan.cancelled_by(cancel.clone());
        self
    }

    /// Measures the pipeline with `metrics`. If it gets several, the last ones count. After a
    /// [`merge`](super::merge) without metrics of its own, those of the first pipeline that has any count.
    ///
    /// ```
    /// use pipes_skeleton::{Metrics, from_iter};
    ///
    /// let metrics = Metrics::new();
    /// from_iter(0..10).measured(&metrics).for_each(drop)?;
    /// assert_eq!(metrics.report().items(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn measured(mut self, metrics: &Metrics) -> Self {
        self.plan.measured(metrics.clone());
        self
    }
}
