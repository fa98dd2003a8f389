//! Where the stages of a pipeline are: in the whole of it, or in a part.

/// Where the stages of a [`Pipeline`](crate::Pipeline) are: a [`Whole`] pipeline, or a [`Part`] of one.
pub trait Place: sealed::Sealed + 'static {}

/// A whole pipeline, which sees all items.
#[derive(Debug)]
pub enum Whole {}

/// A part of a pipeline, inside of a [`farm`](crate::Pipeline::farm) or a
/// [`feedback`](crate::Pipeline::feedback).
///
/// It sees a share of the items. So it cannot restore their order, combine them, or end the pipeline: the
/// whole pipeline does that after the farm.
///
/// ```compile_fail,E0599
/// # use pipes_skeleton::from_iter;
/// from_iter(0..9).farm(2, |part| part.sequential(|number| number + 1).in_order());
/// ```
#[derive(Debug)]
pub enum Part {}

impl Place for Whole {}
impl Place for Part {}

impl sealed::Sealed for Whole {}
impl sealed::Sealed for Part {}

mod sealed {
    pub trait Sealed {}
}
