//! Failures: why a pipeline has ended before its source.

use crate::sync::Lock;
use std::any::Any;
use std::error::Error;
use std::fmt;

/// An error of a stage, of any type.
pub type BoxError = Box<dyn Error + Send + Sync>;

/// Why a pipeline has ended before its source, and which stage was the first to end it.
#[derive(Debug)]
pub struct Failure {
    stage: String,
    kind: FailureKind,
    stuck: Vec<String>,
}

/// What a stage did that ended the pipeline.
#[derive(Debug)]
#[non_exhaustive]
pub enum FailureKind {
    /// The stage panicked.
    Panic(Panic),
    /// The stage returned this error.
    Error(BoxError),
    /// The pipeline was cancelled; no stage failed.
    Cancelled,
    /// The failure was returned by an earlier call.
    Reported,
    /// The system had no thread for the stage.
    NoThread,
    /// The stage waited for the end of its own pipeline, for example by `join` or by dropping the handle.
    WaitsForItself,
    /// The pipeline cannot be run as it was described.
    Build(BuildError),
}

/// What a stage panicked with.
pub struct Panic {
    message: Option<String>,
    /// The lock makes a failure `Sync`.
    payload: Lock<Box<dyn Any + Send>>,
}

/// What is wrong with the description of a pipeline. The failure names the stage. For a wrong argument of a
/// function that adds no stage, such as `farm` or `in_flight`, it names the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// A stage has no replicas, so it would process no items.
    NoReplicas,
    /// A stage has more than 65,536 replicas.
    TooManyReplicas,
    /// The function that describes a farm or a loop has not returned the pipeline that it was given, with
    /// stages added to it.
    NotAPart,
    /// The pipeline has room for no items.
    NoRoom,
    /// Of pipelines that are merged, one is limited in items, and another one in bytes.
    MixedLimits,
    /// The size of items is to be taken where they have already left the source.
    NotAtSource,
    /// A batch has room for no items.
    NoBatch,
}

impl Panic {
    pub(super) fn new(payload: Box<dyn Any + Send>) -> Self {
        let text = payload.downcast_ref::<&str>().copied();
        let message =
            text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).map(str::to_owned);
        Panic { message, payload: Lock::new(payload) }
    }

    /// Returns the panic's message if it is a string.
    ///
    /// ```
    /// use pipes_skeleton::{FailureKind, from_iter};
    ///
    /// let result = from_iter(0..10).sequential(|number| {
    ///     assert!(number != 7, "not seven");
    ///     number
    /// });
    /// let failure = result.named("check").collect().expect_err("a stage panics");
    /// let FailureKind::Panic(panic) = failure.kind() else { unreachable!("it panicked") };
    /// assert_eq!(panic.message(), Some("not seven"));
    /// ```
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Returns the panic's payload, for example for [`resume_unwind`](std::panic::resume_unwind).
    ///
    /// ```
    /// use pipes_skeleton::{FailureKind, from_iter};
    ///
    /// let result = from_iter(0..10).sequential(|number| {
    ///     assert!(number != 7, "not seven");
    ///     number
    /// });
    /// let failure = result.named("check").collect().expect_err("a stage panics");
    /// let FailureKind::Panic(panic) = failure.into_kind() else { unreachable!("it panicked") };
    /// assert!(panic.into_payload().is::<&str>());
    /// ```
    pub fn into_payload(self) -> Box<dyn Any + Send> {
        self.payload.into_inner()
    }
}

impl fmt::Debug for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Panic").field("message", &self.message).finish_non_exhaustive()
    }
}

impl Failure {
    pub(super) fn new(stage: String, kind: FailureKind) -> Self {
        Failure { stage, kind, stuck: Vec::new() }
    }

    /// Adds the names of the stages that are still running.
    pub(super) fn leaving(mut self, stuck: Vec<String>) -> Self {
        self.stuck = stuck;
        self
    }

    /// Returns the name of the first stage that failed. It is empty if the pipeline was cancelled. See
    /// [`BuildError`] for a pipeline that cannot be run as it is described.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let result = from_iter(0..10).sequential(|number| {
    ///     assert!(number != 7, "not seven");
    ///     number
    /// });
    /// let failure = result.named("check").collect().expect_err("a stage panics");
    /// assert_eq!(failure.stage(), "check");
    /// ```
    pub fn stage(&self) -> &str {
        &self.stage
    }

    /// Returns what that stage did.
    ///
    /// ```
    /// use pipes_skeleton::{FailureKind, from_iter};
    /// use std::num::ParseIntError;
    ///
    /// let lines = from_iter(["1", "x"]).try_sequential(|line| line.parse::<u32>());
    /// let failure = lines.collect().expect_err("x is no number");
    /// let FailureKind::Error(error) = failure.kind() else {
    ///     unreachable!("the stage returned an error")
    /// };
    /// assert!(error.is::<ParseIntError>());
    /// ```
    pub fn kind(&self) -> &FailureKind {
        &self.kind
    }

    /// Returns what that stage did, by value, for the payload of a panic or an error.
    ///
    /// ```
    /// use pipes_skeleton::{FailureKind, from_iter};
    ///
    /// let result = from_iter(0..10).sequential(|number| {
    ///     assert!(number != 7, "not seven");
    ///     number
    /// });
    /// let failure = result.named("check").collect().expect_err("a stage panics");
    /// assert!(matches!(failure.into_kind(), FailureKind::Panic(_)));
    /// ```
    pub fn into_kind(self) -> FailureKind {
        self.kind
    }

    /// Returns `true` if the pipeline was cancelled, and no stage failed before that.
    ///
    /// ```
    /// use pipes_skeleton::{Cancel, from_iter};
    ///
    /// let cancel = Cancel::new();
    /// cancel.cancel();
    /// let endless = from_iter(0..).cancelled_by(&cancel);
    /// assert!(endless.for_each(drop).expect_err("it has no end").is_cancelled());
    /// ```
    pub fn is_cancelled(&self) -> bool {
        matches!(self.kind, FailureKind::Cancelled)
    }

    /// Returns the names of the stages that were still running user code when the failure was reported. They
    /// end when that code returns.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let result = from_iter(0..10).sequential(|number| {
    ///     assert!(number != 7, "not seven");
    ///     number
    /// });
    /// let failure = result.named("check").collect().expect_err("a stage panics");
    /// assert!(failure.stuck().is_empty(), "all stages have ended");
    /// ```
    pub fn stuck(&self) -> &[String] {
        &self.stuck
    }

    /// Returns the message of the stage's panic, if the stage panicked with a string.
    ///
    /// ```
    /// use pipes_skeleton::from_iter;
    ///
    /// let result = from_iter(0..10).sequential(|number| {
    ///     assert!(number != 7, "not seven");
    ///     number
    /// });
    /// let failure = result.named("check").collect().expect_err("a stage panics");
    /// assert_eq!(failure.panic_message(), Some("not seven"));
    /// ```
    pub fn panic_message(&self) -> Option<&str> {
        if let FailureKind::Panic(panic) = &self.kind { panic.message() } else { None }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = &self.stage;
        match &self.kind {
            FailureKind::Panic(_) => match self.panic_message() {
                Some(message) => write!(f, "{stage} panicked: {message}"),
                None => write!(f, "{stage} panicked"),
            },
            FailureKind::Error(error) => write!(f, "{stage} failed: {error}"),
            FailureKind::Cancelled => f.write_str("the pipeline was cancelled"),
            FailureKind::Reported => write!(f, "{stage} has failed (already reported)"),
            FailureKind::NoThread => write!(f, "the system has no thread for {stage}"),
            FailureKind::WaitsForItself => write!(f, "{stage} waits for the end of its own pipeline"),
            FailureKind::Build(error) => write!(f, "{stage}: {error}"),
        }
    }
}

impl Error for Failure {
    /// Returns the source of the stage's error. The error itself is part of the failure's text, and is
    /// returned by [`kind`](Failure::kind).
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        if let FailureKind::Error(error) = &self.kind { error.source() } else { None }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BuildError::NoReplicas => "a stage needs at least one replica",
            BuildError::TooManyReplicas => "a stage can have 65,536 replicas at most",
            BuildError::NotAPart => {
                "the function must add its stages to the pipeline that it is given, and return that"
            }
            BuildError::NoRoom => "a pipeline needs room for at least one item",
            BuildError::MixedLimits => "pipelines with limits in items and in bytes cannot be merged",
            BuildError::NotAtSource => "the size of an item is taken at the source, before other threads",
            BuildError::NoBatch => "a batch needs room for at least one item",
        })
    }
}

impl Error for BuildError {}
