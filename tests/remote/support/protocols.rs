//! The protocols of the tests.

use crate::payloads::{Bomb, Counted, Trap};

pipes::proto! {
    /// Numbers, until there are no more. Unbounded.
    #[remote]
    pub numbers {
        open: send { number(u64) -> open, done -> sum }
        sum: recv { sum(u64) -> ! }
    }

    /// Questions and answers; either side may end it. Bounded.
    #[remote]
    pub talk {
        ask: send { question(u64) -> answer, stop -> ! }
        answer: recv { reply(u64) -> ask, enough -> ! }
    }

    /// Items for the client, until there are no more. Unbounded.
    #[remote]
    pub feed {
        idle: send { start -> flow }
        flow: recv { item(u64) -> flow, end -> ! }
    }

    /// Loads that are counted. Unbounded.
    #[remote]
    pub loads {
        open: send { load(Counted) -> open, bytes(Vec<u8>) -> open, text(String) -> open, done -> ! }
    }

    /// Payloads that fail, in both directions. Unbounded.
    #[remote]
    pub traps {
        open: send { trap(Trap) -> open, turn -> back }
        back: recv { trap(Trap) -> back, turn -> open }
    }

    /// Payloads that explode. Unbounded.
    #[remote]
    pub bombs {
        open: send { bomb(Bomb) -> open }
    }

    /// One letter each way. Bounded.
    #[remote]
    pub letter {
        out: send { letter(Vec<u8>) -> home }
        home: recv { letter(Vec<u8>) -> ! }
    }
}
