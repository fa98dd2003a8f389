/// A slice that is sorted elsewhere, and a number that does not know of it.
#[allow(
    dead_code,
    unused_imports,
    single_use_lifetimes,
    type_alias_bounds,
    unused_braces,
    unused_parens,
    unreachable_code,
    clippy::all
)]
#[allow(clippy::future_not_send, clippy::same_name_method, clippy::shadow_reuse)]
mod sort {
    /*!# States

A session begins in [`Unsorted`](sort::Unsorted); [`pipe`](sort::pipe) makes one.

(drawing)

As text: [`MERMAID`](const@sort::MERMAID), [`DOT`](const@sort::DOT).

| state | sends | messages |
|---|---|---|
| [`Unsorted`](sort::Unsorted) | client | `sort(&'a mut [T])` → [`Swaps`](sort::Swaps) |
| [`Swaps`](sort::Swaps) | server | `swaps(u64)` → end |

Bounded: at most one message is on its way. A pipe is one allocation.*/
    use super::*;
    /// Makes a pipe in the state [`Unsorted`](sort::Unsorted) and returns both of its ends. One allocation.
    #[inline]
    pub fn pipe<'a, T: Ord>() -> (Client<Unsorted<'a, T>>, Server<Unsorted<'a, T>>) {
        let (client, server) = unsafe {
            pipes::__private::pipe_in::<
                pipes::__private::Ring<__PayloadsFromUnsorted<'a, T>, 2>,
                Unsorted<'a, T>,
            >()
        };
        (Client(client), Server(server))
    }
    /** The number of messages that can be on their way at the same time.

Bounded: at most one message is on its way. A pipe is one allocation.*/
    pub const BOUND: pipes::Bound = pipes::Bound::Messages(1);
    /// The protocol `sort` as a type, for code that is generic over protocols.
    pub struct Protocol<'a, T: Ord>(
        ::core::marker::PhantomData<fn() -> Unsorted<'a, T>>,
    );
    impl<'a, T: Ord> ::core::fmt::Debug for Protocol<'a, T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("sort::Protocol")
        }
    }
    impl<'a, T: Ord> pipes::Protocol for Protocol<'a, T> {
        type Client = Client<Unsorted<'a, T>>;
        type Server = Server<Unsorted<'a, T>>;
        fn pipe() -> (Client<Unsorted<'a, T>>, Server<Unsorted<'a, T>>) {
            pipe()
        }
    }
    ///
    /** The state `unsorted`, in which the client sends; what the server receives in it.

- `sort(&'a mut [T])` → [`Swaps`](sort::Swaps)
*/
    pub enum Unsorted<'a, T: Ord> {
        /// The message `sort(&'a mut [T])`, and the endpoint for the next step.
        Sort(&'a mut [T], Server<Swaps>),
    }
    impl<'a, T: Ord> ::core::fmt::Debug for Unsorted<'a, T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Sort { .. } => "Sort",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl<'a, T: Ord> pipes::__private::State for Unsorted<'a, T> {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Inherited;
        type Payloads = __PayloadsFromUnsorted<'a, T>;
        const ONLY: pipes::__private::Only<Self> = pipes::__private::Only::message(|
            payload,
            next|
        Unsorted::Sort(payload, Server(next)));
        const INFO: &'static pipes::StateInfo = ClientState::Unsorted.info();
    }
    #[doc(hidden)]
    impl<'a, T: Ord> pipes::__private::SentBy<pipes::__private::AsClient>
    for Unsorted<'a, T> {}
    impl<'a, T: Ord> Client<Unsorted<'a, T>> {
        ///
        /** Sends `sort`; the session goes on in [`Swaps`](sort::Swaps). Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn sort(
            self,
            payload: &'a mut [T],
        ) -> ::core::result::Result<Client<Swaps>, pipes::SendError<&'a mut [T]>> {
            unsafe {
                self.0
                    .send(
                        payload,
                        |payload, next| Unsorted::Sort(payload, Server(next)),
                        |payload, __later| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            let __kept = pipes::__private::ManuallyDrop::new(__SentInUnsorted {
                                _0: __kept,
                            });
                            [
                                __PayloadsFromUnsorted {
                                    _0: __kept,
                                },
                                __PayloadsFromUnsorted {
                                    _1: __later()._0,
                                },
                            ]
                        },
                    )
            }
                .map(Client)
                .map_err(pipes::__private::not_sent)
        }
    }
    ///
    /** The state `swaps`, in which the server sends; what the client receives in it.

- `swaps(u64)` → end
*/
    pub enum Swaps {
        /// The message `swaps(u64)`, which ends the session.
        Swaps(u64),
    }
    impl ::core::fmt::Debug for Swaps {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Swaps { .. } => "Swaps",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl pipes::__private::State for Swaps {
        type Sender = pipes::__private::AsServer;
        type Memory = pipes::__private::Inherited;
        type Payloads = __PayloadsFromSwaps;
        const ONLY: pipes::__private::Only<Self> = pipes::__private::Only::last(|
            payload|
        Swaps::Swaps(payload));
        const INFO: &'static pipes::StateInfo = ClientState::Swaps.info();
    }
    #[doc(hidden)]
    impl pipes::__private::SentBy<pipes::__private::AsServer> for Swaps {}
    impl Server<Swaps> {
        ///
        /** Sends `swaps`; the session ends. Never blocks.

# Errors

The client has left; the error contains the payload.*/
        #[inline]
        pub fn swaps(
            self,
            payload: u64,
        ) -> ::core::result::Result<(), pipes::SendError<u64>> {
            unsafe {
                self.0
                    .finish(
                        payload,
                        |payload| Swaps::Swaps(payload),
                        |payload| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            let __kept = pipes::__private::ManuallyDrop::new(__SentInSwaps {
                                _0: __kept,
                            });
                            __PayloadsFromSwaps { _0: __kept }
                        },
                    )
            }
                .map_err(pipes::__private::not_sent)
        }
    }
    pipes::__endpoint! {
        #[doc =
        " The client's end of a pipe of the protocol `sort`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Client < S > : AsClient;
    }
    pipes::__endpoint! {
        #[doc =
        " The server's end of a pipe of the protocol `sort`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Server < S > : AsServer;
    }
    #[doc(hidden)]
    pub union __SentInUnsorted<'a, T: Ord> {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<&'a mut [T]>,
    }
    impl<'a, T: Ord> ::core::fmt::Debug for __SentInUnsorted<'a, T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__SentInUnsorted")
        }
    }
    #[doc(hidden)]
    pub union __SentInSwaps {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<u64>,
    }
    impl ::core::fmt::Debug for __SentInSwaps {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__SentInSwaps")
        }
    }
    #[doc(hidden)]
    pub union __PayloadsFromUnsorted<'a, T: Ord> {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<__SentInUnsorted<'a, T>>,
        _1: pipes::__private::ManuallyDrop<__SentInSwaps>,
    }
    impl<'a, T: Ord> ::core::fmt::Debug for __PayloadsFromUnsorted<'a, T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__PayloadsFromUnsorted")
        }
    }
    #[doc(hidden)]
    pub union __PayloadsFromSwaps {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<__SentInSwaps>,
    }
    impl ::core::fmt::Debug for __PayloadsFromSwaps {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__PayloadsFromSwaps")
        }
    }
    pipes::__states! {
        protocol "sort", mermaid
        "(diagram)",
        dot
        "(diagram)",
        Unsorted "unsorted" "client"["sort" -> "swaps"], Swaps "swaps" "server"["swaps"],
    }
    /// The client's endpoint in each state.
    pub mod client {
        /// The client in the state [`Unsorted`](super::Unsorted), in which it sends.
        pub type Unsorted<'a, T> = super::Client<super::Unsorted<'a, T>>;
        /// The client in the state [`Swaps`](super::Swaps), in which it receives.
        pub type Swaps = super::Client<super::Swaps>;
    }
    /// The server's endpoint in each state.
    pub mod server {
        /// The server in the state [`Unsorted`](super::Unsorted), in which it receives.
        pub type Unsorted<'a, T> = super::Server<super::Unsorted<'a, T>>;
        /// The server in the state [`Swaps`](super::Swaps), in which it sends.
        pub type Swaps = super::Server<super::Swaps>;
    }
    /** The client's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ClientMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyClient<'a, T: Ord> {
        /// In the state [`Unsorted`](type@Unsorted).
        Unsorted(Client<Unsorted<'a, T>>),
        /// In the state [`Swaps`](type@Swaps).
        Swaps(Client<Swaps>),
    }
    /// What an [`AnyClient`] receives: a variant for each state in which it can.
    pub enum ClientMessage<'a, T: Ord> {
        /// A message of the state [`Swaps`](type@Swaps).
        Swaps(Swaps),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyClient<'a, T>),
    }
    pipes::__any! {
        impl ['a, T : Ord] for AnyClient < 'a, T >, in ClientState, receiving
        ClientMessage[< 'a, T >] [NotReceiving], senders[Unsorted], receivers[Swaps],
        where []
    }
    impl<'a, T: Ord> ::core::convert::From<Client<Unsorted<'a, T>>>
    for AnyClient<'a, T> {
        #[inline]
        fn from(endpoint: Client<Unsorted<'a, T>>) -> Self {
            Self::Unsorted(endpoint)
        }
    }
    impl<'a, T: Ord> ::core::convert::From<Client<Swaps>> for AnyClient<'a, T> {
        #[inline]
        fn from(endpoint: Client<Swaps>) -> Self {
            Self::Swaps(endpoint)
        }
    }
    /// The client's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingClient {
        /// In the state [`Swaps`](type@Swaps).
        Swaps(Client<Swaps>),
    }
    /// What a [`ReceivingClient`] receives: a variant for each of its states.
    pub enum ClientReceived {
        /// A message of the state [`Swaps`](type@Swaps).
        Swaps(Swaps),
    }
    pipes::__any! {
        impl [] for ReceivingClient, in ClientState, receiving ClientReceived[] [],
        senders[], receivers[Swaps], where []
    }
    impl ::core::convert::From<Client<Swaps>> for ReceivingClient {
        #[inline]
        fn from(endpoint: Client<Swaps>) -> Self {
            Self::Swaps(endpoint)
        }
    }
    impl<'a, T: Ord> ::core::convert::From<ReceivingClient> for AnyClient<'a, T> {
        #[inline]
        fn from(endpoint: ReceivingClient) -> Self {
            match endpoint {
                ReceivingClient::Swaps(endpoint) => Self::Swaps(endpoint),
            }
        }
    }
    /** The server's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ServerMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyServer<'a, T: Ord> {
        /// In the state [`Unsorted`](type@Unsorted).
        Unsorted(Server<Unsorted<'a, T>>),
        /// In the state [`Swaps`](type@Swaps).
        Swaps(Server<Swaps>),
    }
    /// What an [`AnyServer`] receives: a variant for each state in which it can.
    pub enum ServerMessage<'a, T: Ord> {
        /// A message of the state [`Unsorted`](type@Unsorted).
        Unsorted(Unsorted<'a, T>),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyServer<'a, T>),
    }
    pipes::__any! {
        impl ['a, T : Ord] for AnyServer < 'a, T >, in ServerState, receiving
        ServerMessage[< 'a, T >] [NotReceiving], senders[Swaps], receivers[Unsorted],
        where []
    }
    impl<'a, T: Ord> ::core::convert::From<Server<Unsorted<'a, T>>>
    for AnyServer<'a, T> {
        #[inline]
        fn from(endpoint: Server<Unsorted<'a, T>>) -> Self {
            Self::Unsorted(endpoint)
        }
    }
    impl<'a, T: Ord> ::core::convert::From<Server<Swaps>> for AnyServer<'a, T> {
        #[inline]
        fn from(endpoint: Server<Swaps>) -> Self {
            Self::Swaps(endpoint)
        }
    }
    /// The server's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingServer<'a, T: Ord> {
        /// In the state [`Unsorted`](type@Unsorted).
        Unsorted(Server<Unsorted<'a, T>>),
    }
    /// What a [`ReceivingServer`] receives: a variant for each of its states.
    pub enum ServerReceived<'a, T: Ord> {
        /// A message of the state [`Unsorted`](type@Unsorted).
        Unsorted(Unsorted<'a, T>),
    }
    pipes::__any! {
        impl ['a, T : Ord] for ReceivingServer < 'a, T >, in ServerState, receiving
        ServerReceived[< 'a, T >] [], senders[], receivers[Unsorted], where []
    }
    impl<'a, T: Ord> ::core::convert::From<Server<Unsorted<'a, T>>>
    for ReceivingServer<'a, T> {
        #[inline]
        fn from(endpoint: Server<Unsorted<'a, T>>) -> Self {
            Self::Unsorted(endpoint)
        }
    }
    impl<'a, T: Ord> ::core::convert::From<ReceivingServer<'a, T>> for AnyServer<'a, T> {
        #[inline]
        fn from(endpoint: ReceivingServer<'a, T>) -> Self {
            match endpoint {
                ReceivingServer::Unsorted(endpoint) => Self::Unsorted(endpoint),
            }
        }
    }
}
