//! Every position of a session that can be reached with a few messages.
//!
//! A position is a way (the messages sent so far) and the number of its last messages that are unread.
//! Endpoints cannot be copied, so each position is reached anew.

use pipes::Receive;
use pipes_tests::DropCounter;
use std::any::Any;
use std::fmt::Debug;

/// One side of a session, in any state.
pub trait Side: Receive + Debug + Send + 'static {
    /// This side in any state in which it receives.
    type Receiving: Receive + Debug + Into<Self>;

    /// Returns `true` if it is this side's turn to send.
    fn sends(&self) -> bool;

    /// Sends the message of this number.
    fn send(self, message: usize, drops: &DropCounter) -> Sent<Self>;

    /// This side, if it is its turn to receive.
    fn receiving(self) -> Option<Self::Receiving>;

    /// The endpoint that a message leads to; its payload is dropped.
    fn got(message: Self::Message) -> Got<Self>;

    /// The endpoint that a message leads to which was certainly received.
    fn received(message: <Self::Receiving as Receive>::Message) -> Got<Self>;

    /// Receives.
    fn receive(self) -> Got<Self> {
        self.recv().map_or(Got::Closed, Self::got)
    }
}

/// The outcome of a send.
#[derive(Debug)]
pub enum Sent<S> {
    /// Sent; the session goes on.
    Next(S),
    /// Sent; it was the last message.
    Last,
    /// The other side has left; this is the payload.
    Refused(Box<dyn Any + Send>),
    /// The state has no message of this number.
    NoSuch,
    /// It is the other side's turn.
    NotMine(S),
}

/// The outcome of a receive.
#[derive(Debug)]
pub enum Got<S> {
    /// A message, and the session goes on.
    Next(S),
    /// The last message.
    Last,
    /// The other side has left.
    Closed,
    /// It is this side's turn to send.
    NotMine(S),
}

/// The outcome of a send that is not the last one.
pub fn sent<E: Into<S>, S, P: Send + 'static>(result: Result<E, pipes::SendError<P>>) -> Sent<S> {
    match result {
        Ok(next) => Sent::Next(next.into()),
        Err(error) => Sent::Refused(Box::new(error.into_payload())),
    }
}

/// The outcome of the last send.
pub fn ended<S, P: Send + 'static>(result: Result<(), pipes::SendError<P>>) -> Sent<S> {
    match result {
        Ok(()) => Sent::Last,
        Err(error) => Sent::Refused(Box::new(error.into_payload())),
    }
}

/// Both sides of a session. A side that has sent or received the last message is `None`.
#[derive(Debug)]
pub struct Position<C, S> {
    /// The client.
    pub client: Option<C>,
    /// The server.
    pub server: Option<S>,
    /// How many messages the client has not read, and how many the server has not. One of the two is 0.
    pub unread: [usize; 2],
    /// The messages that led here.
    pub way: Vec<usize>,
}

impl<C: Side, S: Side> Position<C, S> {
    /// Exchanges the two sides of this position.
    pub fn turned(self) -> Position<S, C> {
        let [client, server] = self.unread;
        Position { client: self.server, server: self.client, unread: [server, client], way: self.way }
    }

    /// Goes a way, and leaves its last messages unread; `None` if there is no such way, or if one of the
    /// unread messages would have to be answered.
    fn reach(pipe: fn() -> (C, S), way: &[usize], unread: usize, drops: &DropCounter) -> Option<Self> {
        let (client, server) = pipe();
        let (mut client, mut server) = (Some(client), Some(server));
        let mut left = [0, 0];
        for (index, message) in way.iter().enumerate() {
            let read = index + unread < way.len();
            if step(&mut client, &mut server, *message, read, drops)? {
                left = [0, unread];
            } else if step(&mut server, &mut client, *message, read, drops)? {
                left = [unread, 0];
            } else {
                return None;
            }
        }
        Some(Position { client, server, unread: left, way: way.to_vec() })
    }
}

/// Takes a step if it is `from`'s turn; `None` if the state has no such message.
fn step<A: Side, B: Side>(
    from: &mut Option<A>,
    to: &mut Option<B>,
    message: usize,
    read: bool,
    drops: &DropCounter,
) -> Option<bool> {
    let Some(side) = from.take() else { return Some(false) };
    match side.send(message, drops) {
        Sent::Next(next) => *from = Some(next),
        Sent::Last => {}
        Sent::NotMine(side) => {
            *from = Some(side);
            return Some(false);
        }
        Sent::NoSuch => return None,
        Sent::Refused(_) => panic!("the other side is there"),
    }
    if read {
        *to = match to.take().map(Side::receive) {
            Some(Got::Next(next)) => Some(next),
            Some(Got::Last) => None,
            _ => panic!("a message was sent"),
        };
    }
    Some(true)
}

/// Runs the test at every position that at most `most` messages lead to. Afterwards all payloads have been
/// dropped.
pub fn everywhere<C: Side, S: Side>(
    pipe: fn() -> (C, S),
    most: usize,
    mut visit: impl FnMut(Position<C, S>, &DropCounter),
) {
    let mut ways = vec![Vec::new()];
    while let Some(way) = ways.pop() {
        for unread in 0..=way.len() {
            let drops = DropCounter::new();
            if let Some(position) = Position::reach(pipe, &way, unread, &drops) {
                visit(position, &drops);
            }
            assert_eq!(drops.dropped(), drops.made(), "after {way:?}, {unread} unread");
        }
        let further = (0..).map(|message| [way.as_slice(), &[message]].concat());
        let further = further.take_while(|way| Position::reach(pipe, way, 0, &DropCounter::new()).is_some());
        ways.extend(further.filter(|way| way.len() <= most));
    }
}
