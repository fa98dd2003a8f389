//! The two sides of a pipe.

/// One of the two sides of a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Client,
    Server,
}

impl Side {
    /// Both sides, the client first.
    pub(crate) const BOTH: [Side; 2] = [Side::Client, Side::Server];

    /// Returns the other side.
    pub(crate) fn dual(self) -> Side {
        match self {
            Side::Client => Side::Server,
            Side::Server => Side::Client,
        }
    }

    /// Returns the side's name in lower case.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Side::Client => "client",
            Side::Server => "server",
        }
    }
}
