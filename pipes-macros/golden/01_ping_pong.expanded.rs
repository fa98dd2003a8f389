/// Ping and pong.
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
pub mod pingpong {
    /*!# States

A session begins in [`Ping`](pingpong::Ping); [`pipe`](pingpong::pipe) makes one.

(drawing)

As text: [`MERMAID`](const@pingpong::MERMAID), [`DOT`](const@pingpong::DOT).

| state | sends | messages |
|---|---|---|
| [`Ping`](pingpong::Ping) | client | `ping(u32)` → [`Pong`](pingpong::Pong) |
| [`Pong`](pingpong::Pong) | server | `pong(u32)` → [`Ping`](pingpong::Ping) |

Bounded: at most one message is on its way. A pipe is one allocation.*/
    use super::*;
    /// Makes a pipe in the state [`Ping`](pingpong::Ping) and returns both of its ends. One allocation.
    #[inline]
    pub fn pipe() -> (Client<Ping>, Server<Ping>) {
        let (client, server) = unsafe { pipes::__private::pipe() };
        (Client(client), Server(server))
    }
    /** The number of messages that can be on their way at the same time.

Bounded: at most one message is on its way. A pipe is one allocation.*/
    pub const BOUND: pipes::Bound = pipes::Bound::Messages(1);
    /// The protocol `pingpong` as a type, for code that is generic over protocols.
    pub struct Protocol(::core::marker::PhantomData<fn() -> Ping>);
    impl ::core::fmt::Debug for Protocol {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("pingpong::Protocol")
        }
    }
    impl pipes::Protocol for Protocol {
        type Client = Client<Ping>;
        type Server = Server<Ping>;
        fn pipe() -> (Client<Ping>, Server<Ping>) {
            pipe()
        }
    }
    ///
    /** The state `ping`, in which the client sends; what the server receives in it.

- `ping(u32)` → [`Pong`](pingpong::Pong)
*/
    pub enum Ping {
        /// The message `ping(u32)`, and the endpoint for the next step.
        Ping(u32, Server<Pong>),
    }
    impl ::core::fmt::Debug for Ping {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Ping { .. } => "Ping",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl pipes::__private::State for Ping {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Ring<__Payloads, 2>;
        type Payloads = __Payloads;
        const ONLY: pipes::__private::Only<Self> = pipes::__private::Only::message(|
            payload,
            next|
        Ping::Ping(payload, Server(next)));
        const INFO: &'static pipes::StateInfo = ClientState::Ping.info();
    }
    #[doc(hidden)]
    impl pipes::__private::SentBy<pipes::__private::AsClient> for Ping {}
    impl Client<Ping> {
        ///
        /** Sends `ping`; the session goes on in [`Pong`](pingpong::Pong). Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn ping(
            self,
            payload: u32,
        ) -> ::core::result::Result<Client<Pong>, pipes::SendError<u32>> {
            unsafe {
                self.0
                    .send(
                        payload,
                        |payload, next| Ping::Ping(payload, Server(next)),
                        |payload, _| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            [__Payloads { _0: __kept }]
                        },
                    )
            }
                .map(Client)
                .map_err(pipes::__private::not_sent)
        }
    }
    ///
    /** The state `pong`, in which the server sends; what the client receives in it.

- `pong(u32)` → [`Ping`](pingpong::Ping)
*/
    pub enum Pong {
        /// The message `pong(u32)`, and the endpoint for the next step.
        Pong(u32, Client<Ping>),
    }
    impl ::core::fmt::Debug for Pong {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Pong { .. } => "Pong",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl pipes::__private::State for Pong {
        type Sender = pipes::__private::AsServer;
        type Memory = pipes::__private::Ring<__Payloads, 2>;
        type Payloads = __Payloads;
        const ONLY: pipes::__private::Only<Self> = pipes::__private::Only::message(|
            payload,
            next|
        Pong::Pong(payload, Client(next)));
        const INFO: &'static pipes::StateInfo = ClientState::Pong.info();
    }
    #[doc(hidden)]
    impl pipes::__private::SentBy<pipes::__private::AsServer> for Pong {}
    impl Server<Pong> {
        ///
        /** Sends `pong`; the session goes on in [`Ping`](pingpong::Ping). Never blocks.

# Errors

The client has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn pong(
            self,
            payload: u32,
        ) -> ::core::result::Result<Server<Ping>, pipes::SendError<u32>> {
            unsafe {
                self.0
                    .send(
                        payload,
                        |payload, next| Pong::Pong(payload, Client(next)),
                        |payload, _| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            [__Payloads { _0: __kept }]
                        },
                    )
            }
                .map(Server)
                .map_err(pipes::__private::not_sent)
        }
    }
    pipes::__endpoint! {
        #[doc =
        " The client's end of a pipe of the protocol `pingpong`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Client < S > : AsClient;
    }
    pipes::__endpoint! {
        #[doc =
        " The server's end of a pipe of the protocol `pingpong`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Server < S > : AsServer;
    }
    #[doc(hidden)]
    pub union __Payloads {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<u32>,
    }
    impl ::core::fmt::Debug for __Payloads {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__Payloads")
        }
    }
    pipes::__states! {
        protocol "pingpong", mermaid
        "(diagram)",
        dot
        "(diagram)",
        Ping "ping" "client"["ping" -> "pong"], Pong "pong" "server"["pong" -> "ping"],
    }
    /// The client's endpoint in each state.
    pub mod client {
        /// The client in the state [`Ping`](super::Ping), in which it sends.
        pub type Ping = super::Client<super::Ping>;
        /// The client in the state [`Pong`](super::Pong), in which it receives.
        pub type Pong = super::Client<super::Pong>;
    }
    /// The server's endpoint in each state.
    pub mod server {
        /// The server in the state [`Ping`](super::Ping), in which it receives.
        pub type Ping = super::Server<super::Ping>;
        /// The server in the state [`Pong`](super::Pong), in which it sends.
        pub type Pong = super::Server<super::Pong>;
    }
    /** The client's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ClientMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyClient {
        /// In the state [`Ping`](type@Ping).
        Ping(Client<Ping>),
        /// In the state [`Pong`](type@Pong).
        Pong(Client<Pong>),
    }
    /// What an [`AnyClient`] receives: a variant for each state in which it can.
    pub enum ClientMessage {
        /// A message of the state [`Pong`](type@Pong).
        Pong(Pong),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyClient),
    }
    pipes::__any! {
        impl [] for AnyClient, in ClientState, receiving ClientMessage[] [NotReceiving],
        senders[Ping], receivers[Pong], where []
    }
    impl ::core::convert::From<Client<Ping>> for AnyClient {
        #[inline]
        fn from(endpoint: Client<Ping>) -> Self {
            Self::Ping(endpoint)
        }
    }
    impl ::core::convert::From<Client<Pong>> for AnyClient {
        #[inline]
        fn from(endpoint: Client<Pong>) -> Self {
            Self::Pong(endpoint)
        }
    }
    /// The client's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingClient {
        /// In the state [`Pong`](type@Pong).
        Pong(Client<Pong>),
    }
    /// What a [`ReceivingClient`] receives: a variant for each of its states.
    pub enum ClientReceived {
        /// A message of the state [`Pong`](type@Pong).
        Pong(Pong),
    }
    pipes::__any! {
        impl [] for ReceivingClient, in ClientState, receiving ClientReceived[] [],
        senders[], receivers[Pong], where []
    }
    impl ::core::convert::From<Client<Pong>> for ReceivingClient {
        #[inline]
        fn from(endpoint: Client<Pong>) -> Self {
            Self::Pong(endpoint)
        }
    }
    impl ::core::convert::From<ReceivingClient> for AnyClient {
        #[inline]
        fn from(endpoint: ReceivingClient) -> Self {
            match endpoint {
                ReceivingClient::Pong(endpoint) => Self::Pong(endpoint),
            }
        }
    }
    /** The server's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ServerMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyServer {
        /// In the state [`Ping`](type@Ping).
        Ping(Server<Ping>),
        /// In the state [`Pong`](type@Pong).
        Pong(Server<Pong>),
    }
    /// What an [`AnyServer`] receives: a variant for each state in which it can.
    pub enum ServerMessage {
        /// A message of the state [`Ping`](type@Ping).
        Ping(Ping),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyServer),
    }
    pipes::__any! {
        impl [] for AnyServer, in ServerState, receiving ServerMessage[] [NotReceiving],
        senders[Pong], receivers[Ping], where []
    }
    impl ::core::convert::From<Server<Ping>> for AnyServer {
        #[inline]
        fn from(endpoint: Server<Ping>) -> Self {
            Self::Ping(endpoint)
        }
    }
    impl ::core::convert::From<Server<Pong>> for AnyServer {
        #[inline]
        fn from(endpoint: Server<Pong>) -> Self {
            Self::Pong(endpoint)
        }
    }
    /// The server's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingServer {
        /// In the state [`Ping`](type@Ping).
        Ping(Server<Ping>),
    }
    /// What a [`ReceivingServer`] receives: a variant for each of its states.
    pub enum ServerReceived {
        /// A message of the state [`Ping`](type@Ping).
        Ping(Ping),
    }
    pipes::__any! {
        impl [] for ReceivingServer, in ServerState, receiving ServerReceived[] [],
        senders[], receivers[Ping], where []
    }
    impl ::core::convert::From<Server<Ping>> for ReceivingServer {
        #[inline]
        fn from(endpoint: Server<Ping>) -> Self {
            Self::Ping(endpoint)
        }
    }
    impl ::core::convert::From<ReceivingServer> for AnyServer {
        #[inline]
        fn from(endpoint: ReceivingServer) -> Self {
            match endpoint {
                ReceivingServer::Ping(endpoint) => Self::Ping(endpoint),
            }
        }
    }
}
