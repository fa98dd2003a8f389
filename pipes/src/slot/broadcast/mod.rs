//! Rings in which every receiver gets every message.
//!
//! The senders put messages into the places of the ring, one at a time, with a lock. A receiver knows its
//! position, clones the message that lies there, and counts itself out. The last one moves the message out.
//! There are two kinds of places: those for which the senders wait until the last receiver has left, and
//! those that they overwrite.
//!
//! | file | what |
//! |---|---|
//! | `state` | the states of a place, and every atomic step |
//! | `place` | what the ring needs of a place |
//! | `claimed` | a place for which the senders wait |
//! | `locked` | a place that the senders overwrite |
//! | `ring` | what all ends share: the places, the senders' lock, those that wait |
//! | `receiver` | a receiver's position |

mod claimed;
mod locked;
mod place;
mod receiver;
mod ring;
mod state;

pub(crate) use self::claimed::Claimed;
pub(crate) use self::locked::Locked;
pub(crate) use self::receiver::BroadcastReceiver;
pub(crate) use self::ring::BroadcastRing;
