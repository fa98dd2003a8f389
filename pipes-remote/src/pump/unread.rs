//! The messages that the user has not received.

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
    /// Creates the count for a protocol that is bounded, or not. At most `most` messages, and bytes, are
    /// unread; but at least one message.
    pub(super) fn new(is_bounded: bool, most: (usize, usize)) -> Self {
        Unread { window: (!is_bounded).then(Window::new), sizes: VecDeque::new(), bytes: 0, most }
    }

    /// Creates a ticket for a message of this many bytes, which the user gets now.
    pub(super) fn enter(&mut self, bytes: usize) -> Ticket {
        let Some(window) = &self.window else { return Ticket::free() };
        self.sizes.push_back(bytes);
        self.bytes += bytes;
        window.ticket()
    }

    /// Polls until one more message may come. Once it may not, half of the window must be received first.
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

    /// Gives memory back, if all messages are received. Only while the window is open.
    pub(super) fn rest(&mut self, cx: &mut Context<'_>) {
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

    /// Returns how many messages must be received until at most half of the window is unread.
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
