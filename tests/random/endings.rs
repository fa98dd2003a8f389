//! How sessions end, and how the ends of the two sides must fit together; totals of what happened.

use std::collections::HashMap;
use std::ops::AddAssign;

/// How a session ended for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With its last message.
    Finished,
    /// This side dropped its endpoint, perhaps in a panic.
    Left,
    /// A step reported that the other side has left.
    Deserted,
}

/// What one side did in a session.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    pub sent: u64,
    pub received: u64,
    pub ending: Ending,
}

/// What one side did in all its sessions.
pub type Records = HashMap<u64, Record>;

/// A side that never started a session counts as having left it.
const ABSENT: Record = Record { sent: 0, received: 0, ending: Ending::Left };

/// Asserts that the records of both sides fit together, in every session.
pub fn assert_fit(one: &Records, other: &Records) {
    for (mine, theirs) in [(one, other), (other, one)] {
        for (session, record) in mine {
            assert_fits(record, theirs.get(session).unwrap_or(&ABSENT));
        }
    }
}

fn assert_fits(mine: &Record, theirs: &Record) {
    let both = format!("{mine:?} and {theirs:?}");
    match mine.ending {
        // A side is reported to have left only if it has.
        Ending::Deserted => assert_eq!(theirs.ending, Ending::Left, "{both}"),
        // The side that receives the last message has it from a side that sent it; the side that sends it may
        // send it to a side that has left.
        Ending::Finished => assert_ne!(theirs.ending, Ending::Deserted, "{both}"),
        Ending::Left => {}
    }
    if mine.ending == Ending::Left {
        assert!(mine.received <= theirs.sent, "{both}");
    } else {
        assert_eq!(mine.received, theirs.sent, "nothing is lost while its receiver lives: {both}");
    }
}

/// Totals over some sessions.
#[derive(Debug, Default)]
pub struct Sums {
    sides: u64,
    sent: u64,
    received: u64,
    finished: u64,
    left: u64,
    deserted: u64,
}

impl Sums {
    pub fn add(&mut self, record: &Record) {
        self.sides += 1;
        self.sent += record.sent;
        self.received += record.received;
        match record.ending {
            Ending::Finished => self.finished += 1,
            Ending::Left => self.left += 1,
            Ending::Deserted => self.deserted += 1,
        }
    }

    /// Returns `true` if everything happened that can happen.
    pub fn is_varied(&self) -> bool {
        let unread = self.sent - self.received;
        [self.received, unread, self.finished, self.left, self.deserted].iter().all(|count| *count > 0)
    }
}

impl AddAssign for Sums {
    fn add_assign(&mut self, other: Sums) {
        self.sides += other.sides;
        self.sent += other.sent;
        self.received += other.received;
        self.finished += other.finished;
        self.left += other.left;
        self.deserted += other.deserted;
    }
}
