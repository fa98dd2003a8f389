//! Why a session ended, as both sides are told, and how that must fit to how they ended it.

use crate::endings::{Ending, Record};
use pipes::remote::Cause;

/// What one side did in a session, and what it was told.
pub struct Told {
    pub record: Record,
    /// The cause just when this side's endpoint was gone.
    pub at_once: Cause,
    /// The cause when both pumps had ended.
    pub cause: Cause,
    /// Whether everything that this side has sent is known to have arrived, if it has asked.
    pub delivered: Option<bool>,
}

/// Asserts that both sides were told what happened.
pub fn assert_told(one: &Told, other: &Told) {
    let both = format!("{} and {}", one.text(), other.text());
    for (mine, theirs) in [(one, other), (other, one)] {
        assert!(mine.is_allowed(theirs), "{both}");
        // Once a side is told a cause, it does not become `Open` again.
        assert!(!matches!(mine.cause, Cause::Open), "{both}");
        if mine.record.ending == Ending::Deserted {
            assert!(matches!(mine.at_once, Cause::Left), "{both}");
        }
    }
    let [one_ended, other_ended] = [one, other].map(|side| matches!(side.cause, Cause::Ended));
    assert_eq!(one_ended, other_ended, "{both}");
    assert!(!(matches!(one.cause, Cause::Left) && matches!(other.cause, Cause::Left)), "{both}");
    if one.record.ending == Ending::Finished && other.record.ending == Ending::Finished {
        // The side that received the last message knew it then.
        assert!(matches!(one.at_once, Cause::Ended) || matches!(other.at_once, Cause::Ended), "{both}");
        assert!(one.delivered != Some(false) && other.delivered != Some(false), "{both}");
    }
}

impl Told {
    fn is_allowed(&self, theirs: &Told) -> bool {
        match (self.record.ending, theirs.record.ending) {
            (Ending::Finished, Ending::Finished) => matches!(self.cause, Cause::Ended),
            // The last message was sent to a side that has left, or has left without looking at it.
            (Ending::Finished, _) => matches!(self.cause, Cause::Ended | Cause::Left),
            (Ending::Left, Ending::Finished) => matches!(self.cause, Cause::Ended | Cause::LeftHere),
            (Ending::Left, Ending::Left) => matches!(self.cause, Cause::Left | Cause::LeftHere),
            (Ending::Left, Ending::Deserted) => matches!(self.cause, Cause::LeftHere),
            (Ending::Deserted, _) => matches!(self.cause, Cause::Left),
        }
    }

    fn text(&self) -> String {
        let Told { record, at_once, cause, delivered } = self;
        format!("{record:?}, told {at_once:?}, then {cause:?}, delivered {delivered:?}")
    }
}
