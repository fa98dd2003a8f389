/// A number that is guessed.
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
pub mod game {
    /*!# States

A session begins in [`Guessing`](game::Guessing); [`pipe`](game::pipe) makes one.

(drawing)

| state | sends | messages |
|---|---|---|
| [`Guessing`](game::Guessing) | client | `guess(u32)` → [`Answer`](game::Answer)<br>`give_up` → end |
| [`Answer`](game::Answer) | server | `wrong(lower: bool, left: u8)` → [`Guessing`](game::Guessing)<br>`right` → end |

Bounded: at most one message is on its way. A pipe is one allocation.*/
    use super::*;
    /// Makes a pipe in the state [`Guessing`](game::Guessing) and returns both of its ends. One allocation.
    #[inline]
    pub fn pipe() -> (Client<Guessing>, Server<Guessing>) {
        let (client, server) = unsafe { pipes::__private::pipe() };
        (Client(client), Server(server))
    }
    /** The number of messages that can be on their way at the same time.

Bounded: at most one message is on its way. A pipe is one allocation.*/
    pub const BOUND: pipes::Bound = pipes::Bound::Messages(1);
    /// The protocol `game` as a type, for code that is generic over protocols.
    pub struct Protocol(::core::marker::PhantomData<fn() -> Guessing>);
    impl ::core::fmt::Debug for Protocol {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("game::Protocol")
        }
    }
    impl pipes::Protocol for Protocol {
        type Client = Client<Guessing>;
        type Server = Server<Guessing>;
        fn pipe() -> (Client<Guessing>, Server<Guessing>) {
            pipe()
        }
    }
    ///
    /** The state `guessing`, in which the client sends; what the server receives in it.

- `guess(u32)` → [`Answer`](game::Answer)
- `give_up` → end
*/
    pub enum Guessing {
        /// The message `guess(u32)`, and the endpoint for the next step.
        Guess(u32, Server<Answer>),
        /// The message `give_up`, which ends the session.
        GiveUp,
    }
    impl ::core::fmt::Debug for Guessing {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Guess { .. } => "Guess",
                    Self::GiveUp { .. } => "GiveUp",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl pipes::__private::State for Guessing {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Ring<__Payloads, 2>;
        type Payloads = __Payloads;
    }
    #[doc(hidden)]
    impl pipes::__private::SentBy<pipes::__private::AsClient> for Guessing {}
    impl Client<Guessing> {
        ///
        /** Sends `guess`; the session goes on in [`Answer`](game::Answer). Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn guess(
            self,
            payload: u32,
        ) -> ::core::result::Result<Client<Answer>, pipes::SendError<u32>> {
            unsafe {
                self.0
                    .send(
                        payload,
                        |payload, next| Guessing::Guess(payload, Server(next)),
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
        /** Sends `give_up`; the session ends. Never blocks.

# Errors

The server has left.*/
        #[inline]
        pub fn give_up(self) -> ::core::result::Result<(), pipes::SendError<()>> {
            unsafe {
                self.0
                    .finish(
                        (),
                        |()| Guessing::GiveUp,
                        |()| { __Payloads { _nothing: () } },
                    )
            }
                .map_err(pipes::__private::not_sent)
        }
    }
    ///
    /** The state `answer`, in which the server sends; what the client receives in it.

- `wrong(lower: bool, left: u8)` → [`Guessing`](game::Guessing)
- `right` → end
*/
    pub enum Answer {
        /// The message `wrong(lower: bool, left: u8)`, and the endpoint for the next step.
        Wrong(bool, u8, Client<Guessing>),
        /// The message `right`, which ends the session.
        Right,
    }
    impl ::core::fmt::Debug for Answer {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Wrong { .. } => "Wrong",
                    Self::Right { .. } => "Right",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl pipes::__private::State for Answer {
        type Sender = pipes::__private::AsServer;
        type Memory = pipes::__private::Ring<__Payloads, 2>;
        type Payloads = __Payloads;
    }
    #[doc(hidden)]
    impl pipes::__private::SentBy<pipes::__private::AsServer> for Answer {}
    impl Server<Answer> {
        ///
        /** Sends `wrong`; the session goes on in [`Guessing`](game::Guessing). Never blocks.

# Errors

The client has left; the error contains the payload.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn wrong(
            self,
            lower: bool,
            left: u8,
        ) -> ::core::result::Result<Server<Guessing>, pipes::SendError<(bool, u8)>> {
            unsafe {
                self.0
                    .send(
                        (lower, left),
                        |(lower, left), next| Answer::Wrong(lower, left, Client(next)),
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
        /** Sends `right`; the session ends. Never blocks.

# Errors

The client has left.*/
        #[inline]
        pub fn right(self) -> ::core::result::Result<(), pipes::SendError<()>> {
            unsafe {
                self.0
                    .finish((), |()| Answer::Right, |()| { __Payloads { _nothing: () } })
            }
                .map_err(pipes::__private::not_sent)
        }
    }
    pipes::__endpoint! {
        #[doc =
        " The client's end of a pipe of the protocol `game`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Client < S > : AsClient;
    }
    pipes::__endpoint! {
        #[doc =
        " The server's end of a pipe of the protocol `game`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Server < S > : AsServer;
    }
    #[doc(hidden)]
    pub union __Payloads {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<u32>,
        _1: pipes::__private::ManuallyDrop<(bool, u8)>,
    }
    impl ::core::fmt::Debug for __Payloads {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__Payloads")
        }
    }
    /// The client's endpoint in each state.
    pub mod client {
        /// The client in the state [`Guessing`](super::Guessing), in which it sends.
        pub type Guessing = super::Client<super::Guessing>;
        /// The client in the state [`Answer`](super::Answer), in which it receives.
        pub type Answer = super::Client<super::Answer>;
    }
    /// The server's endpoint in each state.
    pub mod server {
        /// The server in the state [`Guessing`](super::Guessing), in which it receives.
        pub type Guessing = super::Server<super::Guessing>;
        /// The server in the state [`Answer`](super::Answer), in which it sends.
        pub type Answer = super::Server<super::Answer>;
    }
    /** The client's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ClientMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyClient {
        /// In the state [`Guessing`](type@Guessing).
        Guessing(Client<Guessing>),
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
        senders[Guessing], receivers[Answer], where []
    }
    impl ::core::convert::From<Client<Guessing>> for AnyClient {
        #[inline]
        fn from(endpoint: Client<Guessing>) -> Self {
            Self::Guessing(endpoint)
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
        /// In the state [`Guessing`](type@Guessing).
        Guessing(Server<Guessing>),
        /// In the state [`Answer`](type@Answer).
        Answer(Server<Answer>),
    }
    /// What an [`AnyServer`] receives: a variant for each state in which it can.
    pub enum ServerMessage {
        /// A message of the state [`Guessing`](type@Guessing).
        Guessing(Guessing),
        /// It is this side's turn to send: here is the endpoint.
        NotReceiving(AnyServer),
    }
    pipes::__any! {
        impl [] for AnyServer, receiving ServerMessage[] [NotReceiving], senders[Answer],
        receivers[Guessing], where []
    }
    impl ::core::convert::From<Server<Guessing>> for AnyServer {
        #[inline]
        fn from(endpoint: Server<Guessing>) -> Self {
            Self::Guessing(endpoint)
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
        /// In the state [`Guessing`](type@Guessing).
        Guessing(Server<Guessing>),
    }
    /// What a [`ReceivingServer`] receives: a variant for each of its states.
    pub enum ServerReceived {
        /// A message of the state [`Guessing`](type@Guessing).
        Guessing(Guessing),
    }
    pipes::__any! {
        impl [] for ReceivingServer, receiving ServerReceived[] [], senders[],
        receivers[Guessing], where []
    }
    impl ::core::convert::From<Server<Guessing>> for ReceivingServer {
        #[inline]
        fn from(endpoint: Server<Guessing>) -> Self {
            Self::Guessing(endpoint)
        }
    }
    impl ::core::convert::From<ReceivingServer> for AnyServer {
        #[inline]
        fn from(endpoint: ReceivingServer) -> Self {
            match endpoint {
                ReceivingServer::Guessing(endpoint) => Self::Guessing(endpoint),
            }
        }
    }
    /** Begins a session of `game` with another program.

**Blocks the thread** until the other program has accepted or refused the session, or the time for that is over. In a task, use `connect_async`.

# Errors

The other program cannot be reached, or refuses the session.*/
    pub fn connect<__Via: pipes::Dial<Protocol> + ?::core::marker::Sized>(
        via: &__Via,
    ) -> ::core::result::Result<Client<Guessing>, __Via::Error> {
        via.dial().map(|(client, _)| client)
    }
    /** Begins a session of `game` with another program; the link says why it ends.

**Blocks the thread** until the other program has accepted or refused the session, or the time for that is over. In a task, use `connect_with_link_async`.

# Errors

The other program cannot be reached, or refuses the session.*/
    pub fn connect_with_link<__Via: pipes::Dial<Protocol> + ?::core::marker::Sized>(
        via: &__Via,
    ) -> ::core::result::Result<(Client<Guessing>, pipes::Link), __Via::Error> {
        via.dial()
    }
    /** Begins a session of `game` with another program, in a task.

# Errors

The other program cannot be reached, or refuses the session.*/
    pub async fn connect_async<__Via: pipes::Dial<Protocol> + ?::core::marker::Sized>(
        via: &__Via,
    ) -> ::core::result::Result<Client<Guessing>, __Via::Error> {
        via.dial_async().await.map(|(client, _)| client)
    }
    /** Begins a session of `game` with another program, in a task; the link says why it ends.

# Errors

The other program cannot be reached, or refuses the session.*/
    pub async fn connect_with_link_async<
        __Via: pipes::Dial<Protocol> + ?::core::marker::Sized,
    >(
        via: &__Via,
    ) -> ::core::result::Result<(Client<Guessing>, pipes::Link), __Via::Error> {
        via.dial_async().await
    }
    /** Accepts sessions of `game` from other programs.

**Blocks the thread** until the address is taken. In a task, use `listen_async`.

# Errors

The address cannot be taken.*/
    pub fn listen<__Via: pipes::Serve<Protocol> + ?::core::marker::Sized>(
        via: &__Via,
    ) -> ::core::result::Result<pipes::Listener<Protocol>, __Via::Error> {
        via.serve(|server, _| server)
    }
    /** Accepts sessions of `game` from other programs, each with a link that says who is there and why the session ends.

**Blocks the thread** until the address is taken. In a task, use `listen_with_links_async`.

# Errors

The address cannot be taken.*/
    pub fn listen_with_links<__Via: pipes::Serve<Protocol> + ?::core::marker::Sized>(
        via: &__Via,
    ) -> ::core::result::Result<
        pipes::Listener<Protocol, (Server<Guessing>, pipes::Link)>,
        __Via::Error,
    > {
        via.serve(|server, link| (server, link))
    }
    /** Accepts sessions of `game` from other programs, in a task.

# Errors

The address cannot be taken.*/
    pub async fn listen_async<__Via: pipes::Serve<Protocol> + ?::core::marker::Sized>(
        via: &__Via,
    ) -> ::core::result::Result<pipes::Listener<Protocol>, __Via::Error> {
        via.serve_async(|server, _| server).await
    }
    /** Accepts sessions of `game` from other programs, in a task, each with a link that says who is there and why the session ends.

# Errors

The address cannot be taken.*/
    pub async fn listen_with_links_async<
        __Via: pipes::Serve<Protocol> + ?::core::marker::Sized,
    >(
        via: &__Via,
    ) -> ::core::result::Result<
        pipes::Listener<Protocol, (Server<Guessing>, pipes::Link)>,
        __Via::Error,
    > {
        via.serve_async(|server, link| (server, link)).await
    }
    impl pipes::Remote for Protocol {
        const NAME: &'static ::core::primitive::str = "game";
        const HASH: ::core::primitive::u128 = 58468776522178182760718581036540675904;
        const VERSION: ::core::primitive::u32 = 2;
        const BOUND: pipes::Bound = BOUND;
        type Calls = AnyServer;
        type Serves = AnyClient;
    }
    #[doc(hidden)]
    #[allow(unused_variables)]
    impl<__Codec> pipes::Relay<__Codec> for AnyClient
    where
        __Codec: pipes::Carries<u32>,
        __Codec: pipes::remote::Describes<u32>,
        __Codec: pipes::Carries<()>,
        __Codec: pipes::remote::Describes<()>,
        __Codec: pipes::Carries<(bool, u8)>,
        __Codec: pipes::remote::Describes<(bool, u8)>,
    {
        fn hash(codec: &__Codec) -> ::core::primitive::u128 {
            pipes::remote::combine(
                pipes::remote::combine(
                    pipes::remote::combine(
                        <Protocol as pipes::Remote>::HASH,
                        <__Codec as pipes::remote::Describes<u32>>::shape(codec),
                    ),
                    <__Codec as pipes::remote::Describes<()>>::shape(codec),
                ),
                <__Codec as pipes::remote::Describes<(bool, u8)>>::shape(codec),
            )
        }
        fn state(&self) -> &'static ::core::primitive::str {
            match self {
                Self::Guessing(_) => "guessing",
                Self::Answer(_) => "answer",
            }
        }
        fn user_speaks(&self) -> ::core::primitive::bool {
            match self {
                Self::Guessing(_) => false,
                Self::Answer(_) => true,
            }
        }
        fn poll(
            &mut self,
            cx: &mut ::core::task::Context<'_>,
        ) -> ::core::task::Poll<()> {
            match self {
                Self::Guessing(endpoint) => pipes::Closing::poll_closed(endpoint, cx),
                Self::Answer(endpoint) => pipes::Readiness::poll_ready(endpoint, cx),
            }
        }
        fn lift(
            self,
            codec: &__Codec,
            out: &mut ::std::vec::Vec<::core::primitive::u8>,
        ) -> pipes::remote::Lifted<Self> {
            match self {
                Self::Guessing(endpoint) => {
                    pipes::remote::Lifted::Nothing(Self::Guessing(endpoint))
                }
                Self::Answer(endpoint) => {
                    pipes::__private::lift(
                        endpoint,
                        Self::Answer,
                        |message| match message {
                            Answer::Wrong(payload0, payload1, next) => {
                                (
                                    0,
                                    pipes::__private::put(codec, &(payload0, payload1), out),
                                    ::core::option::Option::Some(
                                        ::core::convert::Into::into(next),
                                    ),
                                )
                            }
                            Answer::Right => {
                                (
                                    1,
                                    pipes::__private::put(codec, &(), out),
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
                (Self::Guessing(endpoint), 0) => {
                    pipes::__private::lower(
                        codec,
                        message,
                        |payload: u32, _| endpoint.guess(payload),
                    )
                }
                (Self::Guessing(endpoint), 1) => {
                    pipes::__private::lower_last(
                        codec,
                        message,
                        |(): (), _| endpoint.give_up(),
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
        __Codec: pipes::Carries<u32>,
        __Codec: pipes::remote::Describes<u32>,
        __Codec: pipes::Carries<()>,
        __Codec: pipes::remote::Describes<()>,
        __Codec: pipes::Carries<(bool, u8)>,
        __Codec: pipes::remote::Describes<(bool, u8)>,
    {
        fn hash(codec: &__Codec) -> ::core::primitive::u128 {
            pipes::remote::combine(
                pipes::remote::combine(
                    pipes::remote::combine(
                        <Protocol as pipes::Remote>::HASH,
                        <__Codec as pipes::remote::Describes<u32>>::shape(codec),
                    ),
                    <__Codec as pipes::remote::Describes<()>>::shape(codec),
                ),
                <__Codec as pipes::remote::Describes<(bool, u8)>>::shape(codec),
            )
        }
        fn state(&self) -> &'static ::core::primitive::str {
            match self {
                Self::Guessing(_) => "guessing",
                Self::Answer(_) => "answer",
            }
        }
        fn user_speaks(&self) -> ::core::primitive::bool {
            match self {
                Self::Guessing(_) => true,
                Self::Answer(_) => false,
            }
        }
        fn poll(
            &mut self,
            cx: &mut ::core::task::Context<'_>,
        ) -> ::core::task::Poll<()> {
            match self {
                Self::Guessing(endpoint) => pipes::Readiness::poll_ready(endpoint, cx),
                Self::Answer(endpoint) => pipes::Closing::poll_closed(endpoint, cx),
            }
        }
        fn lift(
            self,
            codec: &__Codec,
            out: &mut ::std::vec::Vec<::core::primitive::u8>,
        ) -> pipes::remote::Lifted<Self> {
            match self {
                Self::Guessing(endpoint) => {
                    pipes::__private::lift(
                        endpoint,
                        Self::Guessing,
                        |message| match message {
                            Guessing::Guess(payload, next) => {
                                (
                                    0,
                                    pipes::__private::put(codec, &payload, out),
                                    ::core::option::Option::Some(
                                        ::core::convert::Into::into(next),
                                    ),
                                )
                            }
                            Guessing::GiveUp => {
                                (
                                    1,
                                    pipes::__private::put(codec, &(), out),
                                    ::core::option::Option::None,
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
                        |(payload0, payload1): (bool, u8), _| {
                            endpoint.wrong(payload0, payload1)
                        },
                    )
                }
                (Self::Answer(endpoint), 1) => {
                    pipes::__private::lower_last(
                        codec,
                        message,
                        |(): (), _| endpoint.right(),
                    )
                }
                (other, _) => {
                    pipes::__private::lower_nothing::<__Codec, Self>(other, message)
                }
            }
        }
    }
}
