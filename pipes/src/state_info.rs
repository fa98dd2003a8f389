//! The states of a protocol as data.

/// A state of a protocol, for logs, metrics and tables.
///
/// In every module that `proto!` generates, the constant `STATES` has all states of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct StateInfo {
    /// The name of the protocol, as in the source.
    pub protocol: &'static str,
    /// The name of the state, as in the source.
    pub name: &'static str,
    /// The state's place in `STATES`. The start state has 0.
    pub index: usize,
    /// The side that sends in this state: `"client"` or `"server"`.
    pub sender: &'static str,
    /// The messages that can be sent in this state.
    pub messages: &'static [MessageInfo],
}

/// A message of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MessageInfo {
    /// The name of the message, as in the source.
    pub name: &'static str,
    /// The name of the next state; `None` if the message ends the session.
    pub next: Option<&'static str>,
}

impl StateInfo {
    /// The state of a protocol that is written by hand, without a description.
    pub(crate) const UNKNOWN: &'static StateInfo = &StateInfo::new("", "", 0, "", &[]);

    pub(crate) const fn new(
        protocol: &'static str,
        name: &'static str,
        index: usize,
        sender: &'static str,
        messages: &'static [MessageInfo],
    ) -> Self {
        StateInfo { protocol, name, index, sender, messages }
    }

    /// Returns the side that receives in this state.
    pub(crate) fn receiver(&self) -> &'static str {
        if self.sender == "client" { "server" } else { "client" }
    }
}
