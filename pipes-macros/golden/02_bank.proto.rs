/// Online banking, as a client sees it.
pub bank {
    login: send {
        /// Who is there?
        login(user: String, password: String) -> login_response,
    }
    login_response: recv {
        ok -> connected,
        invalid -> login,
    }
    /// The account is open.
    connected: send {
        deposit(u64) -> connected,
        withdrawal(u64) -> withdrawal_response,
        leave -> !,
    }
    withdrawal_response: recv {
        money(u64) -> connected,
        insufficient_funds -> connected,
    }
}
