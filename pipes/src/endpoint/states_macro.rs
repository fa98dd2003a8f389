//! The states of a protocol as values and as constants.

/// Declares the constants `STATES`, `MERMAID` and `DOT` of a protocol and the enum `ClientState`, which is
/// also called `ServerState`, and says of each endpoint which state it is in.
///
/// Each state has its variant, its name, the side that sends, and its messages, each with the state that it
/// leads to, if any.
#[doc(hidden)]
#[macro_export]
macro_rules! __states {
    (
        $(#[$lint:meta])*
        protocol $protocol:literal, mermaid $mermaid:literal, dot $dot:literal,
        $($state:ident $name:literal $sender:literal [$($message:literal $(-> $next:literal)?),*],)*
    ) => {
        /// The states of the protocol, in the order in which they are written, with their messages.
        pub const STATES: &'static [$crate::StateInfo] = &[$(
            $crate::__private::state_info(
                $protocol,
                $name,
                ClientState::$state as ::core::primitive::usize,
                $sender,
                &[$($crate::__private::message_info($message, &[$($next)?])),*],
            ),
        )*];

        /// The states and their messages as text that [Mermaid](https://mermaid.js.org) draws, a
        /// `stateDiagram-v2`.
        ///
        /// Each state says which side sends in it. Messages after `↺` lead back to their state. Long payloads
        /// are cut.
        pub const MERMAID: &'static ::core::primitive::str = $mermaid;

        /// The states and their messages as text that [Graphviz](https://graphviz.org) draws, in its language
        /// DOT.
        ///
        /// Each state says which side sends in it. Long payloads are cut.
        pub const DOT: &'static ::core::primitive::str = $dot;

        /// The state that a client is in, as a value.
        $(#[$lint])*
        #[derive(
            ::std::clone::Clone,
            ::std::marker::Copy,
            ::std::fmt::Debug,
            ::std::cmp::PartialEq,
            ::std::cmp::Eq,
            ::std::hash::Hash,
        )]
        pub enum ClientState {
            $(
                #[doc = $name]
                $state,
            )*
        }

        /// The state that a server is in, as a value. Both sides have the same states.
        pub type ServerState = ClientState;

        impl ClientState {
            /// The name of the protocol, as in the source.
            pub const NAME: &'static ::core::primitive::str = $protocol;

            /// All states, in the order in which they are written.
            pub const ALL: &'static [Self] = &[$(Self::$state),*];

            /// Returns the description of the state.
            #[inline]
            pub const fn info(self) -> &'static $crate::StateInfo {
                &self::STATES[self as ::core::primitive::usize]
            }
        }

        impl ::core::fmt::Display for ClientState {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.info().name)
            }
        }

        impl ::core::convert::From<ClientState> for &'static $crate::StateInfo {
            #[inline]
            fn from(state: ClientState) -> Self {
                state.info()
            }
        }

        $crate::__states! { of Client, ClientState }
        $crate::__states! { of Server, ServerState }
    };
    (of $side:ident, $states:ident) => {
        impl<S: $crate::__private::State> $crate::InState for $side<S> {
            type State = $states;

            const STATE: ::core::option::Option<&'static $crate::StateInfo> =
                ::core::option::Option::Some(S::INFO);

            #[inline]
            fn state(&self) -> $states {
                $states::ALL[S::INFO.index]
            }
        }
    };
}
