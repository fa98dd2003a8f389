//! What the macros become: the arms taken apart, the wait, and the code of the arms.

/// Receives from the chosen receiver, whose `recv` does not block then.
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __received {
    ($receiver:ident) => {
        $receiver.recv()
    };
}

/// Receives from the chosen receiver. A page cannot use `recv`, which could block elsewhere.
#[cfg(target_family = "wasm")]
#[doc(hidden)]
#[macro_export]
macro_rules! __received {
    ($receiver:ident) => {
        $receiver.__recv()
    };
}

/// Takes the arms apart, and generates the wait and the code of the arms.
///
/// `at!` makes the compiler report an error in a receiver, or in another part, at the place where it was
/// written.
///
/// `@arms [WHO BIASED] [[receivers] [guards] [default] [timeout] [else]] the arms that are left`
///
/// The guards are words, `always` for each arm without a condition, and then `guarded` for each other one.
///
/// An arm that sends is among the receivers. What waits there is its request for room, a variable of its own:
/// each expansion of a rule gives `__request` another identity. All requests end before the code of an arm
/// runs. That of the chosen arm ends with the send, or with its value, if that panics or leaves the arm.
#[doc(hidden)]
#[macro_export]
macro_rules! __select {
    // One arm's head.
    (@arms $how:tt $lists:tt biased; $($rest:tt)*) => {
        ::core::compile_error!("`biased;` is written once, before all arms")
    };
    (@arms $how:tt $lists:tt default => $($rest:tt)*) => {
        $crate::__select! { @body $how $lists [default] $($rest)* }
    };
    (@arms $how:tt $lists:tt else => $($rest:tt)*) => {
        $crate::__select! { @body $how $lists [else] $($rest)* }
    };
    (@arms [task $biased:tt] $lists:tt timeout(Duration::$constructor:ident $(($($arguments:tt)*))?) => $($more:tt)*) => {
        $crate::__private::at! { $constructor => ::core::compile_error!("in `select_async!` a timeout is a future, such as a timer of your runtime: `timeout(tokio::time::sleep(duration)) => …`") }
    };
    (@arms $how:tt $lists:tt timeout($limit:expr) => $($rest:tt)*) => {
        $crate::__select! { @body $how $lists [timeout $limit] $($rest)* }
    };
    (@arms $how:tt $lists:tt $message:pat = $receiver:ident, if $guard:expr => $($rest:tt)*) => {
        $crate::__select! { @body $how $lists [guarded $message, $receiver, $guard, $receiver []] $($rest)* }
    };
    (@arms $how:tt $lists:tt $message:pat = $receiver:ident => $($rest:tt)*) => {
        $crate::__select! { @body $how $lists [receiver $message, $receiver, true, $receiver []] $($rest)* }
    };
    (@arms $how:tt $lists:tt $result:pat = $chan:ident.send($value:expr), if $guard:expr => $($rest:tt)*) => {
        $crate::__select! { @body $how $lists [guarded $result, $chan, $guard, __request [__request $value]] $($rest)* }
    };
    (@arms $how:tt $lists:tt $result:pat = $chan:ident.send($value:expr) => $($rest:tt)*) => {
        $crate::__select! { @body $how $lists [receiver $result, $chan, true, __request [__request $value]] $($rest)* }
    };
    (@arms $how:tt $lists:tt $result:pat = $chan:ident.$method:ident($($values:tt)*) $($rest:tt)*) => {
        $crate::__private::at! { $method => ::core::compile_error!("the only call in an arm is `result = chan.send(value) => …`, with one value; to receive, name the variable: `message = receiver => …`") }
    };
    (@arms [thread $biased:tt] $lists:tt $result:pat = $first:ident $(:: $rest:ident)* ($($arguments:tt)*) $($more:tt)*) => {
        $crate::__private::at! { $first => ::core::compile_error!("a receiver is named by a variable here, not made by a call; to limit the wait, write `timeout(duration) => …`") }
    };
    (@arms [task $biased:tt] $lists:tt $result:pat = $first:ident $(:: $rest:ident)* ($($arguments:tt)*) $($more:tt)*) => {
        $crate::__private::at! { $first => ::core::compile_error!("a receiver is named by a variable here, not made by a call; to wait for a timer or another future, write `timeout(future) => …`") }
    };
    (@arms $how:tt $lists:tt $message:pat = $place:expr $(, if $guard:expr)? => $($rest:tt)*) => {
        $crate::__private::at! { $place => ::core::compile_error!("a receiver or a chan is named by a variable here, not by a field or another expression: put it into a variable first") }
    };
    (@arms $how:tt $lists:tt) => {
        $crate::__select! { @check $how $lists }
    };
    (@arms $how:tt $lists:tt $first:tt $($rest:tt)*) => {
        $crate::__private::at! { $first => ::core::compile_error!("an arm is `message = receiver => …`, `message = receiver, if condition => …`, `result = chan.send(value) => …`, `result = chan.send(value), if condition => …`, `default => …`, `timeout(limit) => …` or `else => …`; the limit is a duration in `select!`, and a future in `select_async!`") }
    };

    // Its body: a block, or an expression up to a comma. `$body:block` would not do: it does not backtrack if
    // it meets an expression that another macro has matched.
    (@body $how:tt $lists:tt $head:tt { $($body:tt)* }, $($rest:tt)*) => {
        $crate::__select! { @arm $how $lists $head [{ $($body)* }] $($rest)* }
    };
    (@body $how:tt $lists:tt $head:tt { $($body:tt)* } $($rest:tt)*) => {
        $crate::__select! { @arm $how $lists $head [{ $($body)* }] $($rest)* }
    };
    (@body $how:tt $lists:tt $head:tt $body:expr $(, $($rest:tt)*)?) => {
        $crate::__select! { @arm $how $lists $head [$body] $($($rest)*)? }
    };

    // Moves the head and the body into the list of their kind.
    (@arm $how:tt [$receivers:tt $guards:tt [$($defaults:tt)*] $timeouts:tt $elses:tt] [default] $body:tt $($rest:tt)*) => {
        $crate::__select! { @arms $how [$receivers $guards [$($defaults)* $body] $timeouts $elses] $($rest)* }
    };
    (@arm $how:tt [$receivers:tt $guards:tt $defaults:tt $timeouts:tt [$($elses:tt)*]] [else] $body:tt $($rest:tt)*) => {
        $crate::__select! { @arms $how [$receivers $guards $defaults $timeouts [$($elses)* $body]] $($rest)* }
    };
    (@arm $how:tt [$receivers:tt $guards:tt $defaults:tt [$($timeouts:tt)*] $elses:tt] [timeout $limit:expr] $body:tt $($rest:tt)*) => {
        $crate::__select! { @arms $how [$receivers $guards $defaults [$($timeouts)* [$limit] $body] $elses] $($rest)* }
    };
    (@arm $how:tt [[$($receivers:tt)*] [$($guards:tt)*] $defaults:tt $timeouts:tt $elses:tt] [guarded $($head:tt)*] $body:tt $($rest:tt)*) => {
        $crate::__select! { @arms $how [[$($receivers)* [$($head)*, $body]] [$($guards)* guarded] $defaults $timeouts $elses] $($rest)* }
    };
    (@arm $how:tt [[$($receivers:tt)*] [$($guards:tt)*] $defaults:tt $timeouts:tt $elses:tt] [receiver $($head:tt)*] $body:tt $($rest:tt)*) => {
        $crate::__select! { @arms $how [[$($receivers)* [$($head)*, $body]] [always $($guards)*] $defaults $timeouts $elses] $($rest)* }
    };

    // All arms are known.
    (@check $how:tt [[] $guards:tt $defaults:tt $timeouts:tt $elses:tt]) => {
        ::core::compile_error!("there is no receiver to wait for: `select! { message = receiver => … }`")
    };
    (@check $how:tt [$receivers:tt $guards:tt [$first:tt $second:tt $($more:tt)*] $timeouts:tt $elses:tt]) => {
        ::core::compile_error!("there can be one `default` only")
    };
    (@check $how:tt [$receivers:tt $guards:tt $defaults:tt [$l:tt $first:tt $m:tt $second:tt $($more:tt)*] $elses:tt]) => {
        ::core::compile_error!("there can be one `timeout` only")
    };
    (@check $how:tt [$receivers:tt $guards:tt $defaults:tt $timeouts:tt [$first:tt $second:tt $($more:tt)*]]) => {
        ::core::compile_error!("there can be one `else` only")
    };
    (@check $how:tt [$receivers:tt $guards:tt [$default:tt] [$limit:tt $late:tt] $elses:tt]) => {
        ::core::compile_error!("with `default` there is no waiting that a `timeout` could end: leave one of the two out")
    };
    (@check $how:tt [$receivers:tt [always $($guards:tt)*] $defaults:tt $timeouts:tt [$else:tt]]) => {
        ::core::compile_error!("`else` is for when no receiver is left to wait for: with an arm without an `if` that never happens")
    };
    (@check $how:tt [$receivers:tt [guarded $($guards:tt)*] $defaults:tt $timeouts:tt []]) => {
        ::core::compile_error!("if every arm has an `if`, an arm `else => …` is required, which runs when no condition holds")
    };
    (@check $how:tt [[$([$message:pat, $receiver:ident, $guard:expr, $waits:ident $send:tt, [$body:expr]])+] [$(always)+] $defaults:tt $timeouts:tt []]) => {
        $crate::__select! { @limit $how [$([$message, $receiver, $waits $send, $body])+] [$($guard),+] $defaults $timeouts }
    };
    // Conditions are evaluated before chans are borrowed.
    (@check $how:tt [[$([$message:pat, $receiver:ident, $guard:expr, $waits:ident $send:tt, [$body:expr]])+] $guards:tt $defaults:tt $timeouts:tt []]) => {{
        let __enabled = [$(if $guard { true } else { false }),+];
        $crate::__select! { @limit $how [$([$message, $receiver, $waits $send, $body])+] __enabled $defaults $timeouts }
    }};
    (@check $how:tt [[$([$message:pat, $receiver:ident, $guard:expr, $waits:ident $send:tt, [$body:expr]])+] $guards:tt $defaults:tt $timeouts:tt [[$none:expr]]]) => {{
        let __enabled = [$(if $guard { true } else { false }),+];
        if <[::core::primitive::bool]>::contains(&__enabled, &true) {
            $crate::__select! { @limit $how [$([$message, $receiver, $waits $send, $body])+] __enabled $defaults $timeouts }
        } else {
            $none
        }
    }};

    // The limit of the wait is evaluated before chans are borrowed.
    (@limit [thread $biased:tt] $arms:tt $enabled:tt [] [[$limit:expr] $late:tt]) => {{
        let __limit = $crate::__private::at! { $limit => $crate::__private::deadline_after }($limit);
        $crate::__select! { @requests [thread $biased] $arms $enabled [] [[$limit, __limit] $late] }
    }};
    (@limit [task $biased:tt] $arms:tt $enabled:tt [] [[$limit:expr] $late:tt]) => {{
        let __limit = $limit;
        $crate::__select! { @requests [task $biased] $arms $enabled [] [[$limit, __limit] $late] }
    }};
    (@limit $how:tt $arms:tt $enabled:tt $defaults:tt $timeouts:tt) => {
        $crate::__select! { @requests $how $arms $enabled $defaults $timeouts }
    };

    // The requests of the arms that send.
    (@requests $how:tt [$([$message:pat, $receiver:ident, $waits:ident [], $body:expr])+] $enabled:tt $defaults:tt $timeouts:tt) => {
        $crate::__select! { @run $how [] [$([$message, $receiver, $waits [], $body])+] $enabled $defaults $timeouts }
    };
    (@requests $how:tt [$([$message:pat, $receiver:ident, $waits:ident [$($request:ident $value:expr)?], $body:expr])+] $enabled:tt $defaults:tt $timeouts:tt) => {{
        $($(
            let mut $request = $crate::__private::at! { $receiver => $crate::__private::SendArm::request_room(&mut $receiver) };
        )?)+
        $crate::__select! {
            @run $how [$($($request)?)+] [$([$message, $receiver, $waits [$($request $value)?], $body])+] $enabled $defaults $timeouts
        }
    }};
    (@end [$($request:ident)+]) => { $({ let __ended = $request; })+ };

    // The wait; then the arm of what was chosen, which is identified by its place in the list.
    (@run $how:tt $requests:tt [$([$message:pat, $receiver:ident, $waits:ident $send:tt, $body:expr])+] $enabled:tt $defaults:tt $timeouts:tt) => {{
        let mut __arms = 0_usize..;
        match $crate::__select! { @wait $how [$([$receiver $waits])+] $enabled $defaults $timeouts } {
            $(__chosen if ::core::option::Option::is_some(&__chosen) && __chosen == ::core::iter::Iterator::next(&mut __arms) => {
                let $message = $crate::__select! { @outcome $requests $receiver $send };
                $body
            })+
            _ => $crate::__select! { @otherwise $requests $defaults $timeouts },
        }
    }};
    (@outcome [] $receiver:ident []) => {
        $crate::__private::at! { $receiver => $crate::__received!($receiver) }
    };
    (@outcome $requests:tt $receiver:ident []) => {{
        $crate::__select! { @end $requests }
        $crate::__private::at! { $receiver => $crate::__received!($receiver) }
    }};
    (@outcome $requests:tt $chan:ident [$request:ident $value:expr]) => {{
        let mut __chosen = $request;
        // The name is in the list of all requests.
        let $request = ();
        $crate::__select! { @end $requests }
        $crate::__private::at!($chan => $crate::__private::SendRequest::send)(&mut __chosen, $value)
    }};
    (@wait [$who:ident $biased:tt] $waits:tt $enabled:tt [$default:tt] []) => {
        $crate::__private::choose_now::<$biased, _>($crate::__select! { @all $waits }, &mut $crate::__private::Enabled::new($enabled))
    };
    (@wait [thread $biased:tt] $waits:tt $enabled:tt [] []) => {
        $crate::__private::choose::<$biased, _>($crate::__select! { @all $waits }, &mut $crate::__private::Enabled::new($enabled), ::core::option::Option::None)
    };
    (@wait [thread $biased:tt] $waits:tt $enabled:tt [] [[$limit:expr, $deadline:ident] $late:tt]) => {
        $crate::__private::choose::<$biased, _>($crate::__select! { @all $waits }, &mut $crate::__private::Enabled::new($enabled), $deadline)
    };
    (@wait [task $biased:tt] $waits:tt $enabled:tt [] []) => {{
        let mut __wait = $crate::__private::PendingWait::new();
        ::core::future::poll_fn(|__cx| {
            $crate::__private::poll_choose::<$biased, _>($crate::__select! { @all $waits }, &mut $crate::__private::Enabled::new($enabled), &mut __wait, __cx)
                .map(::core::option::Option::Some)
        })
        .await
    }};
    (@wait [task $biased:tt] $waits:tt $enabled:tt [] [[$limit:expr, $future:ident] $late:tt]) => {{
        // It has a type of its own, so that an expression that is no future is reported once.
        let mut __limit = ::core::pin::pin!($crate::__private::at! { $limit => async move { let _ = $future.await; } });
        let mut __wait = $crate::__private::PendingWait::new();
        ::core::future::poll_fn(|__cx| {
            let __chosen = $crate::__private::poll_choose::<$biased, _>($crate::__select! { @all $waits }, &mut $crate::__private::Enabled::new($enabled), &mut __wait, __cx);
            if let ::core::task::Poll::Ready(__index) = __chosen {
                return ::core::task::Poll::Ready(::core::option::Option::Some(__index));
            }
            // An arm may have become ready, or the selection has given way.
            ::core::future::Future::poll(::core::pin::Pin::as_mut(&mut __limit), __cx)
                .map(|()| $crate::__private::choose_now::<$biased, _>($crate::__select! { @all $waits }, &mut $crate::__private::Enabled::new($enabled)))
        })
        .await
    }};
    (@all [$([$receiver:ident $waits:ident])+]) => {
        &mut [$($crate::__private::at! { $receiver => &mut $waits as &mut dyn $crate::Readiness }),+]
    };
    (@otherwise [] [[$default:expr]] []) => { $default };
    (@otherwise [] [] [$limit:tt [$late:expr]]) => { $late };
    (@otherwise [] [] []) => {
        ::core::unreachable!("a wait without a limit ends with one of its arms")
    };
    (@otherwise $requests:tt $defaults:tt $timeouts:tt) => {{
        $crate::__select! { @end $requests }
        $crate::__select! { @otherwise [] $defaults $timeouts }
    }};
}

/// `at!(where => what)` without a procedural macro: the result has the place of the whole call.
#[cfg(not(feature = "proto"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __at {
    ($place:tt => $($what:tt)*) => { $($what)* };
}

#[cfg(not(feature = "proto"))]
pub use __at as at;
