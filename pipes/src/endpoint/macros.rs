//! The methods and impls that the endpoint types of all protocols share.

/// Gives a type that is [`Receive`](crate::Receive) the receiving verbs as methods of its own, and `.await`.
///
/// The bounds behind `if` are those of the methods that receive, and not of their impl. So a call that breaks
/// one is reported with the text of the bound, and not as a method that was not found.
#[doc(hidden)]
#[macro_export]
macro_rules! __receive {
    ($(#[$meta:meta])* impl [$($generics:tt)*] for $outer:ty, message $message:ty, by value $(where [$($bounds:tt)*])? $(if [$($turn:tt)*])?) => {
        $(#[$meta])*
        impl<$($generics)*> $outer $(where $($bounds)*)? {
            /// Receives a message, waiting until there is one.
            ///
            /// Blocks the thread; in a task, use [`recv_async`](Self::recv_async) instead.
            ///
            /// # Errors
            ///
            /// The sender has left.
            #[inline]
            #[track_caller]
            pub fn recv(self) -> ::core::result::Result<$message, $crate::RecvError>
            $(where $($turn)*)?
            {
                $crate::Receive::recv(self)
            }

            #[doc(hidden)]
            #[inline]
            #[track_caller]
            pub fn __recv(self) -> ::core::result::Result<$message, $crate::RecvError>
            $(where $($turn)*)?
            {
                $crate::Receive::__recv(self)
            }

            /// Receives a message if there is one. Never blocks.
            ///
            /// # Errors
            ///
            /// `Empty` with the endpoint if nothing was sent yet; `Closed` if the sender has left.
            #[inline]
            pub fn try_recv(self) -> ::core::result::Result<$message, $crate::TryRecvError<Self>>
            $(where $($turn)*)?
            {
                $crate::Receive::try_recv(self)
            }

            /// Receives a message, waiting for at most `timeout`.
            ///
            /// Blocks the thread; in a task, use [`recv_or`](Self::recv_or) with a timer instead.
            ///
            /// # Errors
            ///
            /// `Timeout` with the endpoint if nothing came in time; `Closed` if the sender has left.
            #[inline]
            #[track_caller]
            pub fn recv_timeout(
                self,
                timeout: ::core::time::Duration,
            ) -> ::core::result::Result<$message, $crate::RecvTimeoutError<Self>>
            $(where $($turn)*)?
            {
                $crate::Receive::recv_timeout(self, timeout)
            }

            /// Receives a message, waiting until the deadline at the latest.
            ///
            /// Blocks the thread; in a task, use [`recv_or`](Self::recv_or) with a timer instead.
            ///
            /// # Errors
            ///
            /// `Timeout` with the endpoint if nothing came in time; `Closed` if the sender has left.
            #[inline]
            #[track_caller]
            pub fn recv_deadline(
                self,
                deadline: ::std::time::Instant,
            ) -> ::core::result::Result<$message, $crate::RecvTimeoutError<Self>>
            $(where $($turn)*)?
            {
                $crate::Receive::recv_deadline(self, deadline)
            }

            /// Receives a message, in a task, as `.await` on the endpoint does.
            ///
            /// From time to time the future gives way to other tasks, although a message is here; see
            /// `pipes::Receive`. `try_recv` never does.
            ///
            /// # Cancel safety
            ///
            /// Not cancel-safe: dropping the future closes the endpoint. Under a timeout or in a `select!`,
            /// wait with `ready`, and then receive.
            #[inline]
            #[track_caller]
            pub fn recv_async(self) -> $crate::RecvFuture<Self>
            $(where $($turn)*)?
            {
                $crate::Receive::recv_async(self)
            }

            /// Receives a message, in a task, unless another future is ready first, such as a timer. Then the
            /// error contains the endpoint and that future's output.
            ///
            /// # Cancel safety
            ///
            /// Not cancel-safe: dropping the future closes the endpoint.
            ///
            /// # Errors
            ///
            /// `Other` if the other future was ready and no message was here; `Closed` if the sender has
            /// left.
            // The generics around it are the user's. No parameter of theirs begins with `__`.
            #[inline]
            pub fn recv_or<__Other: ::core::future::Future>(
                self,
                other: __Other,
            ) -> impl ::core::future::Future<
                Output = ::core::result::Result<$message, $crate::RecvOrError<Self, __Other::Output>>,
            >
            $(where $($turn)*)?
            {
                $crate::Receive::recv_or(self, other)
            }
        }

        $(#[$meta])*
        impl<$($generics)*> $outer $(where $($bounds)*)? $(where $($turn)*)? {
            /// Waits, in a task, until a receive would not block.
            ///
            /// # Cancel safety
            ///
            /// Cancel-safe: the future borrows the endpoint and receives nothing.
            #[inline]
            #[track_caller]
            pub fn ready(&mut self) -> $crate::ReadyFuture<'_, Self> {
                $crate::Readiness::ready(self)
            }

            /// Polls until a receive would not block. The task is woken when that happens; only the most
            /// recent poll's waker is kept.
            #[inline]
            pub fn poll_ready(&mut self, cx: &mut ::core::task::Context<'_>) -> ::core::task::Poll<()> {
                $crate::Readiness::poll_ready(self, cx)
            }

            /// Returns `true` if a message is here. `true` stays true until it is received; `false` may
            /// already be stale.
            #[inline]
            pub fn is_ready(&self) -> ::core::primitive::bool {
                $crate::Readiness::is_ready(self)
            }

            /// Returns `true` if the sender has left and there is nothing left to receive. `true` stays true;
            /// `false` may already be stale.
            #[inline]
            pub fn is_closed(&self) -> ::core::primitive::bool {
                $crate::Readiness::is_closed(self)
            }
        }

        $(#[$meta])*
        impl<$($generics)*> ::core::future::IntoFuture for $outer $(where $($bounds)*)? $(where $($turn)*)? {
            type Output = ::core::result::Result<$message, $crate::RecvError>;
            type IntoFuture = $crate::RecvFuture<$outer>;

            #[inline]
            fn into_future(self) -> $crate::RecvFuture<$outer> {
                $crate::Receive::recv_async(self)
            }
        }
    };
}

/// Gives a type that is [`Closing`](crate::Closing) its verbs as methods of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! __closing {
    (impl [$($generics:tt)*] for $end:ty) => {
        impl<$($generics)*> $end {
            /// Waits, in a task, until the other side has left.
            ///
            /// # Cancel safety
            ///
            /// Cancel-safe: the future borrows this end and changes nothing.
            #[inline]
            #[track_caller]
            pub fn closed(&mut self) -> $crate::ClosedFuture<'_, Self> {
                $crate::Closing::closed(self)
            }

            /// Waits until the other side has left.
            ///
            /// Blocks the thread; in a task, use [`closed`](Self::closed) instead.
            ///
            /// When it returns, everything that was sent and not received was dropped, or kept by a close
            /// that keeps it, such as [`Port::close`](crate::Port::close). If a send has failed before, the
            /// other side may still be dropping it.
            #[inline]
            #[track_caller]
            pub fn wait_closed(&mut self) {
                $crate::Closing::wait_closed(self);
            }

            /// Waits until the other side has left, for at most `timeout`. Returns `true` if it has.
            ///
            /// Blocks the thread; in a task, use [`closed`](Self::closed) under a timeout instead.
            #[inline]
            #[track_caller]
            pub fn wait_closed_timeout(&mut self, timeout: ::core::time::Duration) -> ::core::primitive::bool {
                $crate::Closing::wait_closed_timeout(self, timeout)
            }

            /// Polls for the other side to leave. The task is woken when that happens. A send may drop the
            /// waker: poll again after a send.
            #[inline]
            pub fn poll_closed(&mut self, cx: &mut ::core::task::Context<'_>) -> ::core::task::Poll<()> {
                $crate::Closing::poll_closed(self, cx)
            }
        }
    };
}

/// Declares an endpoint type of a protocol: `pub struct Client<S>: AsClient;`. `sending recv` says that a
/// message of the protocol is called `recv` or like another verb that receives.
#[doc(hidden)]
#[macro_export]
macro_rules! __endpoint {
    ($(#[$meta:meta])* $vis:vis struct $name:ident<$state:ident>: AsClient $(, sending $recv:ident)?;) => {
        $crate::__endpoint! {
            $(#[$meta])* $vis struct $name<$state>: AsClient, receiving from AsServer $(, sending $recv)?
        }
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident<$state:ident>: AsServer $(, sending $recv:ident)?;) => {
        $crate::__endpoint! {
            $(#[$meta])* $vis struct $name<$state>: AsServer, receiving from AsClient $(, sending $recv)?
        }
    };
    (@verbs $name:ident<$state:ident>, $dual:ident) => {
        $crate::__receive! {
            /// In the states in which the other side sends: these methods receive.
            impl [$state] for $name<$state>, message $state, by value if [$state: $crate::__private::SentBy<$crate::__private::$dual>]
        }
    };
    (@verbs $name:ident<$state:ident>, $dual:ident, sending $recv:ident) => {
        $crate::__receive! {
            /// In the states in which the other side sends: these methods receive.
            impl [$state: $crate::__private::SentBy<$crate::__private::$dual>] for $name<$state>, message $state, by value
        }
    };
    // Both sides are named. If the compiler had to compute the other side, it could not see that a message
    // called `recv` and the verb are methods of different types.
    ($(#[$meta:meta])* $vis:vis struct $name:ident<$state:ident>: $role:ident, receiving from $dual:ident $(, sending $recv:ident)?) => {
        $(#[$meta])*
        #[must_use = "dropping an endpoint closes it"]
        $vis struct $name<$state>($crate::__private::Endpoint<$crate::__private::$role, $state>);

        impl<$state> ::core::fmt::Debug for $name<$state> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_fmt(::core::format_args!(
                    "{}<{}>",
                    ::core::stringify!($name),
                    $crate::__private::short_name::<$state>()
                ))
            }
        }

        // This is a trait impl, and the type has no such methods of its own: its methods are the messages,
        // and a message may be called `closed`.
        impl<$state> $crate::Closing for $name<$state>
        where
            $state: $crate::__private::State<Sender = $crate::__private::$role>,
        {
            #[inline]
            fn is_closed(&self) -> ::core::primitive::bool {
                $crate::Closing::is_closed(&self.0)
            }

            #[inline]
            fn poll_closed(&mut self, cx: &mut ::core::task::Context<'_>) -> ::core::task::Poll<()> {
                $crate::Closing::poll_closed(&mut self.0, cx)
            }

            fn closing_end(&self, list: &mut $crate::__private::EndList) {
                $crate::Closing::closing_end(&self.0, list);
            }

            #[inline]
            fn wait_closed_until(
                &mut self,
                deadline: ::core::option::Option<::std::time::Instant>,
            ) -> ::core::primitive::bool {
                $crate::Closing::wait_closed_until(&mut self.0, deadline)
            }
        }

        impl<$state> $crate::Receive for $name<$state>
        where
            $state: $crate::__private::SentBy<$crate::__private::$dual>,
        {
            type Message = $state;

            #[inline]
            fn try_recv(self) -> ::core::result::Result<$state, $crate::TryRecvError<Self>> {
                $crate::Receive::try_recv(self.0).map_err(|error| $crate::__private::map_empty(error, $name))
            }
        }

        impl<$state> $crate::__private::Sealed for $name<$state> where
            $state: $crate::__private::SentBy<$crate::__private::$dual>
        {
        }

        impl<$state> $crate::Member for $name<$state>
        where
            $state: $crate::__private::SentBy<$crate::__private::$dual>,
        {
            type Message = $state;

            #[inline]
            fn turn(
                place: &mut ::core::option::Option<Self>,
            ) -> ::core::option::Option<::core::result::Result<$state, $crate::Closed>> {
                $crate::__private::turn(place)
            }

            #[inline]
            fn register_token(
                &mut self,
                token: $crate::__private::Token,
            ) -> ::core::result::Result<(), $crate::__private::Token> {
                $crate::Member::register_token(&mut self.0, token)
            }

            fn unregister_token(&mut self) -> ::core::option::Option<$crate::__private::Token> {
                $crate::Member::unregister_token(&mut self.0)
            }
        }

        impl<$state> $crate::Readiness for $name<$state>
        where
            $state: $crate::__private::SentBy<$crate::__private::$dual>,
        {
            #[inline]
            fn poll_ready(&mut self, cx: &mut ::core::task::Context<'_>) -> ::core::task::Poll<()> {
                $crate::Readiness::poll_ready(&mut self.0, cx)
            }

            #[inline]
            fn wait(&mut self, deadline: ::core::option::Option<::std::time::Instant>) -> ::core::primitive::bool {
                $crate::Readiness::wait(&mut self.0, deadline)
            }

            #[inline]
            fn is_ready(&self) -> ::core::primitive::bool {
                $crate::Readiness::is_ready(&self.0)
            }

            #[inline]
            fn is_closed(&self) -> ::core::primitive::bool {
                $crate::Readiness::is_closed(&self.0)
            }

            #[inline]
            fn would_block(&self) -> ::core::primitive::bool {
                $crate::Readiness::would_block(&self.0)
            }

            fn ends(&self, list: &mut $crate::__private::EndList) {
                $crate::Readiness::ends(&self.0, list);
            }
        }

        $crate::__endpoint! { @verbs $name<$state>, $dual $(, sending $recv)? }
    };
}
