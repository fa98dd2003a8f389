//! Generated code gives no cause for complaint, whatever clippy is asked to look for.
#![deny(clippy::pedantic, clippy::nursery, clippy::cargo, clippy::restriction)]
#![expect(clippy::blanket_clippy_restriction_lints, reason = "all of them are meant")]
// The groups that contain these could not be allowed in generated code.
#![forbid(clippy::unwrap_used, clippy::missing_const_for_fn)]

pipes::proto! {
    #[expect(dead_code, reason = "it is not used")]
    #[remote]
    plain {
        first: send { ask(question: u8) -> second, both(first: u8, second: String) -> first, leave -> ! }
        second: recv { answer(Result<u8, String>) -> first }
    }
}

/// The protocols of `pipes-macros/golden`, which cover all kinds of generated items.
#[expect(
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    clippy::arbitrary_source_item_ordering,
    clippy::single_char_lifetime_names,
    deprecated,
    unreachable_pub,
    reason = "they are written to be read beside what they become"
)]
mod golden {
    use self::around::Key;

    /// The types of some of their payloads.
    mod around {
        #[derive(Debug)]
        pub struct Client;
        #[derive(Debug)]
        pub struct Key;
    }

    include!(concat!(env!("OUT_DIR"), "/golden.rs"));
}
