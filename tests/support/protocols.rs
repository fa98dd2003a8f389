//! The protocols that most tests use, generic over their payloads.

pipes::proto! {
    /// There and back, until the server has had enough.
    pub pingpong<P> {
        /// The client's turn.
        ping: send {
            /// A ping, to be answered with this endpoint.
            ping(P) -> pong,
        }
        /// The server's turn.
        pong: recv {
            /// A pong, and the endpoint for the next ping.
            pong(P) -> ping,
            /// The session ends.
            bye(P) -> !,
        }
    }

    /// A protocol that starts with a receive.
    pub greeting<P> {
        /// The server's turn.
        hello: recv {
            /// A greeting, to be answered with this endpoint.
            hello(P) -> reply,
        }
        /// The client's turn.
        reply: send {
            /// Asks for another greeting.
            again(P) -> hello,
            /// The session ends.
            thanks -> !,
        }
    }

    /// An account into which the customer may pay without end.
    pub bank<P> {
        /// The customer's turn.
        account: send {
            /// Pays in.
            deposit(P) -> account,
            /// Asks for this much back.
            withdraw(amount: u64) -> answer,
            /// The session ends.
            leave -> !,
        }
        /// The bank's turn.
        answer: recv {
            /// The money that was asked for.
            money(P) -> account,
            /// There is no money.
            empty -> account,
        }
    }

    /// Delegation: endpoints of other protocols travel.
    pub courier<E> {
        /// The only state.
        offer: send {
            /// An endpoint, and the one for the next delivery.
            deliver(endpoint: E) -> offer,
            /// The last endpoint.
            last(endpoint: E) -> !,
        }
    }
}
