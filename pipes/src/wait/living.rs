//! What is known of a channel that has not been freed, as data.

use super::ends::EndInfo;
use super::running::ThreadOrTask;
use crate::sync::WakeArc;
use std::time::Instant;

/// What holds an end that lies in the library.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "proto"), expect(dead_code, reason = "only sessions are held by the library"))]
pub(crate) enum Holder {
    /// It waits to be accepted, in the channel of this name.
    Backlog(usize),
    /// It belongs to the session of this name with another process.
    Link(WakeArc<str>),
}

/// What is known of the ends of a side.
#[derive(Clone, Debug, Default)]
pub(crate) struct LivingSide {
    /// Who has used the ends last. Empty if the owners are not known.
    pub(crate) owners: Vec<ThreadOrTask>,
    /// The open scopes in which all of them have declared that they own them; `None` if not all have.
    pub(crate) scopes: Option<Vec<String>>,
    pub(crate) holder: Option<Holder>,
    /// There may be other ends at this side, such as weak ones.
    pub(crate) may_be_many: bool,
    /// How many messages this side has sent that the other one has not taken.
    pub(crate) unread: usize,
    /// When the first of them was sent.
    pub(crate) oldest: Option<Instant>,
    /// The types of their payloads.
    pub(crate) types: Vec<&'static str>,
}

/// A channel that has not been freed.
#[derive(Clone, Debug)]
pub(crate) struct LivingChannel {
    pub(crate) channel: usize,
    pub(crate) end: &'static EndInfo,
    pub(crate) sides: [LivingSide; 2],
}
