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
mod parcel {
    /*!The protocol `parcel`.

# States

A session begins in [`Sending`](parcel::Sending); [`pipe`](parcel::pipe) makes one.

(drawing)

As text: [`MERMAID`](const@parcel::MERMAID), [`DOT`](const@parcel::DOT).

| state | sends | messages |
|---|---|---|
| [`Sending`](parcel::Sending) | client | `parcel(u8, String)` → end |

Bounded: at most one message is on its way. A pipe is one allocation.*/
    use super::*;
    /// Makes a pipe in the state [`Sending`](parcel::Sending) and returns both of its ends. One allocation.
    #[inline]
    pub fn pipe() -> (Client<Sending>, Server<Sending>) {
        let (client, server) = unsafe { pipes::__private::pipe() };
        (Client(client), Server(server))
    }
    /** The number of messages that can be on their way at the same time.

Bounded: at most one message is on its way. A pipe is one allocation.*/
    pub const BOUND: pipes::Bound = pipes::Bound::Messages(1);
    /// The protocol `parcel` as a type, for code that is generic over protocols.
    pub struct Protocol(::core::marker::PhantomData<fn() -> Sending>);
    impl ::core::fmt::Debug for Protocol {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("parcel::Protocol")
        }
    }
    impl pipes::Protocol for Protocol {
        type Client = Client<Sending>;
        type Server = Server<Sending>;
        fn pipe() -> (Client<Sending>, Server<Sending>) {
            pipe()
        }
    }
    ///
    /** The state `sending`, in which the client sends; what the server receives in it.

- `parcel(u8, String)` → end
*/
    pub enum Sending {
        /// The message `parcel(u8, String)`, which ends the session.
        Parcel(u8, String),
    }
    impl ::core::fmt::Debug for Sending {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Parcel { .. } => "Parcel",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl pipes::__private::State for Sending {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Ring<__Payloads, 1>;
        type Payloads = __Payloads;
        const ONLY: pipes::__private::Only<Self> = pipes::__private::Only::last(|
            (payload0, payload1)|
        Sending::Parcel(payload0, payload1));
        const INFO: &'static pipes::StateInfo = ClientState::Sending.info();
    }
    #[doc(hidden)]
    impl pipes::__private::SentBy<pipes::__private::AsClient> for Sending {}
    impl Client<Sending> {
        ///
        /** Sends `parcel`; the session ends. Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[inline]
        pub fn parcel(
            self,
            payload0: u8,
            payload1: String,
        ) -> ::core::result::Result<(), pipes::SendError<(u8, String)>> {
            unsafe {
                self.0
                    .finish(
                        (payload0, payload1),
                        |(payload0, payload1)| Sending::Parcel(payload0, payload1),
                        |payload| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            __Payloads { _0: __kept }
                        },
                    )
            }
                .map_err(pipes::__private::not_sent)
        }
    }
    pipes::__endpoint! {
        #[doc =
        " The client's end of a pipe of the protocol `parcel`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Client < S > : AsClient;
    }
    pipes::__endpoint! {
        #[doc =
        " The server's end of a pipe of the protocol `parcel`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Server < S > : AsServer;
    }
    #[doc(hidden)]
    pub union __Payloads {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<(u8, String)>,
    }
    impl ::core::fmt::Debug for __Payloads {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__Payloads")
        }
    }
    pipes::__states! {
        protocol "parcel", mermaid
        "(diagram)",
        dot
        "(diagram)",
        Sending "sending" "client"["parcel"],
    }
    /// The client's endpoint in each state.
    pub mod client {
        /// The client in the state [`Sending`](super::Sending), in which it sends.
        pub type Sending = super::Client<super::Sending>;
    }
    /// The server's endpoint in each state.
    pub mod server {
        /// The server in the state [`Sending`](super::Sending), in which it receives.
        pub type Sending = super::Server<super::Sending>;
    }
    /** The client's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ClientMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyClient {
        /// In the state [`Sending`](type@Sending).
        Sending(Client<Sending>),
    }
    /// What an [`AnyClient`] receives: a variant for each state in which it can.
    pub enum ClientMessage {
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyClient),
    }
    pipes::__any! {
        impl [] for AnyClient, in ClientState, receiving ClientMessage[] [NotReceiving],
        senders[Sending], receivers[], where []
    }
    impl ::core::convert::From<Client<Sending>> for AnyClient {
        #[inline]
        fn from(endpoint: Client<Sending>) -> Self {
            Self::Sending(endpoint)
        }
    }
    /** The server's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ServerMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyServer {
        /// In the state [`Sending`](type@Sending).
        Sending(Server<Sending>),
    }
    /// What an [`AnyServer`] receives: a variant for each state in which it can.
    pub enum ServerMessage {
        /// A message of the state [`Sending`](type@Sending).
        Sending(Sending),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyServer),
    }
    pipes::__any! {
        impl [] for AnyServer, in ServerState, receiving ServerMessage[] [NotReceiving],
        senders[], receivers[Sending], where []
    }
    impl ::core::convert::From<Server<Sending>> for AnyServer {
        #[inline]
        fn from(endpoint: Server<Sending>) -> Self {
            Self::Sending(endpoint)
        }
    }
    /// The server's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingServer {
        /// In the state [`Sending`](type@Sending).
        Sending(Server<Sending>),
    }
    /// What a [`ReceivingServer`] receives: a variant for each of its states.
    pub enum ServerReceived {
        /// A message of the state [`Sending`](type@Sending).
        Sending(Sending),
    }
    pipes::__any! {
        impl [] for ReceivingServer, in ServerState, receiving ServerReceived[] [],
        senders[], receivers[Sending], where []
    }
    impl ::core::convert::From<Server<Sending>> for ReceivingServer {
        #[inline]
        fn from(endpoint: Server<Sending>) -> Self {
            Self::Sending(endpoint)
        }
    }
    impl ::core::convert::From<ReceivingServer> for AnyServer {
        #[inline]
        fn from(endpoint: ReceivingServer) -> Self {
            match endpoint {
                ReceivingServer::Sending(endpoint) => Self::Sending(endpoint),
            }
        }
    }
    pipes::__remote! {
        protocol Protocol, client Client < Sending >, server Server < Sending >, [],
        where []
    }
    impl pipes::remote::Remote for Protocol {
        const NAME: &'static ::core::primitive::str = "parcel";
        const HASH: ::core::primitive::u128 = 12022625207546260627250038758942723812;
        const VERSION: ::core::primitive::u32 = 2;
        const BOUND: pipes::Bound = self::BOUND;
        type Calls = AnyServer;
        type Serves = AnyClient;
    }
    #[doc(hidden)]
    #[allow(unused_variables)]
    impl<__Codec> pipes::remote::Relay<__Codec> for AnyClient
    where
        __Codec: pipes::remote::Carries<(u8, String)>,
        __Codec: pipes::remote::Describes<(u8, String)>,
    {
        fn hash(codec: &__Codec) -> ::core::primitive::u128 {
            pipes::remote::combine(
                <Protocol as pipes::remote::Remote>::HASH,
                <__Codec as pipes::remote::Describes<(u8, String)>>::shape(codec),
            )
        }
        fn state(&self) -> &'static ::core::primitive::str {
            match self {
                Self::Sending(_) => "sending",
            }
        }
        fn user_speaks(&self) -> ::core::primitive::bool {
            match self {
                Self::Sending(_) => false,
            }
        }
        fn poll(
            &mut self,
            cx: &mut ::core::task::Context<'_>,
        ) -> ::core::task::Poll<()> {
            match self {
                Self::Sending(endpoint) => pipes::Closing::poll_closed(endpoint, cx),
            }
        }
        fn lift(
            self,
            codec: &__Codec,
            out: &mut ::std::vec::Vec<::core::primitive::u8>,
        ) -> pipes::remote::Lifted<Self> {
            match self {
                Self::Sending(endpoint) => {
                    pipes::remote::Lifted::Nothing(Self::Sending(endpoint))
                }
            }
        }
        fn lower(
            self,
            codec: &__Codec,
            message: pipes::remote::Incoming<'_>,
        ) -> pipes::remote::Lowered<Self> {
            match (self, message.tag) {
                (Self::Sending(endpoint), 0) => {
                    pipes::__private::lower_last(
                        codec,
                        "the message `parcel` of `parcel`",
                        message,
                        |(payload0, payload1): (u8, String), _| {
                            endpoint.parcel(payload0, payload1)
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
        __Codec: pipes::remote::Carries<(u8, String)>,
        __Codec: pipes::remote::Describes<(u8, String)>,
    {
        fn hash(codec: &__Codec) -> ::core::primitive::u128 {
            pipes::remote::combine(
                <Protocol as pipes::remote::Remote>::HASH,
                <__Codec as pipes::remote::Describes<(u8, String)>>::shape(codec),
            )
        }
        fn state(&self) -> &'static ::core::primitive::str {
            match self {
                Self::Sending(_) => "sending",
            }
        }
        fn user_speaks(&self) -> ::core::primitive::bool {
            match self {
                Self::Sending(_) => true,
            }
        }
        fn poll(
            &mut self,
            cx: &mut ::core::task::Context<'_>,
        ) -> ::core::task::Poll<()> {
            match self {
                Self::Sending(endpoint) => pipes::Readiness::poll_ready(endpoint, cx),
            }
        }
        fn lift(
            self,
            codec: &__Codec,
            out: &mut ::std::vec::Vec<::core::primitive::u8>,
        ) -> pipes::remote::Lifted<Self> {
            match self {
                Self::Sending(endpoint) => {
                    pipes::__private::lift(
                        endpoint,
                        Self::Sending,
                        |message| match message {
                            Sending::Parcel(payload0, payload1) => {
                                (
                                    0,
                                    pipes::__private::put(
                                        codec,
                                        "the message `parcel` of `parcel`",
                                        (payload0, payload1),
                                        out,
                                    ),
                                    ::core::option::Option::None,
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
