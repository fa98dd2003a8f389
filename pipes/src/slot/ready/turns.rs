//! What the owner of a list has taken from it and not yet served: the same nodes, linked the other way.

use super::state::Node;
use super::token::Token;
use std::ptr::NonNull;

/// Tokens, the one that became ready first at the front.
pub(super) struct Turns {
    first: Option<NonNull<Node>>,
    /// Of any meaning only if there is a first one.
    last: Option<NonNull<Node>>,
}

impl Turns {
    pub(super) fn new() -> Self {
        Turns { first: None, last: None }
    }

    /// Whose turn it is.
    #[inline(always)]
    pub(super) fn first(&self) -> Option<usize> {
        // SAFETY: the nodes among the turns are its own.
        self.first.map(|node| unsafe { node.as_ref() }.index)
    }

    /// Takes the first one out.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Token> {
        let first = self.first?;
        // SAFETY: the nodes among the turns are its own.
        let node = unsafe { first.as_ref() };
        node.access.exclusive();
        self.first = node.next.take();
        // SAFETY: it has just left the turns, which held it.
        Some(unsafe { Token::of_node(first) })
    }

    /// Puts this one behind the others.
    #[inline(always)]
    pub(super) fn push(&mut self, token: Token) {
        let node = token.into_node();
        // SAFETY: a list of one, which is the turns' now.
        unsafe { self.append(node, node) };
    }

    /// Puts a list behind the others, which begins with the newest.
    ///
    /// # Safety
    ///
    /// The list is the caller's.
    #[inline]
    pub(super) unsafe fn take_over(&mut self, newest: NonNull<Node>) {
        let (mut first, mut above) = (newest, None);
        let oldest = loop {
            // SAFETY: the caller's promise.
            let node = unsafe { first.as_ref() };
            node.access.exclusive();
            match node.next.replace(above) {
                None => break first,
                Some(below) => (first, above) = (below, Some(first)),
            }
        };
        // SAFETY: the caller's promise; the list is turned around.
        unsafe { self.append(oldest, newest) };
    }

    /// # Safety
    ///
    /// From the first of these to the last there is a list, and it is the caller's.
    #[inline(always)]
    unsafe fn append(&mut self, first: NonNull<Node>, last: NonNull<Node>) {
        match self.last.filter(|_| self.first.is_some()) {
            None => self.first = Some(first),
            Some(before) => {
                // SAFETY: the nodes among the turns are its own.
                let node = unsafe { before.as_ref() };
                node.access.exclusive();
                node.next.set(Some(first));
            }
        }
        self.last = Some(last);
    }

    /// Whose tokens these are, the first one first.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(self.first, |node| {
            // SAFETY: the nodes among the turns are its own, and none leaves it while it is borrowed.
            let node = unsafe { node.as_ref() };
            node.access.shared();
            node.next.get()
        })
        // SAFETY: as above.
        .map(|node| unsafe { node.as_ref() }.index)
    }
}

impl Drop for Turns {
    fn drop(&mut self) {
        while let Some(token) = self.pop() {
            drop(token);
        }
    }
}
