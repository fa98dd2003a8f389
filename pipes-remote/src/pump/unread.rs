//! The window: how many messages the user has not received yet.

use pipes::remote::{Ticket, Window};
use std::collections::VecDeque;
use std::task::{Context, Poll, ready};

/// Counts the unread messages of an unbounded protocol, and their bytes. A bounded one needs no count.
pub(super) struct Unread {
    window: Option<Window>,
    /// The bytes of each message, in order: the user receives them in this order.
    sizes: VecDeque<usize>,
    bytes: usize,
    most: (usize, usize),
}

impl Unread {
    /// Creates the count. `most` is the most messages, and bytes, that may be unread; one message may always
    /// be.
    pub(super) fn new(is_bounded: bool, most: (usize, usize)) -> Self {
        Unread { window: (!is_bounded).then(Window::new), sizes: VecDeque::new(), bytes: 0, most }
    }

    /// Counts a message of this many bytes that the user gets now. Returns the ticket that goes with it.
    pub(super) fn enter(&mut self, bytes: usize) -> Ticket {
        let Some(window) = &self.window else { return Ticket::free() };
        self.sizes.push_back(bytes);
        self.bytes += bytes;
        window.ticket()
    }

    /// Polls until the window has room for one more message. Once it is full, it has room again when half of
    /// it was received.
    pub(super) fn poll_open(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let is_open = |messages, bytes, most: (usize, usize)| messages < most.0 && bytes < most.1;
        while let Some(window) = &self.window
            && !self.sizes.is_empty()
            && !is_open(self.sizes.len(), self.bytes, self.most)
        {
            let returned = ready!(window.poll_returned(self.until_half(), cx));
            self.returned(returned);
        }
        Poll::Ready(())
    }

    /// Frees memory if all messages were received. May be called only while the window has room.
    pub(super) fn shrink(&mut self, cx: &mut Context<'_>) {
        let Some(window) = &self.window else { return };
        if let Poll::Ready(returned) = window.poll_returned(0, cx) {
            self.returned(returned);
        }
        if self.sizes.is_empty() {
            self.sizes = VecDeque::new();
        }
    }

    fn returned(&mut self, messages: usize) {
        for bytes in self.sizes.drain(..messages.min(self.sizes.len())) {
            self.bytes -= bytes;
        }
    }

    /// Returns how many more messages must be received until at most half of the window is unread.
    fn until_half(&self) -> usize {
        let (mut messages, mut bytes) = (self.sizes.len(), self.bytes);
        let half = (self.most.0 / 2, self.most.1 / 2);
        let received = self.sizes.iter().take_while(|size| {
            let is_more = messages > half.0 || bytes > half.1;
            (messages, bytes) = (messages - 1, bytes - **size);
            is_more
        });
        received.count().max(1)
    }
}
