//! Protocols as types, and the bound on their messages.

/// A protocol as a type. In every module that [`proto!`](crate::proto!) generates, the marker type `Protocol`
/// implements this trait.
///
/// Code that is generic over protocols uses it to create pipes:
///
/// ```
/// pipes::proto! {
///     greeting { hello: send { hello(&'static str) -> ! } }
/// }
///
/// fn serve<P: pipes::Protocol>(server: impl FnOnce(P::Server)) -> P::Client {
///     let (client, server_end) = P::pipe();
///     server(server_end);
///     client
/// }
///
/// let mut kept = None;
/// let client = serve::<greeting::Protocol>(|server| kept = Some(server));
/// client.hello("good morning").expect("the server is kept");
/// let Ok(greeting::Hello::Hello(words)) = kept.expect("it was given one").recv() else {
///     unreachable!()
/// };
/// assert_eq!(words, "good morning");
/// ```
pub trait Protocol {
    /// The client's endpoint in the start state.
    type Client;
    /// The server's endpoint in the start state.
    type Server;

    /// Creates a pipe in the start state, with one allocation, or with memory that the thread has
    /// [kept](crate#memory).
    fn pipe() -> (Self::Client, Self::Server);
}

/// The largest number of messages of a protocol that can be in transit at once: sent, but not yet received.
///
/// A protocol is bounded if neither side can send without limit before it receives. This is so exactly when
/// every cycle of states has both a state in which the client sends and a state in which the server sends.
/// All states count, even unreachable ones. The pipe of a bounded protocol is one allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// At most this number of messages.
    Messages(usize),
    /// Any number of messages: one side can repeat a cycle of states while the other side receives nothing.
    Unbounded {
        /// The names of the cycle's states as in the source, in the order of the steps; the last state leads
        /// back to the first.
        cycle: &'static [&'static str],
    },
}

impl Bound {
    /// Returns `true` if there is a limit.
    ///
    /// ```
    /// pipes::proto! {
    ///     question {
    ///         asking: send { ask -> answering }
    ///         answering: recv { answer(u32) -> asking }
    ///     }
    ///     log { open: send { line(String) -> open } }
    /// }
    ///
    /// assert!(question::BOUND.is_bounded());
    /// assert!(!log::BOUND.is_bounded());
    /// ```
    pub const fn is_bounded(&self) -> bool {
        matches!(self, Bound::Messages(_))
    }
}
