//! Two protocols with counted payloads, one bounded and one not, whose sides implement `Side`.

use super::walk::{Got, Sent, Side, ended, sent};
use pipes_tests::{Counted, Tally};

pipes::proto! {
    /// Bounded: a question in two parts, and an answer.
    #[bounded(2)]
    pub desk {
        ask: send {
            ask(Counted) -> details,
        }
        details: send {
            details(Counted, Counted) -> answer,
            never_mind -> answer,
        }
        answer: recv {
            yes(Counted) -> ask,
            no -> ask,
            closing(Counted) -> !,
            closed -> !,
        }
    }

    /// Unbounded: the client may deposit without end.
    pub bank {
        login: send {
            login(name: Counted, password: u64) -> login_response,
        }
        login_response: recv {
            ok -> connected,
            invalid(Counted) -> login,
        }
        connected: send {
            deposit(Counted) -> connected,
            withdrawal(amount: u64) -> withdrawal_response,
            leave -> !,
        }
        withdrawal_response: recv {
            money(Counted) -> connected,
            insufficient_funds -> connected,
        }
    }
}

/// The first protocol, with states known only at run time.
pub fn any_desk() -> (desk::AnyClient, desk::AnyServer) {
    let (client, server) = desk::pipe();
    (client.into(), server.into())
}

/// The second protocol, likewise.
pub fn any_bank() -> (bank::AnyClient, bank::AnyServer) {
    let (client, server) = bank::pipe();
    (client.into(), server.into())
}

impl Side for desk::AnyClient {
    type Receiving = desk::ReceivingClient;

    fn sends(&self) -> bool {
        matches!(self, Self::Ask(_) | Self::Details(_))
    }

    fn send(self, message: usize, tally: &Tally) -> Sent<Self> {
        match (self, message) {
            (Self::Ask(client), 0) => sent(client.ask(tally.make(0))),
            (Self::Details(client), 0) => sent(client.details(tally.make(1), tally.make(2))),
            (Self::Details(client), 1) => sent(client.never_mind()),
            (side, _) if side.sends() => Sent::NoSuch,
            (side, _) => Sent::NotMine(side),
        }
    }

    fn receiving(self) -> Option<desk::ReceivingClient> {
        match self {
            Self::Answer(client) => Some(client.into()),
            Self::Ask(_) | Self::Details(_) => None,
        }
    }

    fn got(message: Self::Message) -> Got<Self> {
        use desk::{ClientMessage, ClientReceived};
        match message {
            ClientMessage::Answer(message) => Self::received(ClientReceived::Answer(message)),
            ClientMessage::NotReceiving(client) => Got::NotMine(client),
        }
    }

    fn received(message: desk::ClientReceived) -> Got<Self> {
        use desk::{Answer, ClientReceived};
        match message {
            ClientReceived::Answer(Answer::Yes(_, next) | Answer::No(next)) => Got::Next(next.into()),
            ClientReceived::Answer(Answer::Closing(_) | Answer::Closed) => Got::Last,
        }
    }
}

impl Side for desk::AnyServer {
    type Receiving = desk::ReceivingServer;

    fn sends(&self) -> bool {
        matches!(self, Self::Answer(_))
    }

    fn send(self, message: usize, tally: &Tally) -> Sent<Self> {
        match (self, message) {
            (Self::Answer(server), 0) => sent(server.yes(tally.make(0))),
            (Self::Answer(server), 1) => sent(server.no()),
            (Self::Answer(server), 2) => ended(server.closing(tally.make(2))),
            (Self::Answer(server), 3) => ended(server.closed()),
            (side, _) if side.sends() => Sent::NoSuch,
            (side, _) => Sent::NotMine(side),
        }
    }

    fn receiving(self) -> Option<desk::ReceivingServer> {
        match self {
            Self::Ask(server) => Some(server.into()),
            Self::Details(server) => Some(server.into()),
            Self::Answer(_) => None,
        }
    }

    fn got(message: Self::Message) -> Got<Self> {
        use desk::{ServerMessage, ServerReceived};
        match message {
            ServerMessage::Ask(message) => Self::received(ServerReceived::Ask(message)),
            ServerMessage::Details(message) => Self::received(ServerReceived::Details(message)),
            ServerMessage::NotReceiving(server) => Got::NotMine(server),
        }
    }

    fn received(message: desk::ServerReceived) -> Got<Self> {
        use desk::{Ask, Details, ServerReceived};
        match message {
            ServerReceived::Ask(Ask::Ask(_, next)) => Got::Next(next.into()),
            ServerReceived::Details(Details::Details(_, _, next)) => Got::Next(next.into()),
            ServerReceived::Details(Details::NeverMind(next)) => Got::Next(next.into()),
        }
    }
}

impl Side for bank::AnyClient {
    type Receiving = bank::ReceivingClient;

    fn sends(&self) -> bool {
        matches!(self, Self::Login(_) | Self::Connected(_))
    }

    fn send(self, message: usize, tally: &Tally) -> Sent<Self> {
        match (self, message) {
            (Self::Login(client), 0) => sent(client.login(tally.make(0), 1234)),
            (Self::Connected(client), 0) => sent(client.deposit(tally.make(0))),
            (Self::Connected(client), 1) => sent(client.withdrawal(7)),
            (Self::Connected(client), 2) => ended(client.leave()),
            (side, _) if side.sends() => Sent::NoSuch,
            (side, _) => Sent::NotMine(side),
        }
    }

    fn receiving(self) -> Option<bank::ReceivingClient> {
        match self {
            Self::LoginResponse(client) => Some(client.into()),
            Self::WithdrawalResponse(client) => Some(client.into()),
            Self::Login(_) | Self::Connected(_) => None,
        }
    }

    fn got(message: Self::Message) -> Got<Self> {
        use bank::{ClientMessage, ClientReceived};
        match message {
            ClientMessage::LoginResponse(message) => Self::received(ClientReceived::LoginResponse(message)),
            ClientMessage::WithdrawalResponse(message) => {
                Self::received(ClientReceived::WithdrawalResponse(message))
            }
            ClientMessage::NotReceiving(client) => Got::NotMine(client),
        }
    }

    fn received(message: bank::ClientReceived) -> Got<Self> {
        use bank::{ClientReceived, LoginResponse, WithdrawalResponse};
        match message {
            ClientReceived::LoginResponse(LoginResponse::Ok(next)) => Got::Next(next.into()),
            ClientReceived::LoginResponse(LoginResponse::Invalid(_, next)) => Got::Next(next.into()),
            ClientReceived::WithdrawalResponse(
                WithdrawalResponse::Money(_, next) | WithdrawalResponse::InsufficientFunds(next),
            ) => Got::Next(next.into()),
        }
    }
}

impl Side for bank::AnyServer {
    type Receiving = bank::ReceivingServer;

    fn sends(&self) -> bool {
        matches!(self, Self::LoginResponse(_) | Self::WithdrawalResponse(_))
    }

    fn send(self, message: usize, tally: &Tally) -> Sent<Self> {
        match (self, message) {
            (Self::LoginResponse(server), 0) => sent(server.ok()),
            (Self::LoginResponse(server), 1) => sent(server.invalid(tally.make(1))),
            (Self::WithdrawalResponse(server), 0) => sent(server.money(tally.make(0))),
            (Self::WithdrawalResponse(server), 1) => sent(server.insufficient_funds()),
            (side, _) if side.sends() => Sent::NoSuch,
            (side, _) => Sent::NotMine(side),
        }
    }

    fn receiving(self) -> Option<bank::ReceivingServer> {
        match self {
            Self::Login(server) => Some(server.into()),
            Self::Connected(server) => Some(server.into()),
            Self::LoginResponse(_) | Self::WithdrawalResponse(_) => None,
        }
    }

    fn got(message: Self::Message) -> Got<Self> {
        use bank::{ServerMessage, ServerReceived};
        match message {
            ServerMessage::Login(message) => Self::received(ServerReceived::Login(message)),
            ServerMessage::Connected(message) => Self::received(ServerReceived::Connected(message)),
            ServerMessage::NotReceiving(server) => Got::NotMine(server),
        }
    }

    fn received(message: bank::ServerReceived) -> Got<Self> {
        use bank::{Connected, Login, ServerReceived};
        match message {
            ServerReceived::Login(Login::Login(_, _, next)) => Got::Next(next.into()),
            ServerReceived::Connected(Connected::Deposit(_, next)) => Got::Next(next.into()),
            ServerReceived::Connected(Connected::Withdrawal(_, next)) => Got::Next(next.into()),
            ServerReceived::Connected(Connected::Leave) => Got::Last,
        }
    }
}
