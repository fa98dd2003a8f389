/// A condition in a `where` clause.
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
mod copies {
    /*!# States

A session begins in [`Open`](copies::Open); [`pipe`](copies::pipe) makes one.

(drawing)

As text: [`MERMAID`](const@copies::MERMAID), [`DOT`](const@copies::DOT).

| state | sends | messages |
|---|---|---|
| [`Open`](copies::Open) | client | `copy(T)` → [`Open`](copies::Open)<br>`end` → end |

Unbounded: in [`Open`](copies::Open) the client can send without hearing from the other side.*/
    use super::*;
    /// Makes a pipe in the state [`Open`](copies::Open) and returns both of its ends. One allocation.
    #[inline]
    pub fn pipe<T>() -> (Client<Open<T>>, Server<Open<T>>)
    where
        T: Copy,
    {
        let (client, server) = unsafe { pipes::__private::pipe() };
        (Client(client), Server(server))
    }
    /** The number of messages that can be on their way at the same time.

Unbounded: in [`Open`](copies::Open) the client can send without hearing from the other side.*/
    pub const BOUND: pipes::Bound = pipes::Bound::Unbounded {
        cycle: &["open"],
    };
    /// The protocol `copies` as a type, for code that is generic over protocols.
    pub struct Protocol<T>(
        ::core::marker::PhantomData<fn() -> Open<T>>,
    )
    where
        T: Copy;
    impl<T> ::core::fmt::Debug for Protocol<T>
    where
        T: Copy,
    {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("copies::Protocol")
        }
    }
    impl<T> pipes::Protocol for Protocol<T>
    where
        T: Copy,
    {
        type Client = Client<Open<T>>;
        type Server = Server<Open<T>>;
        fn pipe() -> (Client<Open<T>>, Server<Open<T>>) {
            pipe()
        }
    }
    ///
    /** The state `open`, in which the client sends; what the server receives in it.

- `copy(T)` → [`Open`](copies::Open)
- `end` → end
*/
    pub enum Open<T>
    where
        T: Copy,
    {
        /// The message `copy(T)`, and the endpoint for the next step.
        Copy(T, Server<Open<T>>),
        /// The message `end`, which ends the session.
        End,
    }
    impl<T> ::core::fmt::Debug for Open<T>
    where
        T: Copy,
    {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Copy { .. } => "Copy",
                    Self::End { .. } => "End",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl<T> pipes::__private::State for Open<T>
    where
        T: Copy,
    {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Chain<__Payloads<T>>;
        type Payloads = __Payloads<T>;
        const INFO: &'static pipes::StateInfo = ClientState::Open.info();
    }
    #[doc(hidden)]
    impl<T> pipes::__private::SentBy<pipes::__private::AsClient> for Open<T>
    where
        T: Copy,
    {}
    impl<T> Client<Open<T>>
    where
        T: Copy,
    {
        ///
        /** Sends `copy`; the session goes on in [`Open`](copies::Open). Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn copy(
            self,
            payload: T,
        ) -> ::core::result::Result<Client<Open<T>>, pipes::SendError<T>> {
            unsafe {
                self.0
                    .send(
                        payload,
                        |payload, next| Open::Copy(payload, Server(next)),
                        |payload, _| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            [__Payloads { _0: __kept }]
                        },
                    )
            }
                .map(Client)
                .map_err(pipes::__private::not_sent)
        }
        ///
        /** Sends `end`; the session ends. Never blocks.

# Errors

The server has left.*/
        #[inline]
        pub fn end(self) -> ::core::result::Result<(), pipes::SendError<()>> {
            unsafe {
                self.0.finish((), |()| Open::End, |()| { __Payloads { _nothing: () } })
            }
                .map_err(pipes::__private::not_sent)
        }
    }
    pipes::__endpoint! {
        #[doc =
        " The client's end of a pipe of the protocol `copies`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Client < S > : AsClient;
    }
    pipes::__endpoint! {
        #[doc =
        " The server's end of a pipe of the protocol `copies`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Server < S > : AsServer;
    }
    #[doc(hidden)]
    pub union __Payloads<T>
    where
        T: Copy,
    {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<T>,
    }
    impl<T> ::core::fmt::Debug for __Payloads<T>
    where
        T: Copy,
    {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__Payloads")
        }
    }
    pipes::__states! {
        protocol "copies", mermaid
        "(diagram)",
        dot
        "(diagram)",
        Open "open" "client"["copy" -> "open", "end"],
    }
    /// The client's endpoint in each state.
    pub mod client {
        /// The client in the state [`Open`](super::Open), in which it sends.
        pub type Open<T> = super::Client<super::Open<T>>;
    }
    /// The server's endpoint in each state.
    pub mod server {
        /// The server in the state [`Open`](super::Open), in which it receives.
        pub type Open<T> = super::Server<super::Open<T>>;
    }
    /** The client's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ClientMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyClient<T>
    where
        T: Copy,
    {
        /// In the state [`Open`](type@Open).
        Open(Client<Open<T>>),
    }
    /// What an [`AnyClient`] receives: a variant for each state in which it can.
    pub enum ClientMessage<T>
    where
        T: Copy,
    {
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyClient<T>),
    }
    pipes::__any! {
        impl [T] for AnyClient < T >, in ClientState, receiving ClientMessage[< T >]
        [NotReceiving], senders[Open], receivers[], where [T : Copy]
    }
    impl<T> ::core::convert::From<Client<Open<T>>> for AnyClient<T>
    where
        T: Copy,
    {
        #[inline]
        fn from(endpoint: Client<Open<T>>) -> Self {
            Self::Open(endpoint)
        }
    }
    /** The server's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ServerMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyServer<T>
    where
        T: Copy,
    {
        /// In the state [`Open`](type@Open).
        Open(Server<Open<T>>),
    }
    /// What an [`AnyServer`] receives: a variant for each state in which it can.
    pub enum ServerMessage<T>
    where
        T: Copy,
    {
        /// A message of the state [`Open`](type@Open).
        Open(Open<T>),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyServer<T>),
    }
    pipes::__any! {
        impl [T] for AnyServer < T >, in ServerState, receiving ServerMessage[< T >]
        [NotReceiving], senders[], receivers[Open], where [T : Copy]
    }
    impl<T> ::core::convert::From<Server<Open<T>>> for AnyServer<T>
    where
        T: Copy,
    {
        #[inline]
        fn from(endpoint: Server<Open<T>>) -> Self {
            Self::Open(endpoint)
        }
    }
    /// The server's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingServer<T>
    where
        T: Copy,
    {
        /// In the state [`Open`](type@Open).
        Open(Server<Open<T>>),
    }
    /// What a [`ReceivingServer`] receives: a variant for each of its states.
    pub enum ServerReceived<T>
    where
        T: Copy,
    {
        /// A message of the state [`Open`](type@Open).
        Open(Open<T>),
    }
    pipes::__any! {
        impl [T] for ReceivingServer < T >, in ServerState, receiving ServerReceived[< T
        >] [], senders[], receivers[Open], where [T : Copy]
    }
    impl<T> ::core::convert::From<Server<Open<T>>> for ReceivingServer<T>
    where
        T: Copy,
    {
        #[inline]
        fn from(endpoint: Server<Open<T>>) -> Self {
            Self::Open(endpoint)
        }
    }
    impl<T> ::core::convert::From<ReceivingServer<T>> for AnyServer<T>
    where
        T: Copy,
    {
        #[inline]
        fn from(endpoint: ReceivingServer<T>) -> Self {
            match endpoint {
                ReceivingServer::Open(endpoint) => Self::Open(endpoint),
            }
        }
    }
}
