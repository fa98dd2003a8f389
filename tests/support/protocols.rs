//! The protocols that most tests speak, generic over what travels.

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
            /// No more.
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
            /// Greet me again.
            again(P) -> hello,
            /// No more.
            thanks -> !,
        }
    }

    /// An account into which one may pay without end.
    pub bank<P> {
        /// The customer's turn.
        account: send {
            /// Keep this.
            deposit(P) -> account,
            /// Give so much back.
            withdraw(amount: u64) -> answer,
            /// No more.
            leave -> !,
        }
        /// The bank's turn.
        answer: recv {
            /// Here it is.
            money(P) -> account,
            /// There is nothing.
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
