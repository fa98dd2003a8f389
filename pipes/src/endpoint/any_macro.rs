//! The impls of the endpoint types for any state, of all protocols.

/// Implements the traits of `AnyClient` and `AnyServer`, an endpoint in any state, and of `ReceivingClient`
/// and `ReceivingServer`, an endpoint in any receiving state, by calling the endpoint inside.
///
/// `$states` is `ClientState` or `ServerState`. `$sending` are the variants whose endpoint sends,
/// `$receiving` those whose endpoint receives. A receive never waits for an endpoint that sends, but returns
/// it at once, in the message's variant `$not_receiving`. A type without `$sending` has messages without this
/// variant.
///
/// All of it is `#[inline]`, so that a crate does not compile what it does not use.
#[doc(hidden)]
#[macro_export]
macro_rules! __any {
    (
        $(#[$lint:meta])* impl [$($generics:tt)*] for $any:ty, in $states:ident, receiving $message:ident [$($arguments:tt)*] [$($not_receiving:ident)?],
        senders [$($sending:ident)*], receivers [$($receiving:ident)*], where [$($bounds:tt)*]
    ) => {
        $(#[$lint])*
        impl<$($generics)*> ::core::fmt::Debug for $any where $($bounds)* {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    $(Self::$sending(endpoint) => ::core::fmt::Debug::fmt(endpoint, f),)*
                    $(Self::$receiving(endpoint) => ::core::fmt::Debug::fmt(endpoint, f),)*
                }
            }
        }

        $(#[$lint])*
        impl<$($generics)*> ::core::fmt::Debug for $message $($arguments)* where $($bounds)* {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    // Payloads, and so messages, need not be printable.
                    $(Self::$receiving(_) => f.debug_tuple(::core::stringify!($receiving)).finish_non_exhaustive(),)*
                    $(Self::$not_receiving(endpoint) => {
                        f.debug_tuple(::core::stringify!($not_receiving)).field(endpoint).finish()
                    })?
                }
            }
        }

        $(#[$lint])*
        impl<$($generics)*> $any where $($bounds)* {
            /// Returns the state that the endpoint is in.
            #[inline]
            pub fn state(&self) -> $states {
                match self {
                    $(Self::$sending(_) => $states::$sending,)*
                    $(Self::$receiving(_) => $states::$receiving,)*
                }
            }

            /// Returns the endpoint inside, if it receives.
            #[inline]
            fn receiver(&self) -> ::core::option::Option<&dyn $crate::Readiness> {
                match self {
                    $(Self::$receiving(endpoint) => ::core::option::Option::Some(endpoint),)*
                    $(Self::$sending(_) => ::core::option::Option::None,)*
                }
            }

            /// Returns the endpoint inside, if it receives.
            #[inline]
            fn receiver_mut(&mut self) -> ::core::option::Option<&mut dyn $crate::Readiness> {
                match self {
                    $(Self::$receiving(endpoint) => ::core::option::Option::Some(endpoint),)*
                    $(Self::$sending(_) => ::core::option::Option::None,)*
                }
            }
        }

        $(#[$lint])*
        impl<$($generics)*> $crate::InState for $any where $($bounds)* {
            type State = $states;

            #[inline]
            fn state(&self) -> $states {
                self.state()
            }
        }

        $(#[$lint])*
        impl<$($generics)*> $crate::Receive for $any where $($bounds)* {
            type Message = $message $($arguments)*;

            #[inline]
            fn try_recv(self) -> ::core::result::Result<$message $($arguments)*, $crate::TryRecvError<Self>> {
                match self {
                    $(Self::$receiving(endpoint) => {
                        $crate::__private::receive_any(endpoint, $message::$receiving, Self::$receiving)
                    })*
                    $(Self::$sending(endpoint) => {
                        ::core::result::Result::Ok($message::NotReceiving(Self::$sending(endpoint)))
                    })*
                }
            }
        }

        $(#[$lint])*
        impl<$($generics)*> $crate::__private::Sealed for $any where $($bounds)* {}

        $(#[$lint])*
        impl<$($generics)*> $crate::Member for $any where $($bounds)* {
            type Message = $message $($arguments)*;

            #[inline]
            fn turn(
                place: &mut ::core::option::Option<Self>,
            ) -> ::core::option::Option<::core::result::Result<$message $($arguments)*, $crate::Closed>> {
                $crate::__private::turn(place)
            }

            #[inline]
            fn register_token(
                &mut self,
                token: $crate::__private::Token,
            ) -> ::core::result::Result<(), $crate::__private::Token> {
                match self {
                    $(Self::$receiving(endpoint) => $crate::Member::register_token(endpoint, token),)*
                    // An endpoint that sends is returned at once.
                    $(Self::$sending(_) => ::core::result::Result::Err(token),)*
                }
            }

            #[inline]
            fn unregister_token(&mut self) -> ::core::option::Option<$crate::__private::Token> {
                match self {
                    $(Self::$receiving(endpoint) => $crate::Member::unregister_token(endpoint),)*
                    $(Self::$sending(_) => ::core::option::Option::None,)*
                }
            }
        }

        $(#[$lint])*
        impl<$($generics)*> $crate::Readiness for $any where $($bounds)* {
            #[inline]
            fn poll_ready(&mut self, cx: &mut ::core::task::Context<'_>) -> ::core::task::Poll<()> {
                self.receiver_mut().map_or(::core::task::Poll::Ready(()), |receiver| receiver.poll_ready(cx))
            }

            #[inline]
            fn wait(&mut self, deadline: ::core::option::Option<::std::time::Instant>) -> ::core::primitive::bool {
                match self.receiver_mut() {
                    ::core::option::Option::Some(receiver) => receiver.wait(deadline),
                    ::core::option::Option::None => true,
                }
            }

            #[inline]
            fn is_ready(&self) -> ::core::primitive::bool {
                // An endpoint that sends is returned at once.
                self.receiver().is_none_or(|receiver| receiver.is_ready())
            }

            #[inline]
            fn is_closed(&self) -> ::core::primitive::bool {
                self.receiver().is_some_and(|receiver| receiver.is_closed())
            }

            #[inline]
            fn would_block(&self) -> ::core::primitive::bool {
                self.receiver().is_some_and(|receiver| receiver.would_block())
            }

            #[inline]
            fn ends(&self, list: &mut $crate::__private::EndList) {
                if let ::core::option::Option::Some(receiver) = self.receiver() {
                    receiver.ends(list);
                }
            }
        }

        $crate::__receive! {
            $(#[$lint])*
            impl [$($generics)*] for $any, message $message $($arguments)*, by value where [$($bounds)*]
        }
    };
}
