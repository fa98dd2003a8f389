//! Random steps of sessions: bounded and unbounded protocols, and one whose messages carry ends.

use crate::cargo::Message;
use crate::chans::{refused, unload, write};
use crate::ends::End;
use crate::hear::{Heard, How, hear, watch};
use crate::kinds::Kind;
use crate::ledger::{Patience, Pen, Seen, Side};
use crate::worker::Worker;
use pipes::{Closing, Receive, SendError};
use pipes_tests::{bank, courier, greeting, pingpong};

/// An end of a session, in any state.
pub struct Session {
    pub side: Side,
    pen: Pen,
    seen: Seen,
    talk: Talk,
}

/// The states of each side.
pub enum Talk {
    PingClient(pingpong::Client<pingpong::Ping<Message>>),
    PingServer(pingpong::Server<pingpong::Ping<Message>>),
    PongClient(pingpong::Client<pingpong::Pong<Message>>),
    PongServer(pingpong::Server<pingpong::Pong<Message>>),
    HelloClient(greeting::Client<greeting::Hello<Message>>),
    HelloServer(greeting::Server<greeting::Hello<Message>>),
    ReplyClient(greeting::Client<greeting::Reply<Message>>),
    ReplyServer(greeting::Server<greeting::Reply<Message>>),
    AccountClient(bank::Client<bank::Account<Message>>),
    AccountServer(bank::Server<bank::Account<Message>>),
    AnswerClient(bank::Client<bank::Answer<Message>>),
    AnswerServer(bank::Server<bank::Answer<Message>>),
    OfferClient(courier::Client<courier::Offer<Message>>),
    OfferServer(courier::Server<courier::Offer<Message>>),
}

/// What a step needs besides the endpoint.
struct Desk<'a> {
    side: &'a mut Side,
    pen: &'a mut Pen,
    seen: &'a mut Seen,
    worker: &'a mut Worker,
}

impl Desk<'_> {
    /// A message of this session.
    fn write(&mut self) -> Message {
        write(self.side, self.pen, self.worker)
    }

    fn read(&mut self, message: Message, kind: Kind) {
        self.worker.did(kind);
        self.seen.note(self.side, &message);
        unload(message, self.worker);
    }

    /// What is left after a message was sent.
    fn went<E>(&mut self, sent: Result<E, SendError<Message>>, next: impl FnOnce(E) -> Talk) -> Option<Talk> {
        match sent {
            Ok(end) => {
                self.worker.did(Kind::Sent);
                self.side.ledger.has_sent();
                Some(next(end))
            }
            Err(error) => {
                refused(error.into_payload(), self.side, self.pen, self.worker);
                None
            }
        }
    }

    /// What is left after a send without a counted message.
    fn told<E, P>(&mut self, sent: Result<E, SendError<P>>, next: impl FnOnce(E) -> Talk) -> Option<Talk> {
        if sent.is_err() {
            self.side.check_left();
        }
        sent.ok().map(next)
    }

    /// What is left after the last message of a session.
    fn last(&mut self, sent: Result<(), SendError<Message>>) -> Option<Talk> {
        self.worker.did(Kind::SessionOver);
        match sent {
            Ok(()) => self.side.ledger.has_sent(),
            Err(error) => refused(error.into_payload(), self.side, self.pen, self.worker),
        }
        None
    }

    /// Sometimes asks, before a send, whether the other side is there. Returns the endpoint if it may send
    /// now.
    fn watch<E: Closing>(&mut self, mut end: E, same: fn(E) -> Talk) -> Result<E, Talk> {
        if self.worker.once_in(4) {
            watch(&mut end, self.side, self.worker);
            return Err(same(end));
        }
        Ok(end)
    }

    fn hear<E: Receive>(&mut self, end: E, same: fn(E) -> Talk) -> Result<E::Message, Option<Talk>> {
        let how = How::of(self.side, false, self.worker);
        match hear(end, Some(self.side), how, self.worker) {
            Heard::Message(message) => Ok(message),
            Heard::Nothing(end) => Err(Some(same(end))),
            Heard::Closed => {
                self.worker.did(Kind::SessionClosed);
                self.side.check_left();
                Err(None)
            }
            Heard::Lost => Err(None),
        }
    }
}

impl Talk {
    /// Does one step. The error is what is left if nothing was sent or received.
    fn step(self, desk: &mut Desk<'_>) -> Result<Option<Talk>, Option<Talk>> {
        Ok(match self {
            Talk::PingClient(end) => {
                let end = desk.watch(end, Talk::PingClient).map_err(Some)?;
                let message = desk.write();
                desk.went(end.ping(message), Talk::PongClient)
            }
            Talk::PingServer(end) => {
                let pingpong::Ping::Ping(message, end) = desk.hear(end, Talk::PingServer)?;
                desk.read(message, Kind::PingPong);
                Some(Talk::PongServer(end))
            }
            Talk::PongClient(end) => match desk.hear(end, Talk::PongClient)? {
                pingpong::Pong::Pong(message, end) => {
                    desk.read(message, Kind::PingPong);
                    Some(Talk::PingClient(end))
                }
                pingpong::Pong::Bye(message) => {
                    desk.read(message, Kind::SessionOver);
                    None
                }
            },
            Talk::PongServer(end) => {
                let end = desk.watch(end, Talk::PongServer).map_err(Some)?;
                let message = desk.write();
                if desk.worker.once_in(10) {
                    desk.last(end.bye(message))
                } else {
                    desk.went(end.pong(message), Talk::PingServer)
                }
            }
            Talk::HelloClient(end) => {
                let greeting::Hello::Hello(message, end) = desk.hear(end, Talk::HelloClient)?;
                desk.read(message, Kind::Greeted);
                Some(Talk::ReplyClient(end))
            }
            Talk::HelloServer(end) => {
                let end = desk.watch(end, Talk::HelloServer).map_err(Some)?;
                let message = desk.write();
                desk.went(end.hello(message), Talk::ReplyServer)
            }
            Talk::ReplyClient(end) => {
                let end = desk.watch(end, Talk::ReplyClient).map_err(Some)?;
                if desk.worker.once_in(10) {
                    desk.worker.did(Kind::SessionOver);
                    if end.thanks().is_err() {
                        desk.side.check_left();
                    }
                    None
                } else {
                    let message = desk.write();
                    desk.went(end.again(message), Talk::HelloClient)
                }
            }
            Talk::ReplyServer(end) => match desk.hear(end, Talk::ReplyServer)? {
                greeting::Reply::Again(message, end) => {
                    desk.read(message, Kind::Greeted);
                    Some(Talk::HelloServer(end))
                }
                greeting::Reply::Thanks => None,
            },
            other => return other.more(desk),
        })
    }

    /// Does one step of the protocols in which one side may send without end.
    fn more(self, desk: &mut Desk<'_>) -> Result<Option<Talk>, Option<Talk>> {
        Ok(match self {
            Talk::AccountClient(end) => {
                let end = desk.watch(end, Talk::AccountClient).map_err(Some)?;
                match desk.worker.below(20) {
                    0 => {
                        desk.worker.did(Kind::SessionOver);
                        if end.leave().is_err() {
                            desk.side.check_left();
                        }
                        None
                    }
                    1..=3 => desk.told(end.withdraw(7), Talk::AnswerClient),
                    _ => {
                        let message = desk.write();
                        desk.went(end.deposit(message), Talk::AccountClient)
                    }
                }
            }
            Talk::AccountServer(end) => match desk.hear(end, Talk::AccountServer)? {
                bank::Account::Deposit(message, end) => {
                    desk.read(message, Kind::Banked);
                    Some(Talk::AccountServer(end))
                }
                bank::Account::Withdraw(amount, end) => {
                    assert_eq!(amount, 7, "as it was sent");
                    Some(Talk::AnswerServer(end))
                }
                bank::Account::Leave => None,
            },
            Talk::AnswerClient(end) => match desk.hear(end, Talk::AnswerClient)? {
                bank::Answer::Money(message, end) => {
                    desk.read(message, Kind::Banked);
                    Some(Talk::AccountClient(end))
                }
                bank::Answer::Empty(end) => Some(Talk::AccountClient(end)),
            },
            Talk::AnswerServer(end) => {
                let end = desk.watch(end, Talk::AnswerServer).map_err(Some)?;
                if desk.worker.once_in(4) {
                    desk.told(end.empty(), Talk::AccountServer)
                } else {
                    let message = desk.write();
                    desk.went(end.money(message), Talk::AccountServer)
                }
            }
            Talk::OfferClient(end) => {
                let end = desk.watch(end, Talk::OfferClient).map_err(Some)?;
                let message = desk.write();
                if desk.worker.once_in(20) {
                    desk.last(end.last(message))
                } else {
                    desk.went(end.deliver(message), Talk::OfferClient)
                }
            }
            Talk::OfferServer(end) => match desk.hear(end, Talk::OfferServer)? {
                courier::Offer::Deliver(message, end) => {
                    desk.read(message, Kind::Couriered);
                    Some(Talk::OfferServer(end))
                }
                courier::Offer::Last(message) => {
                    desk.read(message, Kind::Couriered);
                    None
                }
            },
            done => Some(done),
        })
    }
}

impl Session {
    fn new(side: Side, talk: Talk, worker: &mut Worker) -> Session {
        Session { side, pen: Pen::new(worker.name()), seen: Seen::default(), talk }
    }

    /// An end of a session whose other side is not tracked.
    pub fn alone(talk: Talk, worker: &mut Worker) -> Session {
        let side = Side::alone(worker.totals(), Patience::Receive);
        Session::new(side, talk, worker)
    }

    /// Both ends of a fresh session.
    pub fn pair(worker: &mut Worker) -> (Session, Session) {
        let protocol = worker.below(4);
        let sides = Side::pair(worker.totals(), Patience::Receive, protocol == 3, None);
        let (client, server) = match protocol {
            0 => {
                let (client, server) = pingpong::pipe();
                (Talk::PingClient(client), Talk::PingServer(server))
            }
            1 => {
                let (client, server) = greeting::pipe();
                (Talk::HelloClient(client), Talk::HelloServer(server))
            }
            2 => {
                let (client, server) = bank::pipe();
                (Talk::AccountClient(client), Talk::AccountServer(server))
            }
            _ => {
                let (client, server) = courier::pipe();
                (Talk::OfferClient(client), Talk::OfferServer(server))
            }
        };
        (Session::new(sides.0, client, worker), Session::new(sides.1, server, worker))
    }

    pub fn act(self, worker: &mut Worker) -> Option<End> {
        let Session { mut side, mut pen, mut seen, talk } = self;
        let mut desk = Desk { side: &mut side, pen: &mut pen, seen: &mut seen, worker };
        let (Ok(left) | Err(left)) = talk.step(&mut desk);
        left.map(|talk| End::Session(Session { side, pen, seen, talk }))
    }
}
