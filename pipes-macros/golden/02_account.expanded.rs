/// An account, as its owner sees it.
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
pub mod account {
    /*!# States

A session begins in [`Connected`](account::Connected); [`pipe`](account::pipe) makes one.

(drawing)

As text: [`MERMAID`](const@account::MERMAID), [`DOT`](const@account::DOT).

| state | sends | messages |
|---|---|---|
| [`Connected`](account::Connected) | client | `deposit(u64)` → [`Connected`](account::Connected)<br>`transfer(to: String, amount: u64)` → [`Answer`](account::Answer) |
| [`Answer`](account::Answer) | server | `done` → [`Connected`](account::Connected)<br>`insufficient_funds(u64)` → [`Connected`](account::Connected) |

Unbounded: in [`Connected`](account::Connected) the client can send without hearing from the other side.*/
    use super::*;
    /// Makes a pipe in the state [`Connected`](account::Connected) and returns both of its ends. One allocation.
    #[inline]
    pub fn pipe() -> (Client<Connected>, Server<Connected>) {
        let (client, server) = unsafe { pipes::__private::pipe() };
        (Client(client), Server(server))
    }
    /** The number of messages that can be on their way at the same time.

Unbounded: in [`Connected`](account::Connected) the client can send without hearing from the other side.*/
    pub const BOUND: pipes::Bound = pipes::Bound::Unbounded {
        cycle: &["connected"],
    };
    /// The protocol `account` as a type, for code that is generic over protocols.
    pub struct Protocol(::core::marker::PhantomData<fn() -> Connected>);
    impl ::core::fmt::Debug for Protocol {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("account::Protocol")
        }
    }
    impl pipes::Protocol for Protocol {
        type Client = Client<Connected>;
        type Server = Server<Connected>;
        fn pipe() -> (Client<Connected>, Server<Connected>) {
            pipe()
        }
    }
    /// The account is open.
    ///
    /** The state `connected`, in which the client sends; what the server receives in it.

- `deposit(u64)` → [`Connected`](account::Connected)
- `transfer(to: String, amount: u64)` → [`Answer`](account::Answer)
*/
    pub enum Connected {
        /// The message `deposit(u64)`, and the endpoint for the next step.
        Deposit(u64, Server<Connected>),
        /// To somebody else.
        ///
        /// The message `transfer(to: String, amount: u64)`, and the endpoint for the next step.
        Transfer(String, u64, Server<Answer>),
    }
    impl ::core::fmt::Debug for Connected {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Deposit { .. } => "Deposit",
                    Self::Transfer { .. } => "Transfer",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl pipes::__private::State for Connected {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Chain<__Payloads>;
        type Payloads = __Payloads;
        const INFO: &'static pipes::StateInfo = ClientState::Connected.info();
    }
    #[doc(hidden)]
    impl pipes::__private::SentBy<pipes::__private::AsClient> for Connected {}
    impl Client<Connected> {
        ///
        /** Sends `deposit`; the session goes on in [`Connected`](account::Connected). Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn deposit(
            self,
            payload: u64,
        ) -> ::core::result::Result<Client<Connected>, pipes::SendError<u64>> {
            unsafe {
                self.0
                    .send(
                        payload,
                        |payload, next| Connected::Deposit(payload, Server(next)),
                        |payload, _| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            [__Payloads { _0: __kept }]
                        },
                    )
            }
                .map(Client)
                .map_err(pipes::__private::not_sent)
        }
        /// To somebody else.
        ///
        /** Sends `transfer`; the session goes on in [`Answer`](account::Answer). Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn transfer(
            self,
            to: String,
            amount: u64,
        ) -> ::core::result::Result<Client<Answer>, pipes::SendError<(String, u64)>> {
            unsafe {
                self.0
                    .send(
                        (to, amount),
                        |(to, amount), next| Connected::Transfer(
                            to,
                            amount,
                            Server(next),
                        ),
                        |payload, _| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            [__Payloads { _1: __kept }]
                        },
                    )
            }
                .map(Client)
                .map_err(pipes::__private::not_sent)
        }
    }
    ///
    /** The state `answer`, in which the server sends; what the client receives in it.

- `done` → [`Connected`](account::Connected)
- `insufficient_funds(u64)` → [`Connected`](account::Connected)
*/
    pub enum Answer {
        /// The message `done`, and the endpoint for the next step.
        Done(Client<Connected>),
        /// The message `insufficient_funds(u64)`, and the endpoint for the next step.
        InsufficientFunds(u64, Client<Connected>),
    }
    impl ::core::fmt::Debug for Answer {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Done { .. } => "Done",
                    Self::InsufficientFunds { .. } => "InsufficientFunds",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl pipes::__private::State for Answer {
        type Sender = pipes::__private::AsServer;
        type Memory = pipes::__private::Chain<__Payloads>;
        type Payloads = __Payloads;
        const INFO: &'static pipes::StateInfo = ClientState::Answer.info();
    }
    #[doc(hidden)]
    impl pipes::__private::SentBy<pipes::__private::AsServer> for Answer {}
    impl Server<Answer> {
        ///
        /** Sends `done`; the session goes on in [`Connected`](account::Connected). Never blocks.

# Errors

The client has left.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn done(
            self,
        ) -> ::core::result::Result<Server<Connected>, pipes::SendError<()>> {
            unsafe {
                self.0
                    .send(
                        (),
                        |(), next| Answer::Done(Client(next)),
                        |(), _| { [__Payloads { _nothing: () }] },
                    )
            }
                .map(Server)
                .map_err(pipes::__private::not_sent)
        }
        ///
        /** Sends `insufficient_funds`; the session goes on in [`Connected`](account::Connected). Never blocks.

# Errors

The client has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn insufficient_funds(
            self,
            payload: u64,
        ) -> ::core::result::Result<Server<Connected>, pipes::SendError<u64>> {
            unsafe {
                self.0
                    .send(
                        payload,
                        |payload, next| Answer::InsufficientFunds(payload, Client(next)),
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
        " The client's end of a pipe of the protocol `account`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Client < S > : AsClient;
    }
    pipes::__endpoint! {
        #[doc =
        " The server's end of a pipe of the protocol `account`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Server < S > : AsServer;
    }
    #[doc(hidden)]
    pub union __Payloads {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<u64>,
        _1: pipes::__private::ManuallyDrop<(String, u64)>,
    }
    impl ::core::fmt::Debug for __Payloads {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__Payloads")
        }
    }
    pipes::__states! {
        protocol "account", mermaid
        "(diagram)",
        dot
        "(diagram)",
        Connected "connected" "client"["deposit" -> "connected", "transfer" -> "answer"],
        Answer "answer" "server"["done" -> "connected", "insufficient_funds" ->
        "connected"],
    }
    /// The client's endpoint in each state.
    pub mod client {
        /// The client in the state [`Connected`](super::Connected), in which it sends.
        pub type Connected = super::Client<super::Connected>;
        /// The client in the state [`Answer`](super::Answer), in which it receives.
        pub type Answer = super::Client<super::Answer>;
    }
    /// The server's endpoint in each state.
    pub mod server {
        /// The server in the state [`Connected`](super::Connected), in which it receives.
        pub type Connected = super::Server<super::Connected>;
        /// The server in the state [`Answer`](super::Answer), in which it sends.
        pub type Answer = super::Server<super::Answer>;
    }
    /** The client's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ClientMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyClient {
        /// In the state [`Connected`](type@Connected).
        Connected(Client<Connected>),
        /// In the state [`Answer`](type@Answer).
        Answer(Client<Answer>),
    }
    /// What an [`AnyClient`] receives: a variant for each state in which it can.
    pub enum ClientMessage {
        /// A message of the state [`Answer`](type@Answer).
        Answer(Answer),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyClient),
    }
    pipes::__any! {
        impl [] for AnyClient, in ClientState, receiving ClientMessage[] [NotReceiving],
        senders[Connected], receivers[Answer], where []
    }
    impl ::core::convert::From<Client<Connected>> for AnyClient {
        #[inline]
        fn from(endpoint: Client<Connected>) -> Self {
            Self::Connected(endpoint)
        }
    }
    impl ::core::convert::From<Client<Answer>> for AnyClient {
        #[inline]
        fn from(endpoint: Client<Answer>) -> Self {
            Self::Answer(endpoint)
        }
    }
    /// The client's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingClient {
        /// In the state [`Answer`](type@Answer).
        Answer(Client<Answer>),
    }
    /// What a [`ReceivingClient`] receives: a variant for each of its states.
    pub enum ClientReceived {
        /// A message of the state [`Answer`](type@Answer).
        Answer(Answer),
    }
    pipes::__any! {
        impl [] for ReceivingClient, in ClientState, receiving ClientReceived[] [],
        senders[], receivers[Answer], where []
    }
    impl ::core::convert::From<Client<Answer>> for ReceivingClient {
        #[inline]
        fn from(endpoint: Client<Answer>) -> Self {
            Self::Answer(endpoint)
        }
    }
    impl ::core::convert::From<ReceivingClient> for AnyClient {
        #[inline]
        fn from(endpoint: ReceivingClient) -> Self {
            match endpoint {
                ReceivingClient::Answer(endpoint) => Self::Answer(endpoint),
            }
        }
    }
    /** The server's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ServerMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyServer {
        /// In the state [`Connected`](type@Connected).
        Connected(Server<Connected>),
        /// In the state [`Answer`](type@Answer).
        Answer(Server<Answer>),
    }
    /// What an [`AnyServer`] receives: a variant for each state in which it can.
    pub enum ServerMessage {
        /// A message of the state [`Connected`](type@Connected).
        Connected(Connected),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyServer),
    }
    pipes::__any! {
        impl [] for AnyServer, in ServerState, receiving ServerMessage[] [NotReceiving],
        senders[Answer], receivers[Connected], where []
    }
    impl ::core::convert::From<Server<Connected>> for AnyServer {
        #[inline]
        fn from(endpoint: Server<Connected>) -> Self {
            Self::Connected(endpoint)
        }
    }
    impl ::core::convert::From<Server<Answer>> for AnyServer {
        #[inline]
        fn from(endpoint: Server<Answer>) -> Self {
            Self::Answer(endpoint)
        }
    }
    /// The server's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingServer {
        /// In the state [`Connected`](type@Connected).
        Connected(Server<Connected>),
    }
    /// What a [`ReceivingServer`] receives: a variant for each of its states.
    pub enum ServerReceived {
        /// A message of the state [`Connected`](type@Connected).
        Connected(Connected),
    }
    pipes::__any! {
        impl [] for ReceivingServer, in ServerState, receiving ServerReceived[] [],
        senders[], receivers[Connected], where []
    }
    impl ::core::convert::From<Server<Connected>> for ReceivingServer {
        #[inline]
        fn from(endpoint: Server<Connected>) -> Self {
            Self::Connected(endpoint)
        }
    }
    impl ::core::convert::From<ReceivingServer> for AnyServer {
        #[inline]
        fn from(endpoint: ReceivingServer) -> Self {
            match endpoint {
                ReceivingServer::Connected(endpoint) => Self::Connected(endpoint),
            }
        }
    }
}
