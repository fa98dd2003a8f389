//! The protocols that are misused.

pipes::proto! {
    /// Online banking, as a client sees it.
    pub bank {
        login: send {
            login(String, String) -> login_response,
        }
        login_response: recv {
            ok -> connected,
            invalid -> login,
        }
        connected: send {
            deposit(u64) -> connected,
            withdrawal(u64) -> withdrawal_response,
        }
        withdrawal_response: recv {
            money(u64) -> connected,
            insufficient_funds -> connected,
        }
    }

    /// A question of any kind and an answer of the same.
    pub exchange<T> {
        ask: send { question(T) -> answer }
        answer: recv { answer(T) -> ask }
    }
}
