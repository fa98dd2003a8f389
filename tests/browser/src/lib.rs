//! What the tests in a browser and the native server have in common: the protocol.

pipes::proto! {
    /// Sums numbers up.
    #[remote]
    pub sums {
        adding: send { add(u64) -> adding, sum -> answer, leave -> ! }
        answer: recv { is(u64) -> adding }
    }
}

pipes::proto! {
    /// The server counts, and the client listens.
    #[remote]
    pub counts {
        asked: send { count(u32) -> counting }
        counting: recv { number(u32) -> counting, done -> ! }
    }
}

/// Serves a client that sums.
pub async fn serve_sums(mut server: sums::Server<sums::Adding>) {
    let mut sum = 0;
    loop {
        server = match server.recv_async().await {
            Ok(sums::Adding::Add(number, next)) => {
                sum += number;
                next
            }
            Ok(sums::Adding::Sum(next)) => match next.is(sum) {
                Ok(next) => next,
                Err(_) => return,
            },
            Ok(sums::Adding::Leave) | Err(_) => return,
        };
    }
}

/// Serves a client that listens.
pub async fn serve_counts(server: counts::Server<counts::Asked>) {
    let Ok(counts::Asked::Count(most, mut server)) = server.recv_async().await else { return };
    for number in 0..most {
        match server.number(number) {
            Ok(next) => server = next,
            Err(_) => return,
        }
    }
    // If the client has left, nothing needs the last word.
    let _ = server.done();
}
