//! The settings of a run.

use crate::measure::metrics::Metrics;

/// The settings of a run. The default is for threads that are not the stages of a pipeline.
#[derive(Default)]
pub(crate) struct Setting {
    /// The stages are measured if there are metrics.
    pub(crate) metrics: Option<Metrics>,
    /// The size of the threads' stacks, or `None` for the default.
    pub(crate) stack_size: Option<usize>,
    /// The number of permits of each region.
    pub(crate) room: usize,
    /// Items need as many permits as their size says.
    pub(crate) is_weighed: bool,
}
