/// Online banking, as a client sees it.
#[allow(
    dead_code,
    unused_imports,
    single_use_lifetimes,
    type_alias_bounds,
    unused_braces,
    clippy::all
)]
pub mod bank {
    /*!# States

A session begins in [`Login`](bank::Login); [`pipe`](bank::pipe) makes one.

(drawing)

| state | sends | messages |
|---|---|---|
| [`Login`](bank::Login) | client | `login(user: String, password: String)` → [`LoginResponse`](bank::LoginResponse) |
| [`LoginResponse`](bank::LoginResponse) | server | `ok` → [`Connected`](bank::Connected)<br>`invalid` → [`Login`](bank::Login) |
| [`Connected`](bank::Connected) | client | `deposit(u64)` → [`Connected`](bank::Connected)<br>`withdrawal(u64)` → [`WithdrawalResponse`](bank::WithdrawalResponse)<br>`leave` → end |
| [`WithdrawalResponse`](bank::WithdrawalResponse) | server | `money(u64)` → [`Connected`](bank::Connected)<br>`insufficient_funds` → [`Connected`](bank::Connected) |

Unbounded: in [`Connected`](bank::Connected) the client can send without hearing from the other side.*/
    use super::*;
    pipes::__endpoint! {
        #[doc =
        " The client's end of a pipe of the protocol `bank`, in the state `S`.\n\nIt is good for one step, which uses it up and gives the endpoint for the next. Dropping it closes it, in any state."]
        pub struct Client < S > : AsClient;
    }
    pipes::__endpoint! {
        #[doc =
        " The server's end of a pipe of the protocol `bank`, in the state `S`.\n\nIt is good for one step, which uses it up and gives the endpoint for the next. Dropping it closes it, in any state."]
        pub struct Server < S > : AsServer;
    }
    /// A fresh pipe in the state [`Login`](bank::Login): both of its ends. One allocation.
    #[inline]
    pub fn pipe() -> (Client<Login>, Server<Login>) {
        let (client, server) = pipes::__private::pipe();
        (Client(client), Server(server))
    }
    /** How many messages can be on their way at once.

Unbounded: in [`Connected`](bank::Connected) the client can send without hearing from the other side.*/
    pub const BOUND: pipes::Bound = pipes::Bound::Unbounded {
        cycle: &["connected"],
    };
    /// The protocol `bank` as a type, for code that is generic over protocols.
    pub struct Protocol(::core::marker::PhantomData<fn() -> Login>);
    impl ::core::fmt::Debug for Protocol {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("bank::Protocol")
        }
    }
    impl pipes::Protocol for Protocol {
        type Client = Client<Login>;
        type Server = Server<Login>;
        fn pipe() -> (Client<Login>, Server<Login>) {
            pipe()
        }
    }
    ///
    /** The state `login`, in which the client sends; what the server receives in it.

- `login(user: String, password: String)` → [`LoginResponse`](bank::LoginResponse)
*/
    pub enum Login {
        /// Who is there?
        Login(String, String, Server<LoginResponse>),
    }
    impl ::core::fmt::Debug for Login {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Login { .. } => "Login",
                },
            )
        }
    }
    impl pipes::__private::State for Login {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Chain<__Payloads>;
        type Payloads = __Payloads;
    }
    impl pipes::__private::SentBy<pipes::__private::AsClient> for Login {}
    impl Client<Login> {
        /// Who is there?
        ///
        /** Sends `login`; the session goes on in [`LoginResponse`](bank::LoginResponse). Never blocks.

# Errors

The server has left; here is the payload.*/
        #[inline]
        pub fn login(
            self,
            user: String,
            password: String,
        ) -> ::core::result::Result<
            Client<LoginResponse>,
            pipes::SendError<(String, String)>,
        > {
            self.0
                .send(
                    (user, password),
                    |(user, password), next| Login::Login(user, password, Server(next)),
                )
                .map(Client)
        }
    }
    ///
    /** The state `login_response`, in which the server sends; what the client receives in it.

- `ok` → [`Connected`](bank::Connected)
- `invalid` → [`Login`](bank::Login)
*/
    pub enum LoginResponse {
        /// The message `ok`, and the endpoint for the next step.
        Ok(Client<Connected>),
        /// The message `invalid`, and the endpoint for the next step.
        Invalid(Client<Login>),
    }
    impl ::core::fmt::Debug for LoginResponse {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Ok { .. } => "Ok",
                    Self::Invalid { .. } => "Invalid",
                },
            )
        }
    }
    impl pipes::__private::State for LoginResponse {
        type Sender = pipes::__private::AsServer;
        type Memory = pipes::__private::Chain<__Payloads>;
        type Payloads = __Payloads;
    }
    impl pipes::__private::SentBy<pipes::__private::AsServer> for LoginResponse {}
    impl Server<LoginResponse> {
        ///
        /** Sends `ok`; the session goes on in [`Connected`](bank::Connected). Never blocks.

# Errors

The client has left.*/
        #[inline]
        pub fn ok(
            self,
        ) -> ::core::result::Result<Server<Connected>, pipes::SendError<()>> {
            self.0.send((), |(), next| LoginResponse::Ok(Client(next))).map(Server)
        }
        ///
        /** Sends `invalid`; the session goes on in [`Login`](bank::Login). Never blocks.

# Errors

The client has left.*/
        #[inline]
        pub fn invalid(
            self,
        ) -> ::core::result::Result<Server<Login>, pipes::SendError<()>> {
            self.0.send((), |(), next| LoginResponse::Invalid(Client(next))).map(Server)
        }
    }
    /// The account is open.
    ///
    /** The state `connected`, in which the client sends; what the server receives in it.

- `deposit(u64)` → [`Connected`](bank::Connected)
- `withdrawal(u64)` → [`WithdrawalResponse`](bank::WithdrawalResponse)
- `leave` → end
*/
    pub enum Connected {
        /// The message `deposit`, and the endpoint for the next step.
        Deposit(u64, Server<Connected>),
        /// The message `withdrawal`, and the endpoint for the next step.
        Withdrawal(u64, Server<WithdrawalResponse>),
        /// The message `leave`, which ends the session.
        Leave,
    }
    impl ::core::fmt::Debug for Connected {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Deposit { .. } => "Deposit",
                    Self::Withdrawal { .. } => "Withdrawal",
                    Self::Leave { .. } => "Leave",
                },
            )
        }
    }
    impl pipes::__private::State for Connected {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Chain<__Payloads>;
        type Payloads = __Payloads;
    }
    impl pipes::__private::SentBy<pipes::__private::AsClient> for Connected {}
    impl Client<Connected> {
        ///
        /** Sends `deposit`; the session goes on in [`Connected`](bank::Connected). Never blocks.

# Errors

The server has left; here is the payload.*/
        #[inline]
        pub fn deposit(
            self,
            payload: u64,
        ) -> ::core::result::Result<Client<Connected>, pipes::SendError<u64>> {
            self.0
                .send(payload, |payload, next| Connected::Deposit(payload, Server(next)))
                .map(Client)
        }
        ///
        /** Sends `withdrawal`; the session goes on in [`WithdrawalResponse`](bank::WithdrawalResponse). Never blocks.

# Errors

The server has left; here is the payload.*/
        #[inline]
        pub fn withdrawal(
            self,
            payload: u64,
        ) -> ::core::result::Result<Client<WithdrawalResponse>, pipes::SendError<u64>> {
            self.0
                .send(
                    payload,
                    |payload, next| Connected::Withdrawal(payload, Server(next)),
                )
                .map(Client)
        }
        ///
        /** Sends `leave`; the session ends. Never blocks.

# Errors

The server has left.*/
        #[inline]
        pub fn leave(self) -> ::core::result::Result<(), pipes::SendError<()>> {
            self.0.finish((), |()| Connected::Leave)
        }
    }
    ///
    /** The state `withdrawal_response`, in which the server sends; what the client receives in it.

- `money(u64)` → [`Connected`](bank::Connected)
- `insufficient_funds` → [`Connected`](bank::Connected)
*/
    pub enum WithdrawalResponse {
        /// The message `money`, and the endpoint for the next step.
        Money(u64, Client<Connected>),
        /// The message `insufficient_funds`, and the endpoint for the next step.
        InsufficientFunds(Client<Connected>),
    }
    impl ::core::fmt::Debug for WithdrawalResponse {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Money { .. } => "Money",
                    Self::InsufficientFunds { .. } => "InsufficientFunds",
                },
            )
        }
    }
    impl pipes::__private::State for WithdrawalResponse {
        type Sender = pipes::__private::AsServer;
        type Memory = pipes::__private::Chain<__Payloads>;
        type Payloads = __Payloads;
    }
    impl pipes::__private::SentBy<pipes::__private::AsServer> for WithdrawalResponse {}
    impl Server<WithdrawalResponse> {
        ///
        /** Sends `money`; the session goes on in [`Connected`](bank::Connected). Never blocks.

# Errors

The client has left; here is the payload.*/
        #[inline]
        pub fn money(
            self,
            payload: u64,
        ) -> ::core::result::Result<Server<Connected>, pipes::SendError<u64>> {
            self.0
                .send(
                    payload,
                    |payload, next| WithdrawalResponse::Money(payload, Client(next)),
                )
                .map(Server)
        }
        ///
        /** Sends `insufficient_funds`; the session goes on in [`Connected`](bank::Connected). Never blocks.

# Errors

The client has left.*/
        #[inline]
        pub fn insufficient_funds(
            self,
        ) -> ::core::result::Result<Server<Connected>, pipes::SendError<()>> {
            self.0
                .send((), |(), next| WithdrawalResponse::InsufficientFunds(Client(next)))
                .map(Server)
        }
    }
    #[doc(hidden)]
    pub union __Payloads {
        _0: ::core::mem::ManuallyDrop<(String, String)>,
        _1: ::core::mem::ManuallyDrop<u64>,
    }
    impl ::core::fmt::Debug for __Payloads {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__Payloads")
        }
    }
    /// The client's endpoint in each state.
    pub mod client {
        /// The client in the state [`Login`](super::Login), in which it sends.
        pub type Login = super::Client<super::Login>;
        /// The client in the state [`LoginResponse`](super::LoginResponse), in which it receives.
        pub type LoginResponse = super::Client<super::LoginResponse>;
        /// The client in the state [`Connected`](super::Connected), in which it sends.
        pub type Connected = super::Client<super::Connected>;
        /// The client in the state [`WithdrawalResponse`](super::WithdrawalResponse), in which it receives.
        pub type WithdrawalResponse = super::Client<super::WithdrawalResponse>;
    }
    /// The server's endpoint in each state.
    pub mod server {
        /// The server in the state [`Login`](super::Login), in which it receives.
        pub type Login = super::Server<super::Login>;
        /// The server in the state [`LoginResponse`](super::LoginResponse), in which it sends.
        pub type LoginResponse = super::Server<super::LoginResponse>;
        /// The server in the state [`Connected`](super::Connected), in which it receives.
        pub type Connected = super::Server<super::Connected>;
        /// The server in the state [`WithdrawalResponse`](super::WithdrawalResponse), in which it sends.
        pub type WithdrawalResponse = super::Server<super::WithdrawalResponse>;
    }
    /** The client's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ClientMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyClient {
        /// In the state [`Login`](type@Login).
        Login(Client<Login>),
        /// In the state [`LoginResponse`](type@LoginResponse).
        LoginResponse(Client<LoginResponse>),
        /// In the state [`Connected`](type@Connected).
        Connected(Client<Connected>),
        /// In the state [`WithdrawalResponse`](type@WithdrawalResponse).
        WithdrawalResponse(Client<WithdrawalResponse>),
    }
    /// What an [`AnyClient`] receives: a variant for each state in which it can.
    pub enum ClientMessage {
        /// A message of the state [`LoginResponse`](type@LoginResponse).
        LoginResponse(LoginResponse),
        /// A message of the state [`WithdrawalResponse`](type@WithdrawalResponse).
        WithdrawalResponse(WithdrawalResponse),
        /// It is this side's turn to send: here is the endpoint.
        NotReceiving(AnyClient),
    }
    pipes::__any! {
        impl [] for AnyClient, receiving ClientMessage[], senders[Login Connected],
        receivers[LoginResponse WithdrawalResponse], where []
    }
    impl ::core::convert::From<Client<Login>> for AnyClient {
        fn from(endpoint: Client<Login>) -> Self {
            Self::Login(endpoint)
        }
    }
    impl ::core::convert::From<Client<LoginResponse>> for AnyClient {
        fn from(endpoint: Client<LoginResponse>) -> Self {
            Self::LoginResponse(endpoint)
        }
    }
    impl ::core::convert::From<Client<Connected>> for AnyClient {
        fn from(endpoint: Client<Connected>) -> Self {
            Self::Connected(endpoint)
        }
    }
    impl ::core::convert::From<Client<WithdrawalResponse>> for AnyClient {
        fn from(endpoint: Client<WithdrawalResponse>) -> Self {
            Self::WithdrawalResponse(endpoint)
        }
    }
    /** The server's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ServerMessage::NotReceiving`].*/
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyServer {
        /// In the state [`Login`](type@Login).
        Login(Server<Login>),
        /// In the state [`LoginResponse`](type@LoginResponse).
        LoginResponse(Server<LoginResponse>),
        /// In the state [`Connected`](type@Connected).
        Connected(Server<Connected>),
        /// In the state [`WithdrawalResponse`](type@WithdrawalResponse).
        WithdrawalResponse(Server<WithdrawalResponse>),
    }
    /// What an [`AnyServer`] receives: a variant for each state in which it can.
    pub enum ServerMessage {
        /// A message of the state [`Login`](type@Login).
        Login(Login),
        /// A message of the state [`Connected`](type@Connected).
        Connected(Connected),
        /// It is this side's turn to send: here is the endpoint.
        NotReceiving(AnyServer),
    }
    pipes::__any! {
        impl [] for AnyServer, receiving ServerMessage[], senders[LoginResponse
        WithdrawalResponse], receivers[Login Connected], where []
    }
    impl ::core::convert::From<Server<Login>> for AnyServer {
        fn from(endpoint: Server<Login>) -> Self {
            Self::Login(endpoint)
        }
    }
    impl ::core::convert::From<Server<LoginResponse>> for AnyServer {
        fn from(endpoint: Server<LoginResponse>) -> Self {
            Self::LoginResponse(endpoint)
        }
    }
    impl ::core::convert::From<Server<Connected>> for AnyServer {
        fn from(endpoint: Server<Connected>) -> Self {
            Self::Connected(endpoint)
        }
    }
    impl ::core::convert::From<Server<WithdrawalResponse>> for AnyServer {
        fn from(endpoint: Server<WithdrawalResponse>) -> Self {
            Self::WithdrawalResponse(endpoint)
        }
    }
}
