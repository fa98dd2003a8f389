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
mod log {
    /*!The protocol `log`.

# States

A session begins in [`Open`](log::Open); [`pipe`](log::pipe) makes one.

(drawing)

As text: [`MERMAID`](const@log::MERMAID), [`DOT`](const@log::DOT).

| state | sends | messages |
|---|---|---|
| [`Open`](log::Open) | client | `line(String)` → [`Open`](log::Open) |

Unbounded: in [`Open`](log::Open) the client can send without hearing from the other side.*/
    use super::*;
    /// Makes a pipe in the state [`Open`](log::Open) and returns both of its ends. One allocation.
    #[inline]
    pub fn pipe() -> (Client<Open>, Server<Open>) {
        let (client, server) = unsafe { pipes::__private::pipe() };
        (Client(client), Server(server))
    }
    /** The number of messages that can be on their way at the same time.

Unbounded: in [`Open`](log::Open) the client can send without hearing from the other side.*/
    pub const BOUND: pipes::Bound = pipes::Bound::Unbounded {
        cycle: &["open"],
    };
    /// The protocol `log` as a type, for code that is generic over protocols.
    pub struct Protocol(::core::marker::PhantomData<fn() -> Open>);
    impl ::core::fmt::Debug for Protocol {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("log::Protocol")
        }
    }
    impl pipes::Protocol for Protocol {
        type Client = Client<Open>;
        type Server = Server<Open>;
        fn pipe() -> (Client<Open>, Server<Open>) {
            pipe()
        }
    }
    ///
    /** The state `open`, in which the client sends; what the server receives in it.

- `line(String)` → [`Open`](log::Open)
*/
    pub enum Open {
        /// The message `line(String)`, and the endpoint for the next step.
        Line(String, Server<Open>),
    }
    impl ::core::fmt::Debug for Open {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Line { .. } => "Line",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl pipes::__private::State for Open {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Chain<__Payloads>;
        type Payloads = __Payloads;
        const INFO: &'static pipes::StateInfo = ClientState::Open.info();
    }
    #[doc(hidden)]
    impl pipes::__private::SentBy<pipes::__private::AsClient> for Open {}
    impl Client<Open> {
        ///
        /** Sends `line`; the session goes on in [`Open`](log::Open). Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn line(
            self,
            payload: String,
        ) -> ::core::result::Result<Client<Open>, pipes::SendError<String>> {
            unsafe {
                self.0
                    .send(
                        payload,
                        |payload, next| Open::Line(payload, Server(next)),
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
    pipes::__endpoint! {
        #[doc =
        " The client's end of a pipe of the protocol `log`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Client < S > : AsClient;
    }
    pipes::__endpoint! {
        #[doc =
        " The server's end of a pipe of the protocol `log`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Server < S > : AsServer;
    }
    #[doc(hidden)]
    pub union __Payloads {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<String>,
        _1: pipes::__private::ManuallyDrop<(String, pipes::remote::Ticket)>,
        _2: pipes::__private::ManuallyDrop<pipes::remote::Ticket>,
    }
    impl ::core::fmt::Debug for __Payloads {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__Payloads")
        }
    }
    pipes::__states! {
        protocol "log", mermaid
        "(diagram)",
        dot
        "(diagram)",
        Open "open" "client"["line" -> "open"],
    }
    /// The client's endpoint in each state.
    pub mod client {
        /// The client in the state [`Open`](super::Open), in which it sends.
        pub type Open = super::Client<super::Open>;
    }
    /// The server's endpoint in each state.
    pub mod server {
        /// The server in the state [`Open`](super::Open), in which it receives.
        pub type Open = super::Server<super::Open>;
    }
    /** The client's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ClientMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyClient {
        /// In the state [`Open`](type@Open).
        Open(Client<Open>),
    }
    /// What an [`AnyClient`] receives: a variant for each state in which it can.
    pub enum ClientMessage {
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyClient),
    }
    pipes::__any! {
        impl [] for AnyClient, in ClientState, receiving ClientMessage[] [NotReceiving],
        senders[Open], receivers[], where []
    }
    impl ::core::convert::From<Client<Open>> for AnyClient {
        #[inline]
        fn from(endpoint: Client<Open>) -> Self {
            Self::Open(endpoint)
        }
    }
    /** The server's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ServerMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyServer {
        /// In the state [`Open`](type@Open).
        Open(Server<Open>),
    }
    /// What an [`AnyServer`] receives: a variant for each state in which it can.
    pub enum ServerMessage {
        /// A message of the state [`Open`](type@Open).
        Open(Open),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyServer),
    }
    pipes::__any! {
        impl [] for AnyServer, in ServerState, receiving ServerMessage[] [NotReceiving],
        senders[], receivers[Open], where []
    }
    impl ::core::convert::From<Server<Open>> for AnyServer {
        #[inline]
        fn from(endpoint: Server<Open>) -> Self {
            Self::Open(endpoint)
        }
    }
    /// The server's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingServer {
        /// In the state [`Open`](type@Open).
        Open(Server<Open>),
    }
    /// What a [`ReceivingServer`] receives: a variant for each of its states.
    pub enum ServerReceived {
        /// A message of the state [`Open`](type@Open).
        Open(Open),
    }
    pipes::__any! {
        impl [] for ReceivingServer, in ServerState, receiving ServerReceived[] [],
        senders[], receivers[Open], where []
    }
    impl ::core::convert::From<Server<Open>> for ReceivingServer {
        #[inline]
        fn from(endpoint: Server<Open>) -> Self {
            Self::Open(endpoint)
        }
    }
    impl ::core::convert::From<ReceivingServer> for AnyServer {
        #[inline]
        fn from(endpoint: ReceivingServer) -> Self {
            match endpoint {
                ReceivingServer::Open(endpoint) => Self::Open(endpoint),
            }
        }
    }
    pipes::__remote! {
        protocol Protocol, client Client < Open >, server Server < Open >, [], where []
    }
    impl pipes::remote::Remote for Protocol {
        const NAME: &'static ::core::primitive::str = "log";
        const HASH: ::core::primitive::u128 = 291492631870563428752483298847956377089;
        const VERSION: ::core::primitive::u32 = 0;
        const BOUND: pipes::Bound = self::BOUND;
        type Calls = AnyServer;
        type Serves = AnyClient;
    }
    #[doc(hidden)]
    #[allow(unused_variables)]
    impl<__Codec> pipes::remote::Relay<__Codec> for AnyClient
    where
        __Codec: pipes::remote::Carries<String>,
    {
        fn hash(codec: &__Codec) -> ::core::primitive::u128 {
            <Protocol as pipes::remote::Remote>::HASH
        }
        fn state(&self) -> &'static ::core::primitive::str {
            match self {
                Self::Open(_) => "open",
            }
        }
        fn user_speaks(&self) -> ::core::primitive::bool {
            match self {
                Self::Open(_) => false,
            }
        }
        fn poll(
            &mut self,
            cx: &mut ::core::task::Context<'_>,
        ) -> ::core::task::Poll<()> {
            match self {
                Self::Open(endpoint) => pipes::Closing::poll_closed(endpoint, cx),
            }
        }
        fn lift(
            self,
            codec: &__Codec,
            out: &mut ::std::vec::Vec<::core::primitive::u8>,
        ) -> pipes::remote::Lifted<Self> {
            match self {
                Self::Open(endpoint) => {
                    pipes::remote::Lifted::Nothing(Self::Open(endpoint))
                }
            }
        }
        fn lower(
            self,
            codec: &__Codec,
            message: pipes::remote::Incoming<'_>,
        ) -> pipes::remote::Lowered<Self> {
            match (self, message.tag) {
                (Self::Open(endpoint), 0) => {
                    pipes::__private::lower(
                        codec,
                        "the message `line` of `log`",
                        message,
                        |payload: String, ticket| {
                            unsafe {
                                endpoint
                                    .0
                                    .send(
                                        (payload, ticket),
                                        |(payload, ticket), next| {
                                            ::core::mem::drop(ticket);
                                            Open::Line(payload, Server(next))
                                        },
                                        |payload, _| {
                                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                                            [__Payloads { _1: __kept }]
                                        },
                                    )
                            }
                                .map(Client)
                        },
                    )
                }
                (other, _) => {
                    pipes::__private::lower_nothing::<__Codec, Self>(other, message)
                }
            }
        }
    }
    #[doc(hidden)]
    #[allow(unused_variables)]
    impl<__Codec> pipes::remote::Relay<__Codec> for AnyServer
    where
        __Codec: pipes::remote::Carries<String>,
    {
        fn hash(codec: &__Codec) -> ::core::primitive::u128 {
            <Protocol as pipes::remote::Remote>::HASH
        }
        fn state(&self) -> &'static ::core::primitive::str {
            match self {
                Self::Open(_) => "open",
            }
        }
        fn user_speaks(&self) -> ::core::primitive::bool {
            match self {
                Self::Open(_) => true,
            }
        }
        fn poll(
            &mut self,
            cx: &mut ::core::task::Context<'_>,
        ) -> ::core::task::Poll<()> {
            match self {
                Self::Open(endpoint) => pipes::Readiness::poll_ready(endpoint, cx),
            }
        }
        fn lift(
            self,
            codec: &__Codec,
            out: &mut ::std::vec::Vec<::core::primitive::u8>,
        ) -> pipes::remote::Lifted<Self> {
            match self {
                Self::Open(endpoint) => {
                    pipes::__private::lift(
                        endpoint,
                        Self::Open,
                        |message| match message {
                            Open::Line(payload, next) => {
                                (
                                    0,
                                    pipes::__private::put(
                                        codec,
                                        "the message `line` of `log`",
                                        payload,
                                        out,
                                    ),
                                    ::core::option::Option::Some(
                                        ::core::convert::Into::into(next),
                                    ),
                                )
                            }
                        },
                    )
                }
            }
        }
        fn lower(
            self,
            codec: &__Codec,
            message: pipes::remote::Incoming<'_>,
        ) -> pipes::remote::Lowered<Self> {
            match (self, message.tag) {
                (other, _) => {
                    pipes::__private::lower_nothing::<__Codec, Self>(other, message)
                }
            }
        }
    }
}
