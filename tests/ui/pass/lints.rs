//! Generated code gives no cause for complaint, and documents what it makes.

#![deny(warnings, unused, nonstandard_style, rust_2018_idioms)]
#![deny(missing_docs, missing_debug_implementations, missing_copy_implementations, unreachable_pub)]
#![deny(unused_qualifications, unused_results, unused_lifetimes, trivial_casts, elided_lifetimes_in_paths)]
#![deny(let_underscore_drop, explicit_outlives_requirements, unit_bindings)]
#![forbid(unsafe_code)]
/// A protocol without a word about it, and one with many.
pub mod protocols {
    renamed::proto! {
        pub terse<'a, T: Copy, const N: usize> {
            first: send<U> { array([U; N]) -> second, text(&'a T, &'a str) -> first<u16>, end -> ! }
            second: recv { large([u64; 512]) -> first<u8>, tiny -> second, last(T) -> ! }
        }

        /// A protocol.
        #[derive(Debug)]
        #[bounded(1)]
        pub wordy {
            /// A state.
            first: send {
                /// A message.
                message(payload: u8) -> second,
            }
            /// Another.
            #[derive(PartialEq, Eq)]
            second: recv {
                /// The last one.
                last(String) -> !
            }
        }

        /// A state that no session comes to, and that is meant.
        pub island {
            /// A session begins here.
            start: send { again -> start, end -> ! }
            #[allow(deprecated)]
            island: send { to_start -> start }
        }

        /// The same in the whole protocol.
        #[allow(deprecated)]
        pub islands<T> {
            /// A session begins here.
            start: send { again -> start, end -> ! }
            /// Nobody comes here.
            island: send { leave(T) -> peninsula }
            /// Nor here.
            peninsula: recv { back -> island }
        }
    }
}

#[test]
fn what_is_generated_causes_no_warning() {
    let (client, server) = protocols::terse::pipe::<u8, 2, u32>();
    drop(client.array([1, 2]));
    assert!(matches!(server.recv(), Ok(protocols::terse::First::Array([1, 2], _))));
    let (client, server) = protocols::island::pipe();
    client.end().expect("the server is here");
    assert!(matches!(server.recv(), Ok(protocols::island::Start::End)));
}
