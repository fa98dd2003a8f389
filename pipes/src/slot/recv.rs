//! The receiver's side of a slot: look, wait, take the message, or leave.

use super::chain::Block;
use super::half::Half;
use super::kind::Kind;
use super::message::{Head, Then};
use super::pipe::Pipe;
use super::ready::Token;
use super::send::impossible;
use super::state::State;
use super::wait::{Place, Taken, poll, unwatch, wait, watch};
use super::waiter::Waiter;
use std::mem::forget;
use std::ptr::NonNull;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

impl Half {
    /// What is in the half's slot?
    ///
    /// # Safety
    ///
    /// The half is live, it is its turn to receive, and `kind` is its pipe's.
    #[inline(always)]
    pub(super) unsafe fn look(&self, kind: &'static Kind) -> State {
        // SAFETY: the caller's promises.
        unsafe { self.slot(kind) }.word.look()
    }

    /// Takes the payload of a message after which the session goes on, and moves to the next slot.
    ///
    /// # Safety
    ///
    /// The half is live, it has seen its slot full, `kind` is its pipe's, and the message is a `P`.
    #[inline(always)]
    pub(super) unsafe fn take<P>(&mut self, kind: &'static Kind) -> P {
        // SAFETY: the slot is full, with a `P`.
        let payload = unsafe { self.read(kind) };
        // SAFETY: its payload was just taken.
        unsafe { self.pass(kind) };
        payload
    }

    /// Takes the payload of the last message of the session, and leaves.
    ///
    /// # Safety
    ///
    /// As for [`Half::take`].
    #[inline(always)]
    pub(super) unsafe fn take_last<P>(&self, kind: &'static Kind) -> P {
        // SAFETY: the slot is full, with a `P`.
        let payload = unsafe { self.read(kind) };
        // SAFETY: the sender has left with this message.
        unsafe { self.leave_after_sender(kind) };
        payload
    }

    /// The half, as a place to wait at until there is a message or the sender has left.
    ///
    /// # Safety
    ///
    /// As for [`Half::look`], as long as the place is used.
    #[inline(always)]
    pub(super) unsafe fn receiving(&mut self, kind: &'static Kind) -> Receiving<'_> {
        Receiving { half: self, kind }
    }

    /// Leaves, having dropped every message that was sent and not read.
    ///
    /// One after the other: an unread million of them is a loop, not a recursion. The destructor of a payload may panic;
    /// the others run all the same, and the other side learns of the close.
    ///
    /// # Safety
    ///
    /// The half is live, and it is its turn to receive.
    pub(super) unsafe fn close_receiving(&mut self, kind: &'static Kind) {
        // SAFETY: the half is live.
        if let Some(links) = unsafe { Pipe::links(self.pipe, kind) } {
            links.go();
        }
        // Dropped last: a waker is its executor's code, and may panic.
        // SAFETY: the half is live and receives.
        let _waiter = unsafe { self.unregister(kind) };
        loop {
            // SAFETY: the half is live and receives.
            let found = match unsafe { self.look(kind) } {
                // SAFETY: as above.
                State::Empty => unsafe { self.slot(kind) }.word.close(),
                found => found,
            };
            match found {
                // The sender will find it, and free.
                State::Empty => return,
                // SAFETY: the sender left first.
                State::Closed => return unsafe { self.leave_after_sender(kind) },
                State::Full(head) => {
                    // SAFETY: the slot is full, and this half has seen it.
                    match unsafe { self.discard(kind, head) } {
                        Then::Again => {}
                        // SAFETY: it is this half's turn now.
                        Then::Turn => return unsafe { self.close_sending(kind) },
                        // SAFETY: the sender left with this message.
                        Then::End => return unsafe { self.leave_after_sender(kind) },
                    }
                }
                State::Waiting(_) => impossible(found),
            }
        }
    }

    /// Drops the payload in the half's slot and, if the session goes on, moves to the next slot.
    ///
    /// # Safety
    ///
    /// The half is live, and it has seen its slot full, with this message.
    unsafe fn discard(&mut self, kind: &'static Kind, head: &'static Head) -> Then {
        /// Leaves in the half's place if the destructor of a payload panics.
        struct Unwinding(Half, &'static Kind, Then);
        impl Drop for Unwinding {
            fn drop(&mut self) {
                let Unwinding(half, kind, then) = self;
                // SAFETY: the half that was lent to this guard is not used again; its payload is gone.
                let mut half = unsafe { half.duplicate() };
                if *then == Then::End {
                    // SAFETY: the sender left with the message.
                    return unsafe { half.leave_after_sender(kind) };
                }
                // SAFETY: the payload is gone.
                unsafe { half.pass(kind) };
                half.set_sending(*then == Then::Turn);
                // SAFETY: the half is live.
                unsafe { half.close() };
            }
        }
        // SAFETY: one of the two is used: the guard's if the destructor panics, else this one.
        let unwinding = Unwinding(unsafe { self.duplicate() }, kind, head.then);
        // SAFETY: the half is live.
        unsafe { self.slot(kind) }.watch.exclusive();
        // SAFETY: as above.
        let payload = unsafe { self.payload(kind) };
        // SAFETY: the message is here, and nobody reads it again.
        unsafe { (head.discard)(payload) };
        forget(unwinding);
        if head.then != Then::End {
            // SAFETY: the payload is gone.
            unsafe { self.pass(kind) };
        }
        head.then
    }

    /// Leaves, whichever way the half faces.
    ///
    /// # Safety
    ///
    /// The half is live.
    #[cold]
    pub(super) unsafe fn close(&mut self) {
        // SAFETY: the half is live,
        let kind = unsafe { self.kind() };
        if self.is_sending() {
            // SAFETY: and faces this way,
            unsafe { self.close_sending(kind) }
        } else {
            // SAFETY: or the other.
            unsafe { self.close_receiving(kind) }
        }
    }

    /// Reads the payload.
    ///
    /// # Safety
    ///
    /// As for [`Half::take`], once.
    #[inline(always)]
    unsafe fn read<P>(&self, kind: &'static Kind) -> P {
        // SAFETY: the half is live.
        unsafe { self.slot(kind) }.watch.exclusive();
        // SAFETY: as above.
        let payload = unsafe { self.payload(kind) }.cast::<P>();
        // SAFETY: the slot is full, so that its payload is the receiver's, and it is a `P`.
        unsafe { payload.read() }
    }

    /// The slot's message is gone: makes the slot ready for its next one, and moves on.
    ///
    /// # Safety
    ///
    /// The half is live, and its slot's payload was taken.
    #[inline(always)]
    unsafe fn pass(&mut self, kind: &'static Kind) {
        let waited = self.change_seats();
        // SAFETY: the half is live.
        unsafe { self.slot(kind) }.word.reset();
        if self.is_last_of_block(kind) {
            // SAFETY: the half has received, at the last slot of a block.
            unsafe { self.pass_last_of_block(kind, waited) };
        } else {
            // SAFETY: the half has received.
            unsafe { self.advance(kind) };
        }
    }

    /// To the slot behind the last one of a block; `waited` says whether the message there found its receiver waiting.
    ///
    /// # Safety
    ///
    /// As for [`Half::pass`], at such a slot.
    #[cold]
    #[inline(never)]
    unsafe fn pass_last_of_block(&mut self, kind: &'static Kind, waited: bool) {
        if waited {
            // SAFETY: the half has received.
            return unsafe { self.rewind(kind) };
        }
        // SAFETY: the message of the block's last slot was taken, and the session goes on.
        let next = unsafe { self.recycle_block(kind) };
        // SAFETY: as above.
        unsafe { self.change_blocks(kind, next) };
    }

    /// Hands the half's block on, and gives the one behind it.
    ///
    /// # Safety
    ///
    /// The half is live, the message of its block's last slot was taken, and the session goes on.
    #[cold]
    unsafe fn recycle_block(&self, kind: &'static Kind) -> NonNull<Block> {
        // SAFETY: the half is live, and there are blocks.
        let (links, chain) = unsafe { self.links(kind) };
        let block = links.blocks[self.side()].get();
        // SAFETY: blocks live until they are recycled.
        let next = unsafe { block.as_ref() }.next.take();
        // SAFETY: the half is live.
        let own = unsafe { Pipe::own_block(self.pipe, chain.own_block) };
        // SAFETY: the last message of this block was taken.
        unsafe { links.recycle(block, own, kind, chain) };
        next.expect("the sender of a block's last slot links the next block")
    }

    /// Unregisters, if the half was registered, and gives the waiter back. `Err`: the sender has it; look again.
    ///
    /// # Safety
    ///
    /// As for [`Half::look`].
    unsafe fn unregister(&mut self, kind: &'static Kind) -> Result<Option<Waiter>, Taken> {
        if !self.is_seated() {
            return Ok(None);
        }
        // SAFETY: the half is live.
        if !unsafe { self.slot(kind) }.word.unregister(self.place()) {
            return Err(Taken);
        }
        self.rise();
        // SAFETY: the half is live,
        let seat = unsafe { self.seat(self.side(), self.place()) };
        // SAFETY: and has unregistered, so that the waiter is its own again.
        Ok(Some(unsafe { seat.take() }))
    }

    /// The sender has left at this slot, and so does the receiver.
    ///
    /// # Safety
    ///
    /// The half has seen `CLOSED`, or the session's last message, whose payload is taken; it is not used again.
    #[inline(always)]
    unsafe fn leave_after_sender(&self, kind: &'static Kind) {
        // SAFETY: the half is live. A half that was registered may have been woken for no reason, before the sender is done
        // with the waiter.
        if self.is_seated() && !unsafe { Pipe::leave(self.pipe) } {
            return;
        }
        // SAFETY: both sides have left, this one second.
        unsafe { Pipe::free(self.pipe, kind, self.side()) };
    }
}

/// A half whose turn it is to receive, as a place to wait at.
pub(super) struct Receiving<'a> {
    half: &'a mut Half,
    kind: &'static Kind,
}

impl Receiving<'_> {
    /// Blocks until there is a message, the sender has left, or the deadline has passed. False: the last of these.
    #[inline]
    pub(super) fn wait(&mut self, deadline: Option<Instant>) -> bool {
        self.has_come() || wait(self, deadline)
    }

    /// Ready if there is a message or the sender has left; else the task is woken when that changes.
    #[inline]
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.has_come() { Poll::Ready(()) } else { poll(self, cx) }
    }

    /// Leaves a set's token with the sender. `Err`: there is a message, or the sender has left.
    #[inline]
    pub(super) fn watch(&mut self, token: Token) -> Result<(), Token> {
        if self.has_come() { Err(token) } else { watch(self, token) }
    }

    /// Takes the token back. None: it is on its way to its list, or was never left here.
    pub(super) fn unwatch(&mut self) -> Option<Token> {
        unwatch(self)
    }

    #[inline(always)]
    fn look(&self) -> State {
        // SAFETY: whoever made this has promised that the half receives here.
        unsafe { self.half.look(self.kind) }
    }
}

impl Place for Receiving<'_> {
    fn runs_ahead(&self) -> bool {
        self.kind.chain.is_some()
    }

    #[inline(always)]
    fn has_come(&self) -> bool {
        matches!(self.look(), State::Full(_) | State::Closed)
    }

    fn is_waiting_as(&self, waker: &Waker) -> bool {
        if !matches!(self.look(), State::Waiting(_)) {
            return false;
        }
        // SAFETY: the half is live.
        let seat = unsafe { self.half.seat(self.half.side(), self.half.place()) };
        // SAFETY: the half has registered in this seat, for only it does so.
        unsafe { seat.is(waker) }
    }

    fn register(&mut self, waiter: Waiter) -> Result<(), Waiter> {
        let place = self.half.place();
        // SAFETY: the half is live.
        let seat = unsafe { self.half.seat(self.half.side(), place) };
        // SAFETY: the half is the receiver, and not registered.
        unsafe { seat.put(waiter) };
        // SAFETY: as above.
        if unsafe { self.half.slot(self.kind) }.word.register(place) {
            self.half.sit();
            return Ok(());
        }
        // SAFETY: it was just put there, and nobody knows of it.
        Err(unsafe { seat.take() })
    }

    fn unregister(&mut self) -> Result<Option<Waiter>, Taken> {
        // SAFETY: whoever made this has promised that the half receives here.
        unsafe { self.half.unregister(self.kind) }
    }
}
