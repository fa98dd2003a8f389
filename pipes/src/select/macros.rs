//! The macros: any number of receivers of any types, as variables.

/// Waits for whichever of several receivers is first, and runs its arm. Blocks the thread.
///
/// ```
/// use std::time::Duration;
///
/// let (mut words, mut words_port) = pipes::stream();
/// let (number, mut number_port) = pipes::oneshot::<u32>();
/// words.send("hello")?;
///
/// let said = pipes::select! {
///     word = words_port => format!("the word {}", word?),
///     number = number_port => format!("the number {}", number? + 1),
///     timeout(Duration::from_secs(10)) => "nothing".to_owned(),
/// };
/// assert_eq!(said, "the word hello");
/// drop(number);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Arms
///
/// | arm | when |
/// |---|---|
/// | `pattern = variable => …` | the receiver in the variable has a message, or its sender has left |
/// | `timeout(duration) => …` | nobody was ready for so long |
/// | `default => …` | nobody is ready now; the macro then never blocks |
///
/// A receiver is an endpoint whose turn it is to receive, a port, or a [`PortSet`](crate::PortSet), each of a type of its own, in
/// a variable (not a field) that is `mut`, because waiting leaves a mark in it. What an arm gets is what `recv()` gives: a `Result`, so
/// that a close is a case like others, and a `match` in the arm is checked by the compiler as anywhere. The value of the macro is
/// that of the arm; `?`, `break`, `continue` and `return` in an arm mean what they mean around it.
///
/// At least one receiver is needed, at most one `timeout` and at most one `default`, not both.
///
/// # What is usable afterwards
///
/// Only the chosen receiver is used: an endpoint is moved, as by `recv()`, a port or a set is borrowed. The others are usable in
/// that arm. After the macro a variable is usable if its own arm has put an endpoint into it again, or has left the
/// function or the loop:
///
/// ```
/// pipes::proto! {
///     counting { more: send { add(u32) -> more } }
///     naming { name: send { call(&'static str) -> ! } }
/// }
///
/// let (counter, mut counts) = counting::pipe();
/// let (namer, mut names) = naming::pipe();
/// counter.add(1)?.add(2)?;
/// namer.call("three")?;
///
/// let mut sum = 0;
/// let name = loop {
///     pipes::select! {
///         count = counts => match count {
///             Ok(counting::More::Add(number, next)) => (sum, counts) = (sum + number, next),
///             // The counter has left: only the name is still to come.
///             Err(_) => break names.recv()?,
///         },
///         name = names => break name?,
///     }
/// };
/// assert!(sum <= 3);
/// assert!(matches!(name, naming::Name::Call("three")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Fairness and cost
///
/// Each time the look around begins at a random receiver, so that one that is always ready does not starve the others. It takes
/// time for each receiver; for many of one type use a set, which may be one of the receivers here.
#[macro_export]
macro_rules! select {
    ($($arms:tt)*) => {
        $crate::__select! { @arms thread [] [] [] $($arms)* }
    };
}

/// Waits for whichever of several receivers is first, in a task, and runs its arm: the sister of [`select!`] for tasks.
///
/// It is used as an expression in an `async` block or function, needs no runtime, and is cancel-safe: if the task is dropped
/// while it waits, nothing was received. All is as for [`select!`], except that `timeout` takes a future, the timer of your
/// runtime, which ends the wait: `timeout(tokio::time::sleep(limit)) => …`.
///
/// ```
/// # fn block_on<F: std::future::Future>(future: F) -> F::Output {
/// #     let mut future = std::pin::pin!(future);
/// #     let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
/// #     loop {
/// #         if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut cx) { return output }
/// #         std::thread::yield_now();
/// #     }
/// # }
/// # block_on(async {
/// let (chan, mut first) = pipes::oneshot();
/// let (_silent, mut second) = pipes::stream::<u32>();
/// std::thread::spawn(move || chan.send("from a thread"));
/// let got = pipes::select_async! {
///     word = first => word,
///     number = second => panic!("nobody sends {number:?}"),
/// };
/// assert_eq!(got, Ok("from a thread"));
/// # });
/// ```
#[macro_export]
macro_rules! select_async {
    ($($arms:tt)*) => {
        $crate::__select! { @arms task [] [] [] $($arms)* }
    };
}

/// Takes the arms apart, and puts together what waits and what runs.
///
/// `@arms WHO [receivers] [default] [timeout] the arms that are left`
#[doc(hidden)]
#[macro_export]
macro_rules! __select {
    // The arms, one after the other. A body is a block, or an expression up to a comma.
    (@arms $who:ident $receivers:tt [$($default:tt)*] $timeout:tt default => $body:block, $($rest:tt)*) => {
        $crate::__select! { @arms $who $receivers [$($default)* [$body]] $timeout $($rest)* }
    };
    (@arms $who:ident $receivers:tt [$($default:tt)*] $timeout:tt default => $body:block $($rest:tt)*) => {
        $crate::__select! { @arms $who $receivers [$($default)* [$body]] $timeout $($rest)* }
    };
    (@arms $who:ident $receivers:tt [$($default:tt)*] $timeout:tt default => $body:expr $(, $($rest:tt)*)?) => {
        $crate::__select! { @arms $who $receivers [$($default)* [$body]] $timeout $($($rest)*)? }
    };
    (@arms $who:ident $receivers:tt $default:tt [$($timeout:tt)*] timeout($limit:expr) => $body:block, $($rest:tt)*) => {
        $crate::__select! { @arms $who $receivers $default [$($timeout)* [$limit, $body]] $($rest)* }
    };
    (@arms $who:ident $receivers:tt $default:tt [$($timeout:tt)*] timeout($limit:expr) => $body:block $($rest:tt)*) => {
        $crate::__select! { @arms $who $receivers $default [$($timeout)* [$limit, $body]] $($rest)* }
    };
    (@arms $who:ident $receivers:tt $default:tt [$($timeout:tt)*] timeout($limit:expr) => $body:expr $(, $($rest:tt)*)?) => {
        $crate::__select! { @arms $who $receivers $default [$($timeout)* [$limit, $body]] $($($rest)*)? }
    };
    (@arms $who:ident [$($receivers:tt)*] $default:tt $timeout:tt $message:pat = $receiver:ident => $body:block, $($rest:tt)*) => {
        $crate::__select! { @arms $who [$($receivers)* [$message, $receiver, $body]] $default $timeout $($rest)* }
    };
    (@arms $who:ident [$($receivers:tt)*] $default:tt $timeout:tt $message:pat = $receiver:ident => $body:block $($rest:tt)*) => {
        $crate::__select! { @arms $who [$($receivers)* [$message, $receiver, $body]] $default $timeout $($rest)* }
    };
    (@arms $who:ident [$($receivers:tt)*] $default:tt $timeout:tt $message:pat = $receiver:ident => $body:expr $(, $($rest:tt)*)?) => {
        $crate::__select! { @arms $who [$($receivers)* [$message, $receiver, $body]] $default $timeout $($($rest)*)? }
    };
    (@arms $who:ident $receivers:tt $default:tt $timeout:tt $message:pat = $place:expr => $($rest:tt)*) => {
        ::core::compile_error!("a receiver is named by a variable here, not by a field or another expression: put it into a variable first")
    };

    // All arms are known.
    (@arms $who:ident [] $default:tt $timeout:tt) => {
        ::core::compile_error!("there is no receiver to wait for: `select! { message = receiver => … }`")
    };
    (@arms $who:ident $receivers:tt [$first:tt $second:tt $($more:tt)*] $timeout:tt) => {
        ::core::compile_error!("there can be one `default` only")
    };
    (@arms $who:ident $receivers:tt $default:tt [$first:tt $second:tt $($more:tt)*]) => {
        ::core::compile_error!("there can be one `timeout` only")
    };
    (@arms $who:ident $receivers:tt [$default:tt] [$timeout:tt]) => {
        ::core::compile_error!("with `default` there is no waiting that a `timeout` could end: leave one of the two out")
    };
    (@arms $who:ident [$([$message:pat, $receiver:ident, $body:expr])+] [[$default:expr]] []) => {
        $crate::__select! {
            @run [$([$message, $receiver, $body])+] [$default]
            $crate::__private::choose_now(&mut [$(&mut $receiver as &mut dyn $crate::Readiness),+])
        }
    };
    (@arms thread [$([$message:pat, $receiver:ident, $body:expr])+] [] []) => {
        $crate::__select! {
            @run [$([$message, $receiver, $body])+]
            [::core::unreachable!("a wait without a limit ends with a receiver")]
            $crate::__private::choose(
                &mut [$(&mut $receiver as &mut dyn $crate::Readiness),+],
                ::core::option::Option::None,
            )
        }
    };
    (@arms thread [$([$message:pat, $receiver:ident, $body:expr])+] [] [[$limit:expr, $late:expr]]) => {
        $crate::__select! {
            @run [$([$message, $receiver, $body])+] [$late]
            $crate::__private::choose(
                &mut [$(&mut $receiver as &mut dyn $crate::Readiness),+],
                $crate::__private::deadline_after($limit),
            )
        }
    };
    (@arms task [$([$message:pat, $receiver:ident, $body:expr])+] [] []) => {
        $crate::__select! {
            @run [$([$message, $receiver, $body])+]
            [::core::unreachable!("a wait without a limit ends with a receiver")]
            ::core::future::poll_fn(|cx| {
                $crate::__private::poll_choose(&mut [$(&mut $receiver as &mut dyn $crate::Readiness),+], cx)
                    .map(::core::option::Option::Some)
            })
            .await
        }
    };
    (@arms task [$([$message:pat, $receiver:ident, $body:expr])+] [] [[$limit:expr, $late:expr]]) => {
        $crate::__select! {
            @run [$([$message, $receiver, $body])+] [$late]
            {
                let mut limit = ::core::pin::pin!(::core::future::IntoFuture::into_future($limit));
                ::core::future::poll_fn(|cx| {
                    let chosen =
                        $crate::__private::poll_choose(&mut [$(&mut $receiver as &mut dyn $crate::Readiness),+], cx);
                    if let ::core::task::Poll::Ready(index) = chosen {
                        return ::core::task::Poll::Ready(::core::option::Option::Some(index));
                    }
                    ::core::future::Future::poll(::core::pin::Pin::as_mut(&mut limit), cx)
                        .map(|_| ::core::option::Option::None)
                })
                .await
            }
        }
    };
    (@arms $who:ident $receivers:tt $default:tt $timeout:tt $($rest:tt)+) => {
        ::core::compile_error!("an arm is `message = receiver => …`, `default => …` or `timeout(duration) => …`")
    };

    // The arm of the receiver that was chosen, which is known by its place in the list.
    (@run [$([$message:pat, $receiver:ident, $body:expr])+] [$otherwise:expr] $($chosen:tt)+) => {{
        #[allow(non_camel_case_types)]
        enum __SelectArm { $($receiver),+ }
        match $($chosen)+ {
            $(::core::option::Option::Some(index) if index == __SelectArm::$receiver as ::core::primitive::usize => {
                let $message = $receiver.recv();
                $body
            })+
            _ => $otherwise,
        }
    }};
}
