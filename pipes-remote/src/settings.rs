//! The settings of a connection.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a side allows and expects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The most bytes of a message for this side.
    pub(crate) limit: usize,
    /// The window of an unbounded protocol: the most messages, and bytes, that the user has not received.
    pub(crate) window: (usize, usize),
    /// A heartbeat is sent after this time without a written byte. The smaller interval of both sides counts.
    pub(crate) heartbeat: Duration,
    /// The other side is lost after this time in which no byte was read.
    pub(crate) lost: Duration,
    /// The most time for connecting and the handshake.
    pub(crate) handshake: Duration,
    /// If set, sessions begin before the other side has answered.
    pub(crate) is_eager: bool,
    /// The most sessions that wait for a listener.
    pub(crate) backlog: usize,
    /// The most sessions of one peer at a time.
    pub(crate) sessions: usize,
}

/// How long a side waits for the end of the closing handshake.
pub(crate) const CLOSING_TIMEOUT: Duration = Duration::from_secs(5);

impl Settings {
    pub(crate) const DEFAULT: Settings = Settings {
        limit: 1 << 20,
        window: (1024, 1 << 20),
        heartbeat: Duration::from_secs(5),
        lost: Duration::from_secs(15),
        handshake: Duration::from_secs(5),
        is_eager: false,
        backlog: 128,
        sessions: 1 << 14,
    };
}

/// What a side tells the other in the handshake: its limit, and its heartbeat interval.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Terms {
    pub(crate) limit: u32,
    pub(crate) heartbeat: Duration,
}

/// What both sides have agreed on in the handshake.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agreed {
    /// The most bytes of a message for the other side.
    pub(crate) their_limit: usize,
    /// The heartbeat interval. If the engine sends the heartbeats, it only says when buffers are freed.
    pub(crate) heartbeat: Duration,
    /// What the engine does.
    pub(crate) engine_info: EngineInfo,
}

/// What a pump must know about its engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EngineInfo {
    /// The silence after which the engine ends a stream, if the engine sends the heartbeats.
    pub(crate) silence: Option<Duration>,
    /// The streams of the engine share a connection.
    pub(crate) is_shared: bool,
}

impl Settings {
    /// Returns the terms that this side proposes in its handshake.
    pub(crate) fn terms(&self) -> Terms {
        // `Via::limit` checks the limit, so it fits.
        Terms { limit: self.limit as u32, heartbeat: self.heartbeat }
    }

    /// Returns what both sides have agreed on.
    pub(crate) fn agreed(&self, theirs: Terms, engine_info: EngineInfo) -> Agreed {
        let heartbeat = self.heartbeat.min(theirs.heartbeat.max(MIN_HEARTBEAT));
        Agreed { their_limit: theirs.limit as usize, heartbeat, engine_info }
    }
}

/// The shortest interval that the other side can ask for.
const MIN_HEARTBEAT: Duration = Duration::from_millis(1);
