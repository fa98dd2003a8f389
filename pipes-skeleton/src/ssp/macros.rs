//! The macros of the notation.

/// Builds a pipeline of the stages, and starts it; see [`ssp`](crate::ssp).
///
/// # Panics
///
/// Panics if a stage has more than 65,536 replicas.
#[doc(hidden)]
#[macro_export]
macro_rules! pipeline {
    ($first:expr $(, $rest:expr)* $(,)?) => {
        $crate::ssp::start(|items| $crate::__pipeline!(items, $first $(, $rest)*))
    };
}

/// The stages of [`pipeline!`], one by one.
#[doc(hidden)]
#[macro_export]
macro_rules! __pipeline {
    ($items:expr, $last:expr) => { $crate::ssp::into($items, $last) };
    ($items:expr, $first:expr, $($rest:expr),+) => {
        $crate::__pipeline!($crate::ssp::through($items, $first), $($rest),+)
    };
}

/// A stage of [`pipeline!`](crate::pipeline!) with this number of replicas, each made by evaluating the
/// expression.
///
/// # Panics
///
/// Panics if the number of replicas is 0 or negative.
#[doc(hidden)]
#[macro_export]
macro_rules! parallel {
    ($stage:expr, $replicas:expr $(,)?) => {
        $crate::ssp::Described::parallel(move || $stage, $replicas)
    };
}

/// A stage of [`pipeline!`](crate::pipeline!) that processes one item at a time, in the order in which they
/// come.
#[doc(hidden)]
#[macro_export]
macro_rules! sequential {
    ($stage:expr $(,)?) => {
        $crate::ssp::Described::sequential(move || $stage, false)
    };
}

/// A stage of [`pipeline!`](crate::pipeline!) that processes one item at a time, in the order of the source.
#[doc(hidden)]
#[macro_export]
macro_rules! sequential_ordered {
    ($stage:expr $(,)?) => {
        $crate::ssp::Described::sequential(move || $stage, true)
    };
}

/// The last stage of [`pipeline!`](crate::pipeline!) if it only collects, in the order in which items come.
#[doc(hidden)]
#[macro_export]
macro_rules! collect {
    () => {
        $crate::sequential!(move |item: _| item)
    };
}

/// The last stage of [`pipeline!`](crate::pipeline!) if it only collects, in the order of the source.
#[doc(hidden)]
#[macro_export]
macro_rules! collect_ordered {
    () => {
        $crate::sequential_ordered!(move |item: _| item)
    };
}
