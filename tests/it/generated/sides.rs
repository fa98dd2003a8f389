//! One protocol with counted payloads, bounded and unbounded, whose sides implement `Side`.

use super::walk::{Got, Sent, Side, ended, sent};
use pipes_tests::{Counted, DropCounter};

/// The protocol of this name. With a message `deposit`, which may be sent without end, it is unbounded.
macro_rules! sides {
    ($(#[$bound:meta])* $name:ident $pipe:ident $($deposit:ident $variant:ident)?) => {
        pipes::proto! {
            $(#[$bound])*
            pub $name {
                login: send {
                    login(name: Counted, password: u64) -> response,
                }
                response: recv {
                    ok -> account,
                    invalid(Counted) -> login,
                    closing(Counted) -> !,
                    closed -> !,
                }
                account: send {
                    transfer(Counted) -> details,
                    leave -> !,
                    $($deposit(Counted) -> account,)?
                }
                details: send {
                    details(Counted, Counted) -> response,
                    never_mind -> response,
                }
            }
        }

        /// A pipe, with states known only at run time.
        pub fn $pipe() -> ($name::AnyClient, $name::AnyServer) {
            let (client, server) = $name::pipe();
            (client.into(), server.into())
        }

        impl Side for $name::AnyClient {
            type Receiving = $name::ReceivingClient;

            fn sends(&self) -> bool {
                !matches!(self, Self::Response(_))
            }

            fn send(self, message: usize, drops: &DropCounter) -> Sent<Self> {
                match (self, message) {
                    (Self::Login(client), 0) => sent(client.login(drops.make(0), 1234)),
                    (Self::Account(client), 0) => sent(client.transfer(drops.make(0))),
                    (Self::Account(client), 1) => ended(client.leave()),
                    $((Self::Account(client), 2) => sent(client.$deposit(drops.make(2))),)?
                    (Self::Details(client), 0) => sent(client.details(drops.make(0), drops.make(1))),
                    (Self::Details(client), 1) => sent(client.never_mind()),
                    (side, _) if side.sends() => Sent::NoSuch,
                    (side, _) => Sent::NotMine(side),
                }
            }

            fn receiving(self) -> Option<Self::Receiving> {
                let Self::Response(client) = self else { return None };
                Some(client.into())
            }

            fn got(message: Self::Message) -> Got<Self> {
                use $name::{ClientMessage, ClientReceived};
                match message {
                    ClientMessage::Response(message) => Self::received(ClientReceived::Response(message)),
                    ClientMessage::NotReceiving(client) => Got::NotMine(client),
                }
            }

            fn received($name::ClientReceived::Response(message): $name::ClientReceived) -> Got<Self> {
                use $name::Response;
                match message {
                    Response::Ok(next) => Got::Next(next.into()),
                    Response::Invalid(_, next) => Got::Next(next.into()),
                    Response::Closing(_) | Response::Closed => Got::Last,
                }
            }
        }

        impl Side for $name::AnyServer {
            type Receiving = $name::ReceivingServer;

            fn sends(&self) -> bool {
                matches!(self, Self::Response(_))
            }

            fn send(self, message: usize, drops: &DropCounter) -> Sent<Self> {
                match (self, message) {
                    (Self::Response(server), 0) => sent(server.ok()),
                    (Self::Response(server), 1) => sent(server.invalid(drops.make(1))),
                    (Self::Response(server), 2) => ended(server.closing(drops.make(2))),
                    (Self::Response(server), 3) => ended(server.closed()),
                    (side, _) if side.sends() => Sent::NoSuch,
                    (side, _) => Sent::NotMine(side),
                }
            }

            fn receiving(self) -> Option<Self::Receiving> {
                match self {
                    Self::Login(server) => Some(server.into()),
                    Self::Account(server) => Some(server.into()),
                    Self::Details(server) => Some(server.into()),
                    Self::Response(_) => None,
                }
            }

            fn got(message: Self::Message) -> Got<Self> {
                use $name::{ServerMessage, ServerReceived};
                match message {
                    ServerMessage::Login(message) => Self::received(ServerReceived::Login(message)),
                    ServerMessage::Account(message) => Self::received(ServerReceived::Account(message)),
                    ServerMessage::Details(message) => Self::received(ServerReceived::Details(message)),
                    ServerMessage::NotReceiving(server) => Got::NotMine(server),
                }
            }

            fn received(message: $name::ServerReceived) -> Got<Self> {
                use $name::{Account, Details, Login, ServerReceived};
                match message {
                    ServerReceived::Login(Login::Login(_, _, next)) => Got::Next(next.into()),
                    ServerReceived::Account(Account::Transfer(_, next)) => Got::Next(next.into()),
                    ServerReceived::Account(Account::Leave) => Got::Last,
                    $(ServerReceived::Account(Account::$variant(_, next)) => Got::Next(next.into()),)?
                    ServerReceived::Details(Details::Details(_, _, next)) => Got::Next(next.into()),
                    ServerReceived::Details(Details::NeverMind(next)) => Got::Next(next.into()),
                }
            }
        }
    };
}

sides! { #[bounded(2)] bounded any_bounded }
sides! { unbounded any_unbounded deposit Deposit }
