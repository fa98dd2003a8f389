/// Payloads whose types have the names of generated ones.
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
pub mod echo {
    /*!# States

A session begins in [`String`](echo::String); [`pipe`](echo::pipe) makes one.

(drawing)

As text: [`MERMAID`](const@echo::MERMAID), [`DOT`](const@echo::DOT).

| state | sends | messages |
|---|---|---|
| [`String`](echo::String) | client | `string(String, Vec<Option<T>>)` → [`Option`](echo::Option) |
| [`Option`](echo::Option) | server | `client(Client)` → [`String`](echo::String)<br>`up(super::Key, self::Key)` → [`String`](echo::String) |

Bounded: at most one message is on its way. A pipe is one allocation.*/
    use super::*;
    /// Makes a pipe in the state [`String`](echo::String) and returns both of its ends. One allocation.
    #[inline]
    pub fn pipe<T>() -> (Client<String<T>>, Server<String<T>>) {
        let (client, server) = unsafe { pipes::__private::pipe() };
        (Client(client), Server(server))
    }
    /** The number of messages that can be on their way at the same time.

Bounded: at most one message is on its way. A pipe is one allocation.*/
    pub const BOUND: pipes::Bound = pipes::Bound::Messages(1);
    /// The protocol `echo` as a type, for code that is generic over protocols.
    pub struct Protocol<T>(::core::marker::PhantomData<fn() -> String<T>>);
    impl<T> ::core::fmt::Debug for Protocol<T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("echo::Protocol")
        }
    }
    impl<T> pipes::Protocol for Protocol<T> {
        type Client = Client<String<T>>;
        type Server = Server<String<T>>;
        fn pipe() -> (Client<String<T>>, Server<String<T>>) {
            pipe()
        }
    }
    ///
    /** The state `string`, in which the client sends; what the server receives in it.

- `string(String, Vec<Option<T>>)` → [`Option`](echo::Option)
*/
    pub enum String<T> {
        /// The message `string(String, Vec<Option<T>>)`, and the endpoint for the next step.
        String(__outside::__T0, __outside::__T1<T>, Server<Option<T>>),
    }
    impl<T> ::core::fmt::Debug for String<T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::String { .. } => "String",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl<T> pipes::__private::State for String<T> {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Ring<__Payloads<T>, 2>;
        type Payloads = __Payloads<T>;
        const ONLY: pipes::__private::Only<Self> = pipes::__private::Only::message(|
            (payload0, payload1),
            next|
        String::String(payload0, payload1, Server(next)));
        const INFO: &'static pipes::StateInfo = ClientState::String.info();
    }
    #[doc(hidden)]
    impl<T> pipes::__private::SentBy<pipes::__private::AsClient> for String<T> {}
    impl<T> Client<String<T>> {
        ///
        /** Sends `string`; the session goes on in [`Option`](echo::Option). Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn string(
            self,
            payload0: __outside::__T0,
            payload1: __outside::__T1<T>,
        ) -> ::core::result::Result<
            Client<Option<T>>,
            pipes::SendError<(__outside::__T0, __outside::__T1<T>)>,
        > {
            unsafe {
                self.0
                    .send(
                        (payload0, payload1),
                        |(payload0, payload1), next| String::String(
                            payload0,
                            payload1,
                            Server(next),
                        ),
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
    /** The state `option`, in which the server sends; what the client receives in it.

- `client(Client)` → [`String`](echo::String)
- `up(super::Key, self::Key)` → [`String`](echo::String)
*/
    pub enum Option<T> {
        /// The message `client(Client)`, and the endpoint for the next step.
        Client(__outside::__T2, Client<String<T>>),
        /// The message `up(super::Key, self::Key)`, and the endpoint for the next step.
        Up(super::super::Key, super::Key, Client<String<T>>),
    }
    impl<T> ::core::fmt::Debug for Option<T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Client { .. } => "Client",
                    Self::Up { .. } => "Up",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl<T> pipes::__private::State for Option<T> {
        type Sender = pipes::__private::AsServer;
        type Memory = pipes::__private::Ring<__Payloads<T>, 2>;
        type Payloads = __Payloads<T>;
        const INFO: &'static pipes::StateInfo = ClientState::Option.info();
    }
    #[doc(hidden)]
    impl<T> pipes::__private::SentBy<pipes::__private::AsServer> for Option<T> {}
    impl<T> Server<Option<T>> {
        ///
        /** Sends `client`; the session goes on in [`String`](echo::String). Never blocks.

# Errors

The client has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn client(
            self,
            payload: __outside::__T2,
        ) -> ::core::result::Result<
            Server<String<T>>,
            pipes::SendError<__outside::__T2>,
        > {
            unsafe {
                self.0
                    .send(
                        payload,
                        |payload, next| Option::Client(payload, Client(next)),
                        |payload, _| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            [__Payloads { _1: __kept }]
                        },
                    )
            }
                .map(Server)
                .map_err(pipes::__private::not_sent)
        }
        ///
        /** Sends `up`; the session goes on in [`String`](echo::String). Never blocks.

# Errors

The client has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn up(
            self,
            payload0: super::super::Key,
            payload1: super::Key,
        ) -> ::core::result::Result<
            Server<String<T>>,
            pipes::SendError<(super::super::Key, super::Key)>,
        > {
            unsafe {
                self.0
                    .send(
                        (payload0, payload1),
                        |(payload0, payload1), next| Option::Up(
                            payload0,
                            payload1,
                            Client(next),
                        ),
                        |payload, _| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            [__Payloads { _2: __kept }]
                        },
                    )
            }
                .map(Server)
                .map_err(pipes::__private::not_sent)
        }
    }
    pipes::__endpoint! {
        #[doc =
        " The client's end of a pipe of the protocol `echo`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Client < S > : AsClient;
    }
    pipes::__endpoint! {
        #[doc =
        " The server's end of a pipe of the protocol `echo`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Server < S > : AsServer;
    }
    #[doc(hidden)]
    pub union __Payloads<T> {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<(__outside::__T0, __outside::__T1<T>)>,
        _1: pipes::__private::ManuallyDrop<__outside::__T2>,
        _2: pipes::__private::ManuallyDrop<(super::super::Key, super::Key)>,
    }
    impl<T> ::core::fmt::Debug for __Payloads<T> {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__Payloads")
        }
    }
    pipes::__states! {
        protocol "echo", mermaid
        "(diagram)",
        dot
        "(diagram)",
        String "string" "client"["string" -> "option"], Option "option" "server"["client"
        -> "string", "up" -> "string"],
    }
    /// The client's endpoint in each state.
    pub mod client {
        /// The client in the state [`String`](super::String), in which it sends.
        pub type String<T> = super::Client<super::String<T>>;
        /// The client in the state [`Option`](super::Option), in which it receives.
        pub type Option<T> = super::Client<super::Option<T>>;
    }
    /// The server's endpoint in each state.
    pub mod server {
        /// The server in the state [`String`](super::String), in which it receives.
        pub type String<T> = super::Server<super::String<T>>;
        /// The server in the state [`Option`](super::Option), in which it sends.
        pub type Option<T> = super::Server<super::Option<T>>;
    }
    /** The client's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ClientMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyClient<T> {
        /// In the state [`String`](type@String).
        String(Client<String<T>>),
        /// In the state [`Option`](type@Option).
        Option(Client<Option<T>>),
    }
    /// What an [`AnyClient`] receives: a variant for each state in which it can.
    pub enum ClientMessage<T> {
        /// A message of the state [`Option`](type@Option).
        Option(Option<T>),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyClient<T>),
    }
    pipes::__any! {
        impl [T] for AnyClient < T >, in ClientState, receiving ClientMessage[< T >]
        [NotReceiving], senders[String], receivers[Option], where []
    }
    impl<T> ::core::convert::From<Client<String<T>>> for AnyClient<T> {
        #[inline]
        fn from(endpoint: Client<String<T>>) -> Self {
            Self::String(endpoint)
        }
    }
    impl<T> ::core::convert::From<Client<Option<T>>> for AnyClient<T> {
        #[inline]
        fn from(endpoint: Client<Option<T>>) -> Self {
            Self::Option(endpoint)
        }
    }
    /// The client's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingClient<T> {
        /// In the state [`Option`](type@Option).
        Option(Client<Option<T>>),
    }
    /// What a [`ReceivingClient`] receives: a variant for each of its states.
    pub enum ClientReceived<T> {
        /// A message of the state [`Option`](type@Option).
        Option(Option<T>),
    }
    pipes::__any! {
        impl [T] for ReceivingClient < T >, in ClientState, receiving ClientReceived[< T
        >] [], senders[], receivers[Option], where []
    }
    impl<T> ::core::convert::From<Client<Option<T>>> for ReceivingClient<T> {
        #[inline]
        fn from(endpoint: Client<Option<T>>) -> Self {
            Self::Option(endpoint)
        }
    }
    impl<T> ::core::convert::From<ReceivingClient<T>> for AnyClient<T> {
        #[inline]
        fn from(endpoint: ReceivingClient<T>) -> Self {
            match endpoint {
                ReceivingClient::Option(endpoint) => Self::Option(endpoint),
            }
        }
    }
    /** The server's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ServerMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyServer<T> {
        /// In the state [`String`](type@String).
        String(Server<String<T>>),
        /// In the state [`Option`](type@Option).
        Option(Server<Option<T>>),
    }
    /// What an [`AnyServer`] receives: a variant for each state in which it can.
    pub enum ServerMessage<T> {
        /// A message of the state [`String`](type@String).
        String(String<T>),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyServer<T>),
    }
    pipes::__any! {
        impl [T] for AnyServer < T >, in ServerState, receiving ServerMessage[< T >]
        [NotReceiving], senders[Option], receivers[String], where []
    }
    impl<T> ::core::convert::From<Server<String<T>>> for AnyServer<T> {
        #[inline]
        fn from(endpoint: Server<String<T>>) -> Self {
            Self::String(endpoint)
        }
    }
    impl<T> ::core::convert::From<Server<Option<T>>> for AnyServer<T> {
        #[inline]
        fn from(endpoint: Server<Option<T>>) -> Self {
            Self::Option(endpoint)
        }
    }
    /// The server's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingServer<T> {
        /// In the state [`String`](type@String).
        String(Server<String<T>>),
    }
    /// What a [`ReceivingServer`] receives: a variant for each of its states.
    pub enum ServerReceived<T> {
        /// A message of the state [`String`](type@String).
        String(String<T>),
    }
    pipes::__any! {
        impl [T] for ReceivingServer < T >, in ServerState, receiving ServerReceived[< T
        >] [], senders[], receivers[String], where []
    }
    impl<T> ::core::convert::From<Server<String<T>>> for ReceivingServer<T> {
        #[inline]
        fn from(endpoint: Server<String<T>>) -> Self {
            Self::String(endpoint)
        }
    }
    impl<T> ::core::convert::From<ReceivingServer<T>> for AnyServer<T> {
        #[inline]
        fn from(endpoint: ReceivingServer<T>) -> Self {
            match endpoint {
                ReceivingServer::String(endpoint) => Self::String(endpoint),
            }
        }
    }
    mod __outside {
        use super::super::*;
        pub(super) type __T0 = String;
        pub(super) type __T1<T> = Vec<Option<T>>;
        pub(super) type __T2 = Client;
    }
}
