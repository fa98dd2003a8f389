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
pub mod account {
    /*!# States

A session begins in [`Connected`](account::Connected); [`pipe`](account::pipe) makes one.

(drawing)

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
        _2: pipes::__private::ManuallyDrop<(u64, pipes::remote::Ticket)>,
        _3: pipes::__private::ManuallyDrop<((String, u64), pipes::remote::Ticket)>,
        _4: pipes::__private::ManuallyDrop<pipes::remote::Ticket>,
    }
    impl ::core::fmt::Debug for __Payloads {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__Payloads")
        }
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
        /// It is this side's turn to send: here is the endpoint.
        NotReceiving(AnyClient),
    }
    pipes::__any! {
        impl [] for AnyClient, receiving ClientMessage[] [NotReceiving],
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
        impl [] for ReceivingClient, receiving ClientReceived[] [], senders[],
        receivers[Answer], where []
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
        /// It is this side's turn to send: here is the endpoint.
        NotReceiving(AnyServer),
    }
    pipes::__any! {
        impl [] for AnyServer, receiving ServerMessage[] [NotReceiving], senders[Answer],
        receivers[Connected], where []
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
        impl [] for ReceivingServer, receiving ServerReceived[] [], senders[],
        receivers[Connected], where []
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
    /** Begins a session of `account` with another program.

**Blocks the thread** until the other program has accepted or refused the session, or the time for that is over. In a task, use `connect_async`.

# Errors

The other program cannot be reached, or refuses the session.*/
    pub fn connect<__Via: pipes::Dial<Protocol> + ?::core::marker::Sized>(
        via: &__Via,
    ) -> ::core::result::Result<Client<Connected>, __Via::Error> {
        via.dial().map(|(client, _)| client)
    }
    /** Begins a session of `account` with another program; the link says why it ends.

**Blocks the thread** until the other program has accepted or refused the session, or the time for that is over. In a task, use `connect_with_link_async`.

# Errors

The other program cannot be reached, or refuses the session.*/
    pub fn connect_with_link<__Via: pipes::Dial<Protocol> + ?::core::marker::Sized>(
        via: &__Via,
    ) -> ::core::result::Result<(Client<Connected>, pipes::Link), __Via::Error> {
        via.dial()
    }
    /** Begins a session of `account` with another program, in a task.

# Errors

The other program cannot be reached, or refuses the session.*/
    pub async fn connect_async<__Via: pipes::Dial<Protocol> + ?::core::marker::Sized>(
        via: &__Via,
    ) -> ::core::result::Result<Client<Connected>, __Via::Error> {
        via.dial_async().await.map(|(client, _)| client)
    }
    /** Begins a session of `account` with another program, in a task; the link says why it ends.

# Errors

The other program cannot be reached, or refuses the session.*/
    pub async fn connect_with_link_async<
        __Via: pipes::Dial<Protocol> + ?::core::marker::Sized,
    >(
        via: &__Via,
    ) -> ::core::result::Result<(Client<Connected>, pipes::Link), __Via::Error> {
        via.dial_async().await
    }
    /** Accepts sessions of `account` from other programs.

**Blocks the thread** until the address is taken. In a task, use `listen_async`.

# Errors

The address cannot be taken.*/
    pub fn listen<__Via: pipes::Serve<Protocol> + ?::core::marker::Sized>(
        via: &__Via,
    ) -> ::core::result::Result<pipes::Listener<Protocol>, __Via::Error> {
        via.serve(|server, _| server)
    }
    /** Accepts sessions of `account` from other programs, each with a link that says who is there and why the session ends.

**Blocks the thread** until the address is taken. In a task, use `listen_with_links_async`.

# Errors

The address cannot be taken.*/
    pub fn listen_with_links<__Via: pipes::Serve<Protocol> + ?::core::marker::Sized>(
        via: &__Via,
    ) -> ::core::result::Result<
        pipes::Listener<Protocol, (Server<Connected>, pipes::Link)>,
        __Via::Error,
    > {
        via.serve(|server, link| (server, link))
    }
    /** Accepts sessions of `account` from other programs, in a task.

# Errors

The address cannot be taken.*/
    pub async fn listen_async<__Via: pipes::Serve<Protocol> + ?::core::marker::Sized>(
        via: &__Via,
    ) -> ::core::result::Result<pipes::Listener<Protocol>, __Via::Error> {
        via.serve_async(|server, _| server).await
    }
    /** Accepts sessions of `account` from other programs, in a task, each with a link that says who is there and why the session ends.

# Errors

The address cannot be taken.*/
    pub async fn listen_with_links_async<
        __Via: pipes::Serve<Protocol> + ?::core::marker::Sized,
    >(
        via: &__Via,
    ) -> ::core::result::Result<
        pipes::Listener<Protocol, (Server<Connected>, pipes::Link)>,
        __Via::Error,
    > {
        via.serve_async(|server, link| (server, link)).await
    }
    impl pipes::Remote for Protocol {
        const NAME: &'static ::core::primitive::str = "account";
        const HASH: ::core::primitive::u128 = 309754399215864966711114635935932369053;
        const VERSION: ::core::primitive::u32 = 0;
        const BOUND: pipes::Bound = BOUND;
        type Calls = AnyServer;
        type Serves = AnyClient;
    }
    #[doc(hidden)]
    #[allow(unused_variables)]
    impl<__Codec> pipes::Relay<__Codec> for AnyClient
    where
        __Codec: pipes::Carries<u64>,
        __Codec: pipes::Carries<(String, u64)>,
        __Codec: pipes::Carries<()>,
    {
        fn hash(codec: &__Codec) -> ::core::primitive::u128 {
            <Protocol as pipes::Remote>::HASH
        }
        fn state(&self) -> &'static ::core::primitive::str {
            match self {
                Self::Connected(_) => "connected",
                Self::Answer(_) => "answer",
            }
        }
        fn user_speaks(&self) -> ::core::primitive::bool {
            match self {
                Self::Connected(_) => false,
                Self::Answer(_) => true,
            }
        }
        fn poll(
            &mut self,
            cx: &mut ::core::task::Context<'_>,
        ) -> ::core::task::Poll<()> {
            match self {
                Self::Connected(endpoint) => pipes::Closing::poll_closed(endpoint, cx),
                Self::Answer(endpoint) => pipes::Readiness::poll_ready(endpoint, cx),
            }
        }
        fn lift(
            self,
            codec: &__Codec,
            out: &mut ::std::vec::Vec<::core::primitive::u8>,
        ) -> pipes::remote::Lifted<Self> {
            match self {
                Self::Connected(endpoint) => {
                    pipes::remote::Lifted::Nothing(Self::Connected(endpoint))
                }
                Self::Answer(endpoint) => {
                    pipes::__private::lift(
                        endpoint,
                        Self::Answer,
                        |message| match message {
                            Answer::Done(next) => {
                                (
                                    0,
                                    pipes::__private::put(codec, &(), out),
                                    ::core::option::Option::Some(
                                        ::core::convert::Into::into(next),
                                    ),
                                )
                            }
                            Answer::InsufficientFunds(payload, next) => {
                                (
                                    1,
                                    pipes::__private::put(codec, &payload, out),
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
                (Self::Connected(endpoint), 0) => {
                    pipes::__private::lower(
                        codec,
                        message,
                        |payload: u64, ticket| {
                            unsafe {
                                endpoint
                                    .0
                                    .send(
                                        (payload, ticket),
                                        |(payload, ticket), next| {
                                            ::core::mem::drop(ticket);
                                            Connected::Deposit(payload, Server(next))
                                        },
                                        |payload, _| {
                                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                                            [__Payloads { _2: __kept }]
                                        },
                                    )
                            }
                                .map(Client)
                        },
                    )
                }
                (Self::Connected(endpoint), 1) => {
                    pipes::__private::lower(
                        codec,
                        message,
                        |(payload0, payload1): (String, u64), ticket| {
                            unsafe {
                                endpoint
                                    .0
                                    .send(
                                        ((payload0, payload1), ticket),
                                        |((payload0, payload1), ticket), next| {
                                            ::core::mem::drop(ticket);
                                            Connected::Transfer(payload0, payload1, Server(next))
                                        },
                                        |payload, _| {
                                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                                            [__Payloads { _3: __kept }]
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
    impl<__Codec> pipes::Relay<__Codec> for AnyServer
    where
        __Codec: pipes::Carries<u64>,
        __Codec: pipes::Carries<(String, u64)>,
        __Codec: pipes::Carries<()>,
    {
        fn hash(codec: &__Codec) -> ::core::primitive::u128 {
            <Protocol as pipes::Remote>::HASH
        }
        fn state(&self) -> &'static ::core::primitive::str {
            match self {
                Self::Connected(_) => "connected",
                Self::Answer(_) => "answer",
            }
        }
        fn user_speaks(&self) -> ::core::primitive::bool {
            match self {
                Self::Connected(_) => true,
                Self::Answer(_) => false,
            }
        }
        fn poll(
            &mut self,
            cx: &mut ::core::task::Context<'_>,
        ) -> ::core::task::Poll<()> {
            match self {
                Self::Connected(endpoint) => pipes::Readiness::poll_ready(endpoint, cx),
                Self::Answer(endpoint) => pipes::Closing::poll_closed(endpoint, cx),
            }
        }
        fn lift(
            self,
            codec: &__Codec,
            out: &mut ::std::vec::Vec<::core::primitive::u8>,
        ) -> pipes::remote::Lifted<Self> {
            match self {
                Self::Connected(endpoint) => {
                    pipes::__private::lift(
                        endpoint,
                        Self::Connected,
                        |message| match message {
                            Connected::Deposit(payload, next) => {
                                (
                                    0,
                                    pipes::__private::put(codec, &payload, out),
                                    ::core::option::Option::Some(
                                        ::core::convert::Into::into(next),
                                    ),
                                )
                            }
                            Connected::Transfer(payload0, payload1, next) => {
                                (
                                    1,
                                    pipes::__private::put(codec, &(payload0, payload1), out),
                                    ::core::option::Option::Some(
                                        ::core::convert::Into::into(next),
                                    ),
                                )
                            }
                        },
                    )
                }
                Self::Answer(endpoint) => {
                    pipes::remote::Lifted::Nothing(Self::Answer(endpoint))
                }
            }
        }
        fn lower(
            self,
            codec: &__Codec,
            message: pipes::remote::Incoming<'_>,
        ) -> pipes::remote::Lowered<Self> {
            match (self, message.tag) {
                (Self::Answer(endpoint), 0) => {
                    pipes::__private::lower(
                        codec,
                        message,
                        |(): (), ticket| {
                            unsafe {
                                endpoint
                                    .0
                                    .send(
                                        ticket,
                                        |ticket, next| {
                                            ::core::mem::drop(ticket);
                                            Answer::Done(Client(next))
                                        },
                                        |payload, _| {
                                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                                            [__Payloads { _4: __kept }]
                                        },
                                    )
                            }
                                .map(Server)
                        },
                    )
                }
                (Self::Answer(endpoint), 1) => {
                    pipes::__private::lower(
                        codec,
                        message,
                        |payload: u64, ticket| {
                            unsafe {
                                endpoint
                                    .0
                                    .send(
                                        (payload, ticket),
                                        |(payload, ticket), next| {
                                            ::core::mem::drop(ticket);
                                            Answer::InsufficientFunds(payload, Client(next))
                                        },
                                        |payload, _| {
                                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                                            [__Payloads { _2: __kept }]
                                        },
                                    )
                            }
                                .map(Server)
                        },
                    )
                }
                (other, _) => {
                    pipes::__private::lower_nothing::<__Codec, Self>(other, message)
                }
            }
        }
    }
}
