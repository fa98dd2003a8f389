//! The macros, which select from any number of receivers and chans of any types, in variables.

/// Waits until one of several receivers is ready, or one of several chans has room, and runs its arm.
///
/// Blocks the thread; in a task, use [`select_async!`](crate::select_async!) instead.
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
/// | `pattern = variable, if condition => …` | the condition held before the wait, and the receiver is ready |
/// | `pattern = variable.send(value) => …` | the chan in the variable can send without waiting: there is room, or its port has left |
/// | `pattern = variable.send(value), if condition => …` | the condition held before the wait, and the chan can send |
/// | `timeout(duration) => …` | `duration` has passed, and none of these is ready |
/// | `default => …` | none of these is ready; with this arm the macro never blocks |
/// | `else => …` | all conditions were false, so there is nothing to wait for. Required if every arm has a condition, and not allowed otherwise |
///
/// A receiver is one of these; each may have a different type:
///
/// | receiver | what it receives |
/// |---|---|
/// | an endpoint whose turn it is to receive, or one in any state, such as `ReceivingServer` | a message, with the next endpoint |
/// | [`PortOne`](crate::PortOne), [`Port`](crate::Port), [`DuplexStream`](crate::DuplexStream) | a value |
/// | `Listener` | the server's end of the next client's pipe |
/// | [`BroadcastPort`](crate::BroadcastPort) | a value |
/// | [`LaggingPort`](crate::LaggingPort) | `Ok` with a value, or `Err` with the number of those that it has missed |
/// | [`WatchPort`](crate::WatchPort) | `()`, when the value has changed |
/// | [`PortSet`](crate::PortSet) | a member's key, with what the member receives |
///
/// It must be in a variable that is `mut`, because waiting registers with it; a port, a listener or a set may
/// also be behind a `&mut` reference in such a variable. So borrow one that is in a field before the macro:
/// `let mut port = &mut self.port;`. An arm gets what `recv()` returns: a `Result`, so a close is a case like
/// any other. The value of the macro is that of the arm; `?`,
/// `break`, `continue` and `return` in an arm work as in the code around the macro.
///
/// The macro takes one or more receivers or chans, and at most one of `timeout` and `default`.
///
/// The macro looks at the arms one after the other. Before it runs `default` or `timeout`, each receiver was
/// empty when the first of them was looked at. Room in a stream with many senders may be taken by others in
/// the meantime, so of a sending arm this only says that there was no room when it was looked at.
///
/// A [`SharedPort`](crate::SharedPort) is no receiver here: another receiver could take the message between
/// the wait and the receive.
///
/// `timeout` starts anew each time the macro is evaluated, and an arm that is ready goes first. In a loop
/// that must end at a deadline, compare the deadline with `Instant::now()` before the macro; `timeout` alone
/// does not end a loop with an arm that is always ready.
///
/// In a loop, use conditions for receivers that have ended. A port whose sender has left is always ready,
/// with an error, and so is a set without members. Without a condition the loop would spin:
///
/// ```
/// let (mut chan, mut port) = pipes::stream();
/// let mut set = pipes::PortSet::new();
/// let mut open = true;
/// # let (mut member, members_port) = pipes::stream();
/// # chan.send(members_port)?; member.send(5)?; drop((chan, member));
/// let mut sum = 0;
/// loop {
///     pipes::select! {
///         newcomer = port, if open => match newcomer {
///             Ok(newcomer) => drop(set.insert(newcomer)),
///             Err(_) => open = false,
///         },
///         turn = set, if !set.is_empty() => match turn? {
///             (_, Ok(number)) => sum += number,
///             (_, Err(pipes::Closed)) => {}
///         },
///         else => break,
///     }
/// }
/// assert_eq!(sum, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Arms that send
///
/// The chan is a [`Chan`](crate::Chan), a [`SharedChan`](crate::SharedChan), a
/// [`DuplexStream`](crate::DuplexStream), or the chan of a [`broadcast()`](crate::broadcast()) or a
/// [`broadcast_lagging()`](crate::broadcast_lagging()), in a variable that is `mut`, or a reference to one in
/// such a variable; for a `SharedChan`, a `&` reference is enough. The arm gets what `send` returns. An
/// unbounded stream always has room.
///
/// The value is evaluated only if the arm is chosen, when there is room; it cannot use the chan itself. If it
/// panics or leaves the arm, by `?`, `break`, `continue` or `return`, nothing is sent, and the room is free
/// again. So the value may be taken from where it would be lost if it were not sent, such as a queue:
///
/// ```
/// use std::collections::VecDeque;
///
/// let (mut source, mut port) = pipes::stream();
/// let (mut chan, sink) = pipes::sync_stream(2);
/// let printing = std::thread::spawn(move || sink.into_iter().collect::<Vec<_>>());
/// source.send_all(&mut vec!["a", "b", "c"])?;
/// drop(source);
///
/// let (mut queue, mut open) = (VecDeque::new(), true);
/// loop {
///     pipes::select! {
///         line = port, if open && queue.len() < 8 => match line {
///             Ok(line) => queue.push_back(line),
///             Err(_) => open = false,
///         },
///         sent = chan.send(queue.pop_front().unwrap()), if !queue.is_empty() => sent?,
///         else => break,
///     }
/// }
/// drop(chan);
/// assert_eq!(printing.join().expect("it does not panic"), ["a", "b", "c"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// In a [`shared_sync_stream()`](crate::shared_sync_stream()) and in a [`broadcast()`](crate::broadcast())
/// the arm waits in the queue of senders. If another arm runs, it leaves the queue, and room that it was
/// granted in the meantime goes to the next sender. What the chan has reserved as a `Sink` is not used, and
/// is kept.
///
/// # Priorities
///
/// With `biased;` before all arms, the macro looks at the arms in the order in which they are written, and
/// the first that is ready runs, whether it receives or sends. So a stream with two lanes, one for what is
/// urgent, is two streams and this macro:
///
/// ```
/// let (mut urgent, mut urgent_port) = pipes::stream();
/// let (mut ordinary, mut ordinary_port) = pipes::stream();
/// ordinary.send_all(&mut vec!["one", "two"])?;
/// urgent.send("stop")?;
///
/// let mut received = Vec::new();
/// for _ in 0..3 {
///     pipes::select! {
///         biased;
///         word = urgent_port => received.push(word?),
///         word = ordinary_port => received.push(word?),
///     }
/// }
/// assert_eq!(received, ["stop", "one", "two"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An arm that is always ready then starves all arms behind it. So is a receiver whose sender has left: give
/// its arm a condition, or leave the loop. `timeout` and `default` still run only if no arm is ready,
/// wherever they stand.
///
/// If one arm is to go first and all others are to have the same chance, put the others into an inner macro,
/// which runs when the first one is not ready:
///
/// ```
/// let (mut command, mut commands) = pipes::stream();
/// let ((mut left, mut lefts), (mut right, mut rights)) = (pipes::stream(), pipes::stream());
/// (left.send("left")?, right.send("right")?, command.send("stop")?);
///
/// let word = pipes::select! {
///     word = commands => word?,
///     default => pipes::select! {
///         word = commands => word?,
///         word = lefts => word?,
///         word = rights => word?,
///     },
/// };
/// assert_eq!(word, "stop");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What is usable afterwards
///
/// Only the chosen receiver is used: an endpoint is moved, as by `recv()`; a port, a set or a chan is
/// borrowed. The arm may use the other receivers, and all chans. After the macro, a variable that held an
/// endpoint is usable if its own arm has assigned a new endpoint to it, or has left the function or the loop.
/// An endpoint that is no longer usable is dropped at the end of its variable's scope.
///
/// ```
/// # #[cfg(feature = "proto")] {
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
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// If the loop goes on after an endpoint's session has ended, there is no next endpoint for the variable, and
/// a condition does not help: the variable has to hold an endpoint in each round. Make the endpoint the only
/// member of a [`PortSet`](crate::PortSet), which may be empty:
///
/// ```
/// # #[cfg(feature = "proto")] {
/// # pipes::proto! { counting { more: send { add(u32) -> more } } }
/// # let (counter, endpoint) = counting::pipe();
/// # drop(counter.add(1)?.add(2)?);
/// # let (mut chan, mut words) = pipes::stream();
/// # chan.send_all(&mut vec!["three", "four"])?;
/// # drop(chan);
/// let mut counts = pipes::PortSet::new();
/// counts.insert(endpoint);
/// let (mut open, mut sum, mut said) = (true, 0, Vec::new());
/// loop {
///     pipes::select! {
///         count = counts, if !counts.is_empty() => match count?.1 {
///             Ok(counting::More::Add(number, next)) => {
///                 sum += number;
///                 counts.insert(next);
///             }
///             // The counter has left, and with it the set's member.
///             Err(pipes::Closed) => {}
///         },
///         word = words, if open => match word {
///             Ok(word) => said.push(word),
///             Err(_) => open = false,
///         },
///         else => break,
///     }
/// }
/// assert_eq!((sum, said), (3, vec!["three", "four"]));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Fairness and cost
///
/// Each of the arms that are ready is chosen with the same probability, wherever the others stand. So without
/// `biased;`, an arm that is always ready does not starve the others. The macro looks at the arms in random
/// order, up to one that is ready: O(arms). For many receivers of one type use a set, which may be one of the
/// receivers here. If the arms are known only at run time, use a [`Select`](crate::Select).
///
/// # Panics
///
/// Panics if an arm sends into a [`sync_stream(0)`](crate::sync_stream()): there a sender has no room to wait
/// for, because its value is taken only while it waits. It does not panic if all conditions are false.
#[macro_export]
macro_rules! select {
    (biased; $($arms:tt)*) => {
        $crate::__select! { @arms [thread true] [[] [] [] [] []] $($arms)* }
    };
    ($($arms:tt)*) => {
        $crate::__select! { @arms [thread false] [[] [] [] [] []] $($arms)* }
    };
}

/// Waits, in a task, until one of several receivers is ready, or one of several chans has room, and runs its
/// arm: [`select!`] for tasks.
///
/// Use it as an expression in an `async` block or function. It needs no runtime. The syntax is that of
/// [`select!`], with `biased;` too, except that `timeout` takes a future, such as a timer of your runtime:
/// `timeout(tokio::time::sleep(limit)) => …`. All arms wait for receivers and chans of this crate; to wait
/// for other futures too, a socket or a signal, use your runtime's `select!` with `recv_async()` of a port,
/// `ready()` of an endpoint, or `reserve_async()` of a [`SharedChan`](crate::SharedChan).
///
/// # Cancel safety
///
/// Cancel-safe: if the task is dropped while it waits, nothing was received, no value was evaluated, and room
/// that was reserved is free again.
///
/// # Panics
///
/// Panics if an arm sends into a [`sync_stream(0)`](crate::sync_stream()); see [`select!`].
///
/// ```
/// # pipes::block_on(async {
/// let (chan, mut first) = pipes::oneshot();
/// let (_silent, mut second) = pipes::stream::<u32>();
/// std::thread::spawn(move || chan.send("from a thread"));
/// let got = pipes::select_async! {
///     word = first => word,
///     number = second => panic!("nothing was sent: {number:?}"),
/// };
/// assert_eq!(got, Ok("from a thread"));
/// # });
/// ```
#[macro_export]
macro_rules! select_async {
    (biased; $($arms:tt)*) => {
        $crate::__select! { @arms [task true] [[] [] [] [] []] $($arms)* }
    };
    ($($arms:tt)*) => {
        $crate::__select! { @arms [task false] [[] [] [] [] []] $($arms)* }
    };
}
