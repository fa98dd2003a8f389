//! Payloads that stay in the program: ends of oneshots, and nothing, which is counted on each thread.

use crate::endings::Ending;
use crate::payload::Payload;
use crate::player::Player;
use pipes::{ChanOne, PortOne, oneshot};
use std::cell::Cell;
use std::ops::ControlFlow;

/// A zero-sized payload whose destructor is counted.
#[derive(Debug)]
pub struct Nothing(());

thread_local! {
    /// How many were made on this thread, minus those dropped on it.
    static LEFT: Cell<isize> = const { Cell::new(0) };
}

impl Nothing {
    /// Returns and clears this thread's count.
    pub fn left() -> isize {
        LEFT.take()
    }
}

impl Drop for Nothing {
    fn drop(&mut self) {
        LEFT.set(LEFT.get() - 1);
    }
}

impl Payload for Nothing {
    fn make(_: &mut Player) -> Self {
        LEFT.set(LEFT.get() + 1);
        Nothing(())
    }

    fn seen(self, _: &mut Player) {}
}

/// One end of a oneshot travels, and the sender keeps the other: the two form a session of one message.
impl<P: Payload + Send + 'static> Payload for PortOne<P> {
    fn make(player: &mut Player) -> Self {
        let (chan, port) = oneshot();
        player.keep(Box::new(|player| send(chan, player)));
        port
    }

    fn seen(self, player: &mut Player) {
        player.keep(Box::new(|player| receive(self, player)));
    }
}

impl<P: Payload + Send + 'static> Payload for ChanOne<P> {
    fn make(player: &mut Player) -> Self {
        let (chan, port) = oneshot();
        player.keep(Box::new(|player| receive(port, player)));
        chan
    }

    fn seen(self, player: &mut Player) {
        player.keep(Box::new(|player| send(self, player)));
    }
}

fn send<P: Payload>(chan: ChanOne<P>, player: &mut Player) -> Ending {
    let send = |player: &mut Player| {
        player.choose(1)?;
        player.step(0, 0);
        let sent = chan.send(P::make(player));
        player.sent(sent)
    };
    match send(player) {
        ControlFlow::Continue(()) => Ending::Finished,
        ControlFlow::Break(ending) => ending,
    }
}

fn receive<P: Payload>(port: PortOne<P>, player: &mut Player) -> Ending {
    match player.receive(port) {
        ControlFlow::Continue(payload) => {
            player.step(0, 0);
            player.took(payload);
            Ending::Finished
        }
        ControlFlow::Break(ending) => ending,
    }
}
