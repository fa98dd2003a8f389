//! The tokens that the owner of a list has taken and not yet served. They are the same nodes, linked in the
//! other direction.

use super::state::Node;
use super::token::Token;
use std::ptr::NonNull;

/// A queue of tokens, with the one that became ready first at the front.
pub(super) struct Turns {
    first: Option<NonNull<Node>>,
    /// Meaningful only if there is a first one.
    last: Option<NonNull<Node>>,
}

impl Turns {
    pub(super) fn new() -> Self {
        Turns { first: None, last: None }
    }

    /// Returns the index of the member whose turn it is.
    #[inline(always)]
    pub(super) fn first(&self) -> Option<usize> {
        // SAFETY: the nodes among the turns are the owner's, so they live and no other thread touches them.
        self.first.map(|node| unsafe { node.as_ref() }.index)
    }

    /// Takes the first token out.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Token> {
        let first = self.first?;
        // SAFETY: the nodes among the turns are the owner's, so they live and no other thread touches them.
        let node = unsafe { first.as_ref() };
        node.access.exclusive();
        self.first = node.next.take();
        // SAFETY: the node was among the turns, and has just been taken out, so only the caller has it.
        Some(unsafe { Token::of_node(first) })
    }

    /// Appends a token.
    #[inline(always)]
    pub(super) fn push(&mut self, token: Token) {
        let node = token.into_node();
        // SAFETY: the node was the token's, and is a list of one.
        unsafe { self.append(node, node) };
    }

    /// Appends a list that begins with its newest node.
    ///
    /// # Safety
    ///
    /// The caller must own all nodes of the list.
    #[inline]
    pub(super) unsafe fn take_over(&mut self, newest: NonNull<Node>) {
        let (mut first, mut above) = (newest, None);
        let oldest = loop {
            // SAFETY: the nodes of the list are the caller's, so they live and no other thread touches them.
            let node = unsafe { first.as_ref() };
            node.access.exclusive();
            match node.next.replace(above) {
                None => break first,
                Some(below) => (first, above) = (below, Some(first)),
            }
        };
        // SAFETY: the nodes are the caller's, and the loop has reversed the list, so that it leads from
        // `oldest` to `newest`.
        unsafe { self.append(oldest, newest) };
    }

    /// Appends a list of nodes.
    ///
    /// # Safety
    ///
    /// A list must lead from `first` to `last`, and the caller must own its nodes.
    #[inline(always)]
    unsafe fn append(&mut self, first: NonNull<Node>, last: NonNull<Node>) {
        match self.last.filter(|_| self.first.is_some()) {
            None => self.first = Some(first),
            Some(before) => {
                // SAFETY: the nodes among the turns are the owner's, so they live and no other thread touches
                // them.
                let node = unsafe { before.as_ref() };
                node.access.exclusive();
                node.next.set(Some(first));
            }
        }
        self.last = Some(last);
    }

    /// Returns the indices of the members, in order.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(self.first, |node| {
            // SAFETY: the nodes among the turns are the owner's, and none is taken out while the turns are
            // borrowed.
            let node = unsafe { node.as_ref() };
            node.access.shared();
            node.next.get()
        })
        // SAFETY: the nodes among the turns are the owner's, and none is taken out while the turns are
        // borrowed.
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
