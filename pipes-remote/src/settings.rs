//! The knobs of a connection.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a side allows and expects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The most bytes of a message for this side.
    pub(crate) limit: usize,
    /// The most messages, and bytes, that the user has not received; for unbounded protocols.
    pub(crate) window: (usize, usize),
    /// A sign of life is due after this time without a byte; the smaller of both sides' counts.
    pub(crate) beat: Duration,
    /// The other side is lost after this time without a byte.
    pub(crate) lost: Duration,
    /// The most time for a connection and its handshake.
    pub(crate) handshake: Duration,
    /// Sessions begin before the other side has answered.
    pub(crate) is_eager: bool,
    /// The most sessions that wait for a listener.
    pub(crate) backlog: usize,
    /// The most sessions of one holder at a time.
    pub(crate) sessions: usize,
}

/// How long a side that has said its last word waits for the other side's.
pub(crate) const FAREWELL: Duration = Duration::from_secs(5);

impl Settings {
    pub(crate) const DEFAULT: Settings = Settings {
        limit: 1 << 20,
        window: (1024, 1 << 20),
        beat: Duration::from_secs(5),
        lost: Duration::from_secs(15),
        handshake: Duration::from_secs(5),
        is_eager: false,
        backlog: 128,
        sessions: 1 << 14,
    };
}

/// What a side allows, and how often it gives a sign of life.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Terms {
    pub(crate) limit: u32,
    pub(crate) beat: Duration,
}

/// What both sides have agreed on in the handshake.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agreed {
    /// The most bytes of a message for the other side.
    pub(crate) their_limit: usize,
    /// How often a side gives a sign of life, or would, if the engine did not do that.
    pub(crate) beat: Duration,
    /// What the engine does.
    pub(crate) manner: Manner,
}

/// What a pump must know of its engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// The silence after which the engine ends a stream, if it gives the signs of life.
    pub(crate) silence: Option<Duration>,
    /// Its streams share a connection.
    pub(crate) is_shared: bool,
}

impl Settings {
    /// Returns what the other side gets to know.
    pub(crate) fn terms(&self) -> Terms {
        // Settings are checked when they are made: the limit fits.
        Terms { limit: self.limit as u32, beat: self.beat }
    }

    /// Returns what both sides have agreed on.
    pub(crate) fn agreed(&self, theirs: Terms, manner: Manner) -> Agreed {
        let beat = self.beat.min(theirs.beat.max(LEAST_BEAT));
        Agreed { their_limit: theirs.limit as usize, beat, manner }
    }
}

/// However often the other side wants a sign of life, it gets no more than this.
const LEAST_BEAT: Duration = Duration::from_millis(1);
