//! The protocol of our sessions, which the attackers know, too.

pipes::proto! {
    /// Calls, each with its answer.
    #[remote]
    pub calls {
        idle: send { call(u64) -> called, done -> ! }
        called: recv { answer(u64) -> idle }
    }
}
