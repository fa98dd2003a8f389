/// A state that is passed another type than it came with.
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
pub mod change {
    /*!# States

A session begins in [`Open`](change::Open); [`pipe`](change::pipe) makes one.

(drawing)

As text: [`MERMAID`](const@change::MERMAID), [`DOT`](const@change::DOT).

| state | sends | messages |
|---|---|---|
| [`Open`](change::Open) | client | `value(T)` → [`Open`](change::Open)<br>`list` → [`Last`](change::Last) |
| [`Last`](change::Last) | client | `values(U)` → end |

Unbounded: in [`Open`](change::Open) the client can send without hearing from the other side.*/
    use super::*;
    /// Makes a pipe in the state [`Open`](change::Open) and returns both of its ends. One allocation.
    #[inline]
    pub fn pipe<T>() -> (Client<Open<T>>, Server<Open<T>>) {
        let (client, server) = unsafe {
            pipes::__private::pipe_in::<
                pipes::__private::Chain<__PayloadsFromOpen<T>>,
                Open<T>,
            >()
        };
        (Client(client), Server(server))
    }
    /** The number of messages that can be on their way at the same time.

Unbounded: in [`Open`](change::Open) the client can send without hearing from the other side.*/
    pub const BOUND: pipes::Bound = pipes::Bound::Unbounded {
        cycle: &["Open"],
    };
    /// The protocol `change` as a type, for code that is generic over protocols.
    pub struct Protocol<T>(::core::marker::PhantomData<fn() -> Open<T>>);
    impl<T> ::core::fmt::Debug for Protocol<T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("change::Protocol")
        }
    }
    impl<T> pipes::Protocol for Protocol<T> {
        type Client = Client<Open<T>>;
        type Server = Server<Open<T>>;
        fn pipe() -> (Client<Open<T>>, Server<Open<T>>) {
            pipe()
        }
    }
    ///
    /** The state `Open`, in which the client sends; what the server receives in it.

- `value(T)` → [`Open`](change::Open)
- `list` → [`Last`](change::Last)
*/
    pub enum Open<T> {
        /// The message `value(T)`, and the endpoint for the next step.
        Value(T, Server<Open<T>>),
        /// The message `list`, and the endpoint for the next step.
        List(Server<Last<Vec<T>>>),
    }
    impl<T> ::core::fmt::Debug for Open<T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Value { .. } => "Value",
                    Self::List { .. } => "List",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl<T> pipes::__private::State for Open<T> {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Inherited;
        type Payloads = __PayloadsFromOpen<T>;
        const INFO: &'static pipes::StateInfo = ClientState::Open.info();
    }
    #[doc(hidden)]
    impl<T> pipes::__private::SentBy<pipes::__private::AsClient> for Open<T> {}
    impl<T> Client<Open<T>> {
        ///
        /** Sends `value`; the session goes on in [`Open`](change::Open). Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn value(
            self,
            payload: T,
        ) -> ::core::result::Result<Client<Open<T>>, pipes::SendError<T>> {
            unsafe {
                self.0
                    .send(
                        payload,
                        |payload, next| Open::Value(payload, Server(next)),
                        |payload, __later| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            let __kept = pipes::__private::ManuallyDrop::new(__SentInOpen {
                                _0: __kept,
                            });
                            [
                                __PayloadsFromOpen { _0: __kept },
                                __PayloadsFromOpen {
                                    _0: __later()._0,
                                },
                                __PayloadsFromOpen {
                                    _1: __later()._1,
                                },
                            ]
                        },
                    )
            }
                .map(Client)
                .map_err(pipes::__private::not_sent)
        }
        ///
        /** Sends `list`; the session goes on in [`Last`](change::Last). Never blocks.

# Errors

The server has left.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn list(
            self,
        ) -> ::core::result::Result<Client<Last<Vec<T>>>, pipes::SendError<()>> {
            unsafe {
                self.0
                    .send(
                        (),
                        |(), next| Open::List(Server(next)),
                        |(), __later| {
                            [
                                __PayloadsFromOpen { _nothing: () },
                                __PayloadsFromOpen {
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
    /** The state `Last`, in which the client sends; what the server receives in it.

- `values(U)` → end
*/
    pub enum Last<U> {
        /// The message `values(U)`, which ends the session.
        Values(U),
    }
    impl<U> ::core::fmt::Debug for Last<U> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Values { .. } => "Values",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl<U> pipes::__private::State for Last<U> {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Inherited;
        type Payloads = __PayloadsFromLast<U>;
        const ONLY: pipes::__private::Only<Self> = pipes::__private::Only::last(|
            payload|
        Last::Values(payload));
        const INFO: &'static pipes::StateInfo = ClientState::Last.info();
    }
    #[doc(hidden)]
    impl<U> pipes::__private::SentBy<pipes::__private::AsClient> for Last<U> {}
    impl<U> Client<Last<U>> {
        ///
        /** Sends `values`; the session ends. Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[inline]
        pub fn values(
            self,
            payload: U,
        ) -> ::core::result::Result<(), pipes::SendError<U>> {
            unsafe {
                self.0
                    .finish(
                        payload,
                        |payload| Last::Values(payload),
                        |payload| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            let __kept = pipes::__private::ManuallyDrop::new(__SentInLast {
                                _0: __kept,
                            });
                            __PayloadsFromLast { _0: __kept }
                        },
                    )
            }
                .map_err(pipes::__private::not_sent)
        }
    }
    pipes::__endpoint! {
        #[doc =
        " The client's end of a pipe of the protocol `change`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Client < S > : AsClient;
    }
    pipes::__endpoint! {
        #[doc =
        " The server's end of a pipe of the protocol `change`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Server < S > : AsServer;
    }
    type __A0<T> = Vec<T>;
    #[doc(hidden)]
    pub union __SentInOpen<T> {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<T>,
    }
    impl<T> ::core::fmt::Debug for __SentInOpen<T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__SentInOpen")
        }
    }
    #[doc(hidden)]
    pub union __SentInLast<U> {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<U>,
    }
    impl<U> ::core::fmt::Debug for __SentInLast<U> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__SentInLast")
        }
    }
    #[doc(hidden)]
    pub union __PayloadsFromOpen<T> {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<__SentInOpen<T>>,
        _1: pipes::__private::ManuallyDrop<__SentInLast<__A0<T>>>,
    }
    impl<T> ::core::fmt::Debug for __PayloadsFromOpen<T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__PayloadsFromOpen")
        }
    }
    #[doc(hidden)]
    pub union __PayloadsFromLast<U> {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<__SentInLast<U>>,
    }
    impl<U> ::core::fmt::Debug for __PayloadsFromLast<U> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__PayloadsFromLast")
        }
    }
    pipes::__states! {
        protocol "change", mermaid
        "(diagram)",
        dot
        "(diagram)",
        Open "Open" "client"["value" -> "Open", "list" -> "Last"], Last "Last"
        "client"["values"],
    }
    /// The client's endpoint in each state.
    pub mod client {
        /// The client in the state [`Open`](super::Open), in which it sends.
        pub type Open<T> = super::Client<super::Open<T>>;
        /// The client in the state [`Last`](super::Last), in which it sends.
        pub type Last<U> = super::Client<super::Last<U>>;
    }
    /// The server's endpoint in each state.
    pub mod server {
        /// The server in the state [`Open`](super::Open), in which it receives.
        pub type Open<T> = super::Server<super::Open<T>>;
        /// The server in the state [`Last`](super::Last), in which it receives.
        pub type Last<U> = super::Server<super::Last<U>>;
    }
    /** The client's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ClientMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyClient<T, U> {
        /// In the state [`Open`](type@Open).
        Open(Client<Open<T>>),
        /// In the state [`Last`](type@Last).
        Last(Client<Last<U>>),
    }
    /// What an [`AnyClient`] receives: a variant for each state in which it can.
    pub enum ClientMessage<T, U> {
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyClient<T, U>),
    }
    pipes::__any! {
        impl [T, U] for AnyClient < T, U >, in ClientState, receiving ClientMessage[< T,
        U >] [NotReceiving], senders[Open Last], receivers[], where []
    }
    impl<T, U> ::core::convert::From<Client<Open<T>>> for AnyClient<T, U> {
        #[inline]
        fn from(endpoint: Client<Open<T>>) -> Self {
            Self::Open(endpoint)
        }
    }
    impl<T, U> ::core::convert::From<Client<Last<U>>> for AnyClient<T, U> {
        #[inline]
        fn from(endpoint: Client<Last<U>>) -> Self {
            Self::Last(endpoint)
        }
    }
    /** The server's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ServerMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyServer<T, U> {
        /// In the state [`Open`](type@Open).
        Open(Server<Open<T>>),
        /// In the state [`Last`](type@Last).
        Last(Server<Last<U>>),
    }
    /// What an [`AnyServer`] receives: a variant for each state in which it can.
    pub enum ServerMessage<T, U> {
        /// A message of the state [`Open`](type@Open).
        Open(Open<T>),
        /// A message of the state [`Last`](type@Last).
        Last(Last<U>),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyServer<T, U>),
    }
    pipes::__any! {
        impl [T, U] for AnyServer < T, U >, in ServerState, receiving ServerMessage[< T,
        U >] [NotReceiving], senders[], receivers[Open Last], where []
    }
    impl<T, U> ::core::convert::From<Server<Open<T>>> for AnyServer<T, U> {
        #[inline]
        fn from(endpoint: Server<Open<T>>) -> Self {
            Self::Open(endpoint)
        }
    }
    impl<T, U> ::core::convert::From<Server<Last<U>>> for AnyServer<T, U> {
        #[inline]
        fn from(endpoint: Server<Last<U>>) -> Self {
            Self::Last(endpoint)
        }
    }
    /// The server's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingServer<T, U> {
        /// In the state [`Open`](type@Open).
        Open(Server<Open<T>>),
        /// In the state [`Last`](type@Last).
        Last(Server<Last<U>>),
    }
    /// What a [`ReceivingServer`] receives: a variant for each of its states.
    pub enum ServerReceived<T, U> {
        /// A message of the state [`Open`](type@Open).
        Open(Open<T>),
        /// A message of the state [`Last`](type@Last).
        Last(Last<U>),
    }
    pipes::__any! {
        impl [T, U] for ReceivingServer < T, U >, in ServerState, receiving
        ServerReceived[< T, U >] [], senders[], receivers[Open Last], where []
    }
    impl<T, U> ::core::convert::From<Server<Open<T>>> for ReceivingServer<T, U> {
        #[inline]
        fn from(endpoint: Server<Open<T>>) -> Self {
            Self::Open(endpoint)
        }
    }
    impl<T, U> ::core::convert::From<Server<Last<U>>> for ReceivingServer<T, U> {
        #[inline]
        fn from(endpoint: Server<Last<U>>) -> Self {
            Self::Last(endpoint)
        }
    }
    impl<T, U> ::core::convert::From<ReceivingServer<T, U>> for AnyServer<T, U> {
        #[inline]
        fn from(endpoint: ReceivingServer<T, U>) -> Self {
            match endpoint {
                ReceivingServer::Open(endpoint) => Self::Open(endpoint),
                ReceivingServer::Last(endpoint) => Self::Last(endpoint),
            }
        }
    }
}
