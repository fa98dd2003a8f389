//! What the tests share: protocols, a peer that is written by hand, and sizes.

pub mod peer;
mod sizes;

pub use self::sizes::size;

pipes::proto! {
    /// An account, as its owner sees it. Bounded.
    #[remote]
    pub bank {
        login: send { login(String, String) -> login_response }
        login_response: recv { ok -> connected, invalid -> login }
        connected: send {
            deposit(u64) -> connected_again,
            leave -> !,
        }
        connected_again: recv { balance(u64) -> connected }
    }

    /// Numbers, until there are no more. Unbounded.
    #[remote]
    pub numbers {
        open: send { number(u64) -> open, done -> sum }
        sum: recv { sum(u64) -> ! }
    }
}
