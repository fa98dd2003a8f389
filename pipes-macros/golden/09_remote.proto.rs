#[remote]
/// An account, as its owner sees it.
pub account {
    /// The account is open.
    connected: send {
        deposit(u64) -> connected,
        /// To somebody else.
        transfer(to: String, amount: u64) -> answer,
    }
    answer: recv {
        done -> connected,
        insufficient_funds(u64) -> connected,
    }
}
