//! The methods and impls that ports share with the types that contain a port.

/// Gives a type `P` whose `&mut P` is [`Receive`](crate::Receive) the receiving verbs as methods of its own:
/// only those that need no choice of an implementation, or, with `all`, every one.
macro_rules! __port_verbs {
    (impl [$($generics:tt)*] for $port:ty, message $message:ty, all $(where [$($bounds:tt)*])?) => {
        impl<$($generics)*> $port $(where $($bounds)*)? {
            /// Receives a message, waiting until there is one.
            ///
            /// Blocks the thread; in a task, use [`recv_async`](Self::recv_async) instead.
            ///
            /// ```
            /// let (mut chan, mut port) = pipes::stream();
            /// chan.send(1)?;
            /// assert_eq!(port.recv(), Ok(1));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// The other side was dropped and every value was received. Every later receive returns this
            /// error again.
            #[inline]
            #[track_caller]
            pub fn recv(&mut self) -> Result<$message, $crate::RecvError> {
                $crate::Receive::recv(self)
            }

            #[doc(hidden)]
            #[inline]
            #[track_caller]
            pub fn __recv(&mut self) -> Result<$message, $crate::RecvError> {
                $crate::Receive::__recv(self)
            }

            /// Receives a message if there is one. Never blocks.
            ///
            /// ```
            /// let (mut chan, mut port) = pipes::stream();
            /// assert!(port.try_recv().is_err(), "nothing was sent");
            /// chan.send(1)?;
            /// assert_eq!(port.try_recv(), Ok(1));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// `Empty` if there is no message now; `Closed` if the other side was dropped and every value was
            /// received.
            #[inline]
            pub fn try_recv(&mut self) -> Result<$message, $crate::TryRecvError> {
                $crate::Receive::try_recv(self).map_err(|error| error.map(drop))
            }
        }

        $crate::endpoint::__port_verbs! { impl [$($generics)*] for $port, message $message $(where [$($bounds)*])? }
    };
    (impl [$($generics:tt)*] for $port:ty, message $message:ty $(where [$($bounds:tt)*])?) => {
        impl<$($generics)*> $port $(where $($bounds)*)? {
            /// Receives a message, waiting for at most `timeout`.
            ///
            /// Blocks the thread; in a task, use [`recv_or`](Self::recv_or) with a timer instead.
            ///
            /// ```
            /// use pipes::RecvTimeoutError;
            /// use std::time::Duration;
            ///
            /// let (_chan, mut port) = pipes::stream::<u32>();
            /// let late = port.recv_timeout(Duration::from_millis(1));
            /// assert_eq!(late, Err(RecvTimeoutError::Timeout(())));
            /// ```
            ///
            /// # Errors
            ///
            /// `Timeout` if nothing came in time; `Closed` if the other side was dropped and every value was
            /// received.
            #[track_caller]
            pub fn recv_timeout(
                &mut self,
                timeout: std::time::Duration,
            ) -> Result<$message, $crate::RecvTimeoutError> {
                $crate::Receive::recv_timeout(self, timeout).map_err(|error| error.map(drop))
            }

            /// Receives a message, waiting until the deadline at the latest.
            ///
            /// Blocks the thread; in a task, use [`recv_or`](Self::recv_or) with a timer instead.
            ///
            /// ```
            /// use std::time::{Duration, Instant};
            ///
            /// let (mut chan, mut port) = pipes::stream();
            /// chan.send(1)?;
            /// let deadline = Instant::now() + Duration::from_millis(1);
            /// assert_eq!(port.recv_deadline(deadline), Ok(1));
            /// assert!(port.recv_deadline(deadline).is_err(), "nothing else was sent");
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            ///
            /// # Errors
            ///
            /// `Timeout` if nothing came in time; `Closed` if the other side was dropped and every value was
            /// received.
            #[track_caller]
            pub fn recv_deadline(
                &mut self,
                deadline: std::time::Instant,
            ) -> Result<$message, $crate::RecvTimeoutError> {
                $crate::Receive::recv_deadline(self, deadline).map_err(|error| error.map(drop))
            }

            /// Receives a message, in a task.
            ///
            /// From time to time the future gives way to other tasks, although a message is here; see
            /// [`Receive`](crate::Receive#blocking-async-or-both). `try_recv` never does.
            ///
            /// ```
            /// # futures::executor::block_on(async {
            /// let (mut chan, mut port) = pipes::stream();
            /// std::thread::spawn(move || chan.send(1));
            /// assert_eq!(port.recv_async().await, Ok(1));
            /// # });
            /// ```
            ///
            /// # Cancel safety
            ///
            /// Cancel-safe: the future borrows this end, and a message that it has not returned is still
            /// there.
            #[inline]
            #[track_caller]
            pub fn recv_async(&mut self) -> $crate::RecvFuture<&mut Self> {
                $crate::Receive::recv_async(self)
            }

            /// Receives a message, in a task, unless another future is ready first, such as a timer. A
            /// message that is here is received even if the other future is ready as well.
            ///
            /// ```
            /// # futures::executor::block_on(async {
            /// let (_chan, mut port) = pipes::stream::<u32>();
            /// let stopped = port.recv_or(std::future::ready("stop")).await;
            /// assert_eq!(stopped, Err(pipes::RecvOrError::Other((), "stop")));
            /// # });
            /// ```
            ///
            /// # Cancel safety
            ///
            /// Cancel-safe, as `recv_async`, if the other future is.
            ///
            /// # Errors
            ///
            /// `Other` if the other future was ready and no message was here; `Closed` if the other side was
            /// dropped and every value was received.
            pub fn recv_or<F: std::future::Future>(
                &mut self,
                other: F,
            ) -> impl std::future::Future<
                Output = Result<$message, $crate::RecvOrError<(), F::Output>>,
            > {
                $crate::endpoint::recv_or(self, other, |_| ())
            }

            /// Waits, in a task, until a receive would not block.
            ///
            /// ```
            /// # futures::executor::block_on(async {
            /// let (mut chan, mut port) = pipes::stream();
            /// std::thread::spawn(move || chan.send(1));
            /// port.ready().await;
            /// assert_eq!(port.try_recv(), Ok(1));
            /// # });
            /// ```
            ///
            /// # Cancel safety
            ///
            /// Cancel-safe: the future receives nothing.
            #[track_caller]
            pub fn ready(&mut self) -> $crate::ReadyFuture<'_, Self> {
                $crate::Readiness::ready(self)
            }

            /// Polls until a receive would not block. The task is woken when that happens; only the most
            /// recent poll's waker is kept.
            ///
            /// ```
            /// use std::task::{Context, Waker};
            ///
            /// let (mut chan, mut port) = pipes::stream();
            /// let mut cx = Context::from_waker(Waker::noop());
            /// assert!(port.poll_ready(&mut cx).is_pending());
            /// chan.send(1)?;
            /// assert!(port.poll_ready(&mut cx).is_ready());
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[inline]
            pub fn poll_ready(&mut self, cx: &mut std::task::Context<'_>) -> std::task::Poll<()> {
                $crate::Readiness::poll_ready(self, cx)
            }

            /// Returns `true` if a message is here. `true` stays true until it is received; `false` may
            /// already be stale. In a stream of capacity 0, `true` promises the sender that its value will be
            /// received, so that it cannot take the value back.
            ///
            /// ```
            /// let (mut chan, port) = pipes::stream();
            /// assert!(!port.is_ready());
            /// chan.send(1)?;
            /// assert!(port.is_ready());
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn is_ready(&self) -> bool {
                $crate::Readiness::is_ready(self)
            }

            /// Returns `true` if the other side was dropped and there is nothing left to receive. `true`
            /// stays true; `false` may already be stale.
            ///
            /// ```
            /// let (mut chan, mut port) = pipes::stream();
            /// chan.send(1)?;
            /// drop(chan);
            /// assert!(!port.is_closed(), "there is a value left");
            /// port.recv()?;
            /// assert!(port.is_closed());
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn is_closed(&self) -> bool {
                $crate::Readiness::is_closed(self)
            }
        }
    };
}
pub(crate) use __port_verbs;

/// Implements the traits of a type by calling the [`Port`](crate::Port) in the named field: waiting,
/// receiving, membership in sets. `inspect` shows it as `$end`.
macro_rules! __port_inside {
    (impl [$($generics:tt)*] for $outer:ty, port $port:tt of $message:ty, shown as $end:literal $(where [$($bounds:tt)*])?) => {
        impl<$($generics)*> $crate::Receive for &mut $outer $(where $($bounds)*)? {
            type Message = $message;

            #[inline]
            fn try_recv(self) -> Result<$message, $crate::TryRecvError<Self>> {
                self.$port.try_recv().map_err(|error| error.map(|()| self))
            }
        }

        impl<$($generics)*> $crate::Readiness for $outer $(where $($bounds)*)? {
            #[inline]
            fn poll_ready(&mut self, cx: &mut std::task::Context<'_>) -> std::task::Poll<()> {
                self.$port.poll_ready(cx)
            }

            #[inline]
            fn wait(&mut self, deadline: Option<std::time::Instant>) -> bool {
                let end = const { &$crate::wait::EndInfo::receiver::<$message>($end) };
                self.$port.wait_as(deadline, end, std::panic::Location::caller())
            }

            fn is_ready(&self) -> bool {
                self.$port.is_ready()
            }

            fn is_closed(&self) -> bool {
                self.$port.is_closed()
            }

            fn would_block(&self) -> bool {
                $crate::Readiness::would_block(&self.$port)
            }

            fn ends(&self, list: &mut $crate::wait::EndList) {
                let end = const { &$crate::wait::EndInfo::receiver::<$message>($end) };
                list.add(end, self.$port.channel());
            }
        }

        impl<$($generics)*> $crate::__private::Sealed for $outer $(where $($bounds)*)? {}

        impl<$($generics)*> $crate::Member for $outer $(where $($bounds)*)? {
            type Message = $message;

            fn turn(place: &mut Option<Self>) -> Option<Result<$message, $crate::Closed>> {
                $crate::endpoint::turn_of_port(place, |it| it.$port.try_recv())
            }

            fn register_token(&mut self, token: $crate::slot::Token) -> Result<(), $crate::slot::Token> {
                $crate::Member::register_token(&mut self.$port, token)
            }

            fn unregister_token(&mut self) -> Option<$crate::slot::Token> {
                $crate::Member::unregister_token(&mut self.$port)
            }
        }

        $crate::endpoint::__port_verbs! {
            impl [$($generics)*] for $outer, message $message, all $(where [$($bounds)*])?
        }
    };
}
pub(crate) use __port_inside;
