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
pub mod shout {
    /*!The protocol `shout`.

# States

A session begins in [`Quiet`](shout::Quiet); [`pipe`](shout::pipe) makes one.

(drawing)

As text: [`MERMAID`](const@shout::MERMAID), [`DOT`](const@shout::DOT).

| state | sends | messages |
|---|---|---|
| [`Quiet`](shout::Quiet) | client | `shout(&'static str)` → end |
| [`Echo`](shout::Echo) | server | `echo` → [`Quiet`](shout::Quiet) |

Bounded: at most one message is on its way. A pipe is one allocation.*/
    use super::*;
    /// Makes a pipe in the state [`Quiet`](shout::Quiet) and returns both of its ends. One allocation.
    #[allow(dead_code)]
    #[inline]
    pub fn pipe() -> (Client<Quiet>, Server<Quiet>) {
        let (client, server) = unsafe { pipes::__private::pipe() };
        (Client(client), Server(server))
    }
    /** The number of messages that can be on their way at the same time.

Bounded: at most one message is on its way. A pipe is one allocation.*/
    pub const BOUND: pipes::Bound = pipes::Bound::Messages(1);
    /// The protocol `shout` as a type, for code that is generic over protocols.
    #[allow(dead_code)]
    pub struct Protocol(::core::marker::PhantomData<fn() -> Quiet>);
    #[allow(dead_code)]
    impl ::core::fmt::Debug for Protocol {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("shout::Protocol")
        }
    }
    #[allow(dead_code)]
    impl pipes::Protocol for Protocol {
        type Client = Client<Quiet>;
        type Server = Server<Quiet>;
        fn pipe() -> (Client<Quiet>, Server<Quiet>) {
            pipe()
        }
    }
    ///
    /** The state `quiet`, in which the client sends; what the server receives in it.

- `shout(&'static str)` → end
*/
    pub enum Quiet {
        /// The message `shout(&'static str)`, which ends the session.
        Shout(&'static str),
    }
    impl ::core::fmt::Debug for Quiet {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Shout { .. } => "Shout",
                },
            )
        }
    }
    #[doc(hidden)]
    unsafe impl pipes::__private::State for Quiet {
        type Sender = pipes::__private::AsClient;
        type Memory = pipes::__private::Ring<__Payloads, 2>;
        type Payloads = __Payloads;
        const ONLY: pipes::__private::Only<Self> = pipes::__private::Only::last(|
            payload|
        Quiet::Shout(payload));
        const INFO: &'static pipes::StateInfo = ClientState::Quiet.info();
    }
    #[doc(hidden)]
    impl pipes::__private::SentBy<pipes::__private::AsClient> for Quiet {}
    impl Client<Quiet> {
        ///
        /** Sends `shout`; the session ends. Never blocks.

# Errors

The server has left; the error contains the payload.*/
        #[inline]
        pub fn shout(
            self,
            payload: &'static str,
        ) -> ::core::result::Result<(), pipes::SendError<&'static str>> {
            unsafe {
                self.0
                    .finish(
                        payload,
                        |payload| Quiet::Shout(payload),
                        |payload| {
                            let __kept = pipes::__private::ManuallyDrop::new(payload);
                            __Payloads { _0: __kept }
                        },
                    )
            }
                .map_err(pipes::__private::not_sent)
        }
    }
    ///
    /** The state `echo`, in which the server sends; what the client receives in it.

- `echo` → [`Quiet`](shout::Quiet)
*/
    #[allow(dead_code)]
    pub enum Echo {
        /// The message `echo`, and the endpoint for the next step.
        Echo(Client<Quiet>),
    }
    #[allow(dead_code)]
    impl ::core::fmt::Debug for Echo {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str(
                match *self {
                    Self::Echo { .. } => "Echo",
                },
            )
        }
    }
    #[doc(hidden)]
    #[allow(dead_code)]
    unsafe impl pipes::__private::State for Echo {
        type Sender = pipes::__private::AsServer;
        type Memory = pipes::__private::Ring<__Payloads, 2>;
        type Payloads = __Payloads;
        const ONLY: pipes::__private::Only<Self> = pipes::__private::Only::message(|
            (),
            next|
        Echo::Echo(Client(next)));
        const INFO: &'static pipes::StateInfo = ClientState::Echo.info();
    }
    #[doc(hidden)]
    #[allow(dead_code)]
    impl pipes::__private::SentBy<pipes::__private::AsServer> for Echo {}
    #[allow(dead_code)]
    impl Server<Echo> {
        ///
        /** Sends `echo`; the session goes on in [`Quiet`](shout::Quiet). Never blocks.

# Errors

The client has left.*/
        #[must_use = "it contains the endpoint for the next step; dropping that ends the session"]
        #[inline]
        pub fn echo(
            self,
        ) -> ::core::result::Result<Server<Quiet>, pipes::SendError<()>> {
            unsafe {
                self.0
                    .send(
                        (),
                        |(), next| Echo::Echo(Client(next)),
                        |(), _| { [__Payloads { _nothing: () }] },
                    )
            }
                .map(Server)
                .map_err(pipes::__private::not_sent)
        }
    }
    pipes::__endpoint! {
        #[doc =
        " The client's end of a pipe of the protocol `shout`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Client < S > : AsClient;
    }
    pipes::__endpoint! {
        #[doc =
        " The server's end of a pipe of the protocol `shout`, in the state `S`.\n\nIt is valid for one step; the step consumes it and returns the next endpoint. Dropping it closes it, in any state."]
        pub struct Server < S > : AsServer;
    }
    #[doc(hidden)]
    #[allow(dead_code)]
    pub union __Payloads {
        _nothing: (),
        _0: pipes::__private::ManuallyDrop<&'static str>,
    }
    #[allow(dead_code)]
    impl ::core::fmt::Debug for __Payloads {
        fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            f.write_str("__Payloads")
        }
    }
    pipes::__states! {
        #[allow(dead_code)] protocol "shout", mermaid
        "(diagram)",
        dot
        "(diagram)",
        Quiet "quiet" "client"["shout"], Echo "echo" "server"["echo" -> "quiet"],
    }
    /// The client's endpoint in each state.
    pub mod client {
        /// The client in the state [`Quiet`](super::Quiet), in which it sends.
        pub type Quiet = super::Client<super::Quiet>;
        /// The client in the state [`Echo`](super::Echo), in which it receives.
        pub type Echo = super::Client<super::Echo>;
    }
    /// The server's endpoint in each state.
    pub mod server {
        /// The server in the state [`Quiet`](super::Quiet), in which it receives.
        pub type Quiet = super::Server<super::Quiet>;
        /// The server in the state [`Echo`](super::Echo), in which it sends.
        pub type Echo = super::Server<super::Echo>;
    }
    /** The client's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ClientMessage::NotReceiving`].*/
    #[allow(dead_code)]
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyClient {
        /// In the state [`Quiet`](type@Quiet).
        Quiet(Client<Quiet>),
        /// In the state [`Echo`](type@Echo).
        Echo(Client<Echo>),
    }
    /// What an [`AnyClient`] receives: a variant for each state in which it can.
    #[allow(dead_code)]
    pub enum ClientMessage {
        /// A message of the state [`Echo`](type@Echo).
        Echo(Echo),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyClient),
    }
    pipes::__any! {
        #[allow(dead_code)] impl [] for AnyClient, in ClientState, receiving
        ClientMessage[] [NotReceiving], senders[Quiet], receivers[Echo], where []
    }
    #[allow(dead_code)]
    impl ::core::convert::From<Client<Quiet>> for AnyClient {
        #[inline]
        fn from(endpoint: Client<Quiet>) -> Self {
            Self::Quiet(endpoint)
        }
    }
    #[allow(dead_code)]
    impl ::core::convert::From<Client<Echo>> for AnyClient {
        #[inline]
        fn from(endpoint: Client<Echo>) -> Self {
            Self::Echo(endpoint)
        }
    }
    /// The client's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[allow(dead_code)]
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingClient {
        /// In the state [`Echo`](type@Echo).
        Echo(Client<Echo>),
    }
    /// What a [`ReceivingClient`] receives: a variant for each of its states.
    #[allow(dead_code)]
    pub enum ClientReceived {
        /// A message of the state [`Echo`](type@Echo).
        Echo(Echo),
    }
    pipes::__any! {
        #[allow(dead_code)] impl [] for ReceivingClient, in ClientState, receiving
        ClientReceived[] [], senders[], receivers[Echo], where []
    }
    #[allow(dead_code)]
    impl ::core::convert::From<Client<Echo>> for ReceivingClient {
        #[inline]
        fn from(endpoint: Client<Echo>) -> Self {
            Self::Echo(endpoint)
        }
    }
    #[allow(dead_code)]
    impl ::core::convert::From<ReceivingClient> for AnyClient {
        #[inline]
        fn from(endpoint: ReceivingClient) -> Self {
            match endpoint {
                ReceivingClient::Echo(endpoint) => Self::Echo(endpoint),
            }
        }
    }
    /** The server's endpoint in any state: for a struct field, a pool, an event loop.

A receive on an endpoint that does not receive gives it back at once, as [`ServerMessage::NotReceiving`].*/
    #[allow(dead_code)]
    #[must_use = "dropping an endpoint closes it"]
    pub enum AnyServer {
        /// In the state [`Quiet`](type@Quiet).
        Quiet(Server<Quiet>),
        /// In the state [`Echo`](type@Echo).
        Echo(Server<Echo>),
    }
    /// What an [`AnyServer`] receives: a variant for each state in which it can.
    #[allow(dead_code)]
    pub enum ServerMessage {
        /// A message of the state [`Quiet`](type@Quiet).
        Quiet(Quiet),
        /// It is this side's turn to send. Contains the endpoint.
        NotReceiving(AnyServer),
    }
    pipes::__any! {
        #[allow(dead_code)] impl [] for AnyServer, in ServerState, receiving
        ServerMessage[] [NotReceiving], senders[Echo], receivers[Quiet], where []
    }
    #[allow(dead_code)]
    impl ::core::convert::From<Server<Quiet>> for AnyServer {
        #[inline]
        fn from(endpoint: Server<Quiet>) -> Self {
            Self::Quiet(endpoint)
        }
    }
    #[allow(dead_code)]
    impl ::core::convert::From<Server<Echo>> for AnyServer {
        #[inline]
        fn from(endpoint: Server<Echo>) -> Self {
            Self::Echo(endpoint)
        }
    }
    /// The server's endpoint in any state in which it receives: for a set of endpoints in different states.
    #[allow(dead_code)]
    #[must_use = "dropping an endpoint closes it"]
    pub enum ReceivingServer {
        /// In the state [`Quiet`](type@Quiet).
        Quiet(Server<Quiet>),
    }
    /// What a [`ReceivingServer`] receives: a variant for each of its states.
    #[allow(dead_code)]
    pub enum ServerReceived {
        /// A message of the state [`Quiet`](type@Quiet).
        Quiet(Quiet),
    }
    pipes::__any! {
        #[allow(dead_code)] impl [] for ReceivingServer, in ServerState, receiving
        ServerReceived[] [], senders[], receivers[Quiet], where []
    }
    #[allow(dead_code)]
    impl ::core::convert::From<Server<Quiet>> for ReceivingServer {
        #[inline]
        fn from(endpoint: Server<Quiet>) -> Self {
            Self::Quiet(endpoint)
        }
    }
    #[allow(dead_code)]
    impl ::core::convert::From<ReceivingServer> for AnyServer {
        #[inline]
        fn from(endpoint: ReceivingServer) -> Self {
            match endpoint {
                ReceivingServer::Quiet(endpoint) => Self::Quiet(endpoint),
            }
        }
    }
}
#[allow(dead_code)]
const _: () = {
    #[deprecated = "the state `echo` cannot be reached from `quiet`, in which a session begins"]
    #[allow(non_camel_case_types)]
    struct unreachable_state;
    let _ = unreachable_state;
};
