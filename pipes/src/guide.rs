//! A tutorial: from the first message to a server with many clients, in one evening.
//!
//! Each chapter has one protocol with its picture, one mistake with the compiler's error message, and one
//! exercise with a solution.
//!
//! 1. [Hello](chapter_1_hello): a protocol, its two ends, and one message.
//! 2. [Question and answer](chapter_2_answer): a message leads to the next state.
//! 3. [Choice](chapter_3_choice): several messages in one state.
//! 4. [Loops](chapter_4_loops): sessions of any length.
//! 5. [Leaving](chapter_5_leaving): errors, and sides that leave early.
//! 6. [Waiting](chapter_6_waiting): in threads and in tasks, with and without a limit.
//! 7. [Payloads](chapter_7_payloads): references, type parameters, and other threads.
//! 8. [Many clients](chapter_8_many_clients): a service, and waiting for many endpoints at once.
//!
//! And a page for later: [when nothing moves](when_nothing_moves), about programs that stand still.
//!
//! The code examples run as they are. To try them in your own program, put the protocol outside of `main`,
//! and let `main` return `Result<(), Box<dyn std::error::Error>>`.

macro_rules! chapter {
    ($name:ident, $title:literal, $file:literal) => {
        #[doc = $title]
        #[doc = ""]
        #[doc = include_str!(concat!("../docs/guide/", $file, ".svg"))]
        #[doc = ""]
        #[doc = include_str!(concat!("../docs/guide/", $file, ".md"))]
        pub mod $name {}
    };
}

chapter!(chapter_1_hello, "Hello: a protocol, its two ends, one message.", "1_hello");
chapter!(chapter_2_answer, "Question and answer: a message leads to the next state.", "2_answer");
chapter!(chapter_3_choice, "Choice: several messages in one state.", "3_choice");
chapter!(chapter_4_loops, "Loops: sessions of any length.", "4_loops");
chapter!(chapter_5_leaving, "Leaving: errors, and sides that leave early.", "5_leaving");
chapter!(chapter_6_waiting, "Waiting: in threads and in tasks, with and without a limit.", "6_waiting");
chapter!(chapter_7_payloads, "Payloads: references, types as parameters, other threads.", "7_payloads");
chapter!(chapter_8_many_clients, "Many clients: a service, and many endpoints as one.", "8_many_clients");

#[doc = "When nothing moves: how a program that stands still says why."]
#[doc = ""]
#[doc = include_str!("../docs/when_nothing_moves.md")]
#[doc = ""]
#[doc = include_str!("../docs/what_happened.md")]
#[doc = ""]
#[doc = include_str!("../docs/what_happened.svg")]
pub mod when_nothing_moves {}
