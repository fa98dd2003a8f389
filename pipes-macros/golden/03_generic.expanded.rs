/// Values of one kind, and an end.
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
pub(crate) mod stream {
    /*!# States

A session begins in [`Open`](stream::Open); [`pipe`](stream::pipe) makes one.

(drawing)

As text: [`MERMAID`](const@stream::MERMAID), [`DOT`](const@stream::DOT).

| state | sends | messages |
|---|---|---|
| [`Open`](stream::Open) | client | `data(T)` → [`Open`](stream::Open)<br>`done` → end |

Unbounded: in [`Open`](stream::Open) the client can send without hearing from the other side.*/
    use super::*;
    /// Makes a pipe in the state [`Open`](stream::Open) and returns both of its ends. One allocation.
    #[inline]
    pub fn pipe<T: Send>() -> (Client<Open<T>>, Server<Open<T>>) {
        let (client, server) = unsafe { pipes::__private::pipe() };
        (Client(client), Server(server))
    }
    /** The number of messages that can be on their way at the same time.

Unbounded: in [`Open`](stream::Open) the client can send without hearing from the other side.*/
    pub const BOUND: pipes::Bound = pipes::Bound::Unbounded {
        cycle: &["open"],
    };
    /// The protocol `stream` as a type, for code that is generic over protocols.
    pub struct Protocol<T: Send>(::core::marker::PhantomData<fn() -> Open<T>>);
    impl<T: Send> ::core::fmt::Debug for Protocol<T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("stream::Protocol")
        }
    }
    impl<T: Send> pipes::Protocol for Protocol<T> {
        type Client = Client<Open<T>>;
        type Server = Server<Open<T>>;
        fn pipe() -> (Client<Open<T>>, Server<Open<T>>) {
            pipe()
        }
    }
    ///
    /** The state `open`, in which the client sends; what the server receives in it.

- `data(T)` → [`Open`](stream::Open)
- `done` → end
*/
    #[derive(Debug)]
    pub enum Open<T: Send> {
        /// The message `data(T)`, and the endpoint for the next step.
        Data(T, Server<Open<T>>),
        /// The message `done`, which ends the session.
        Done,
    }
    #[doc(hidden)]
    unsafe impl<T: Send> pipes::__private::State for Open<T> {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Chain<__Payloads<T>>;
        type Payloads = __Payloads<T>;
        const INFO: &'static pipes::StateInfo = ClientState::Open.info();
    }
    #[doc(hidden)]
    impl<T: Send> pipes::__private::SentBy<pipes::__private::AsClient> for Open<T> {}
    impl<T: Send> Client<Open<T>> {
        ///
        /** Sends `data`; the session goes on in [`Open`](stream::Open). Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn data(
            self,
            payload: T,
        ) -> ::core::result::Result<Client<Open<T>>, pipes::SendError<T>> {
            unsafe {
                self.0
                    .send(
                        payload,
                        |payload, next| Open::Data(payload, Server(next)),
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
        /** Sends `done`; the session ends. Never blocks.

# Errors

The server has left.*/
        #[inline]
        pub fn done(self) -> ::core::result::Result<(), pipes::SendError<()>> {
            unsafe {
                self.0.finish((), |()| Open::Done, |()| { __Payloads { _nothing: () } })
            }
                .map_err(pipes::__private::not_sent)
        }
    }
    pipes::__endpoint! {
        #[doc =
        " The client's end of a pipe of the protocol `stream`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Client < S > : AsClient;
    }
    pipes::__endpoint! {
        #[doc =
        " The server's end of a pipe of the protocol `stream`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Server < S > : AsServer;
    }
    #[doc(hidden)]
    pub union __Payloads<T: Send> {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<T>,
    }
    impl<T: Send> ::core::fmt::Debug for __Payloads<T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__Payloads")
        }
    }
    pipes::__states! {
        protocol "stream", mermaid
        "(diagram)",
        dot
        "(diagram)",
        Open "open" "client"["data" -> "open", "done"],
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
    pub enum AnyClient<T: Send> {
        /// In the state [`Open`](type@Open).
        Open(Client<Open<T>>),
    }
    /// What an [`AnyClient`] receives: a variant for each state in which it can.
    pub enum ClientMessage<T: Send> {
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyClient<T>),
    }
    pipes::__any! {
        impl [T : Send] for AnyClient < T >, in ClientState, receiving ClientMessage[< T
        >] [NotReceiving], senders[Open], receivers[], where []
    }
    impl<T: Send> ::core::convert::From<Client<Open<T>>> for AnyClient<T> {
        #[inline]
        fn from(endpoint: Client<Open<T>>) -> Self {
            Self::Open(endpoint)
        }
    }
    /** The server's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ServerMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyServer<T: Send> {
        /// In the state [`Open`](type@Open).
        Open(Server<Open<T>>),
    }
    /// What an [`AnyServer`] receives: a variant for each state in which it can.
    pub enum ServerMessage<T: Send> {
        /// A message of the state [`Open`](type@Open).
        Open(Open<T>),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyServer<T>),
    }
    pipes::__any! {
        impl [T : Send] for AnyServer < T >, in ServerState, receiving ServerMessage[< T
        >] [NotReceiving], senders[], receivers[Open], where []
    }
    impl<T: Send> ::core::convert::From<Server<Open<T>>> for AnyServer<T> {
        #[inline]
        fn from(endpoint: Server<Open<T>>) -> Self {
            Self::Open(endpoint)
        }
    }
    /// The server's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingServer<T: Send> {
        /// In the state [`Open`](type@Open).
        Open(Server<Open<T>>),
    }
    /// What a [`ReceivingServer`] receives: a variant for each of its states.
    pub enum ServerReceived<T: Send> {
        /// A message of the state [`Open`](type@Open).
        Open(Open<T>),
    }
    pipes::__any! {
        impl [T : Send] for ReceivingServer < T >, in ServerState, receiving
        ServerReceived[< T >] [], senders[], receivers[Open], where []
    }
    impl<T: Send> ::core::convert::From<Server<Open<T>>> for ReceivingServer<T> {
        #[inline]
        fn from(endpoint: Server<Open<T>>) -> Self {
            Self::Open(endpoint)
        }
    }
    impl<T: Send> ::core::convert::From<ReceivingServer<T>> for AnyServer<T> {
        #[inline]
        fn from(endpoint: ReceivingServer<T>) -> Self {
            match endpoint {
                ReceivingServer::Open(endpoint) => Self::Open(endpoint),
            }
        }
    }
}
