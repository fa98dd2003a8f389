//! Sessions of our protocol.

use super::Session;
use crate::net::{Net, play};
use crate::sides::{Played, Ready, failed};
use pipes_remote::Via;
use std::io;
use std::time::Instant;

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("pipes.rs")];

pipes::proto! {
    /// A question, and its answer.
    #[remote]
    pub question {
        asking: send { ask(u64) -> answering }
        answering: recv { answer(u64) -> ! }
    }
}

use question::{Answering, Asking};

pub fn server<N: Net>(game: &Session, ready: Ready<'_>) -> io::Result<u64> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    let mut listener = question::listen(&via).map_err(failed)?;
    ready(&address);
    for server in listener.iter().take(game.sessions as usize) {
        let Asking::Ask(number, answer) = server.recv().map_err(failed)?;
        answer.answer(number).map_err(failed)?;
    }
    listener.shutdown(std::time::Duration::from_secs(10));
    Ok(game.sessions)
}

pub fn client<N: Net>(game: &Session, address: &str) -> io::Result<Played> {
    let (via, begun) = (via::<N>(game, address)?, Instant::now());
    for session in 0..game.sessions {
        let client = question::connect(&via).map_err(failed)?;
        let Answering::Answer(number) = client.ask(session).map_err(failed)?.recv().map_err(failed)?;
        if number != session {
            return Ok(Played::default());
        }
    }
    Ok(Played { received: game.sessions, time: begun.elapsed() })
}

/// The server, as the options say.
fn via<N: Net>(game: &Session, address: &str) -> io::Result<Via<N::Engine>> {
    let via = N::via(address)?;
    Ok(if game.eager { via.eager() } else { via })
}

pub fn server_task<N: Net>(game: &Session, ready: Ready<'_>) -> io::Result<u64> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    play(async {
        let mut listener = question::listen_async(&via).await.map_err(failed)?;
        ready(&address);
        for _ in 0..game.sessions {
            let server = listener.recv_async().await.map_err(failed)?;
            let Asking::Ask(number, answer) = server.await.map_err(failed)?;
            answer.answer(number).map_err(failed)?;
        }
        listener.shutdown_async().await;
        Ok(game.sessions)
    })
}

pub fn client_task<N: Net>(game: &Session, address: &str) -> io::Result<Played> {
    play(async {
        let (via, begun) = (via::<N>(game, address)?, Instant::now());
        for session in 0..game.sessions {
            let client = question::connect_async(&via).await.map_err(failed)?;
            let Answering::Answer(number) = client.ask(session).map_err(failed)?.await.map_err(failed)?;
            if number != session {
                return Ok(Played::default());
            }
        }
        Ok(Played { received: game.sessions, time: begun.elapsed() })
    })
}
