//! How long a client waits on a server that was killed.

use super::Session;
use super::pipes::question::{self, Answering, Asking};
use crate::net::{Blocking, Net, Over, OverTcp, OverUnix};
use crate::sides::{Outcome, Played, Ready, Server, failed};
use ::pipes::Closing;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// Contenders that are not killed: they say what their own links notice.
pub fn unable(game: &Session) -> Option<&'static str> {
    game.breaks.then_some("its server is not killed")
}

/// The sockets alone take part, if there are any.
pub fn unable_raw(game: &Session) -> Option<&'static str> {
    game.place.unable_to_block()
}

/// Kills the server's process while the client waits for its answer.
pub fn run(game: &Session, contender: &str) -> io::Result<Outcome> {
    let silent = if contender == "pipes" { "pipes-silent" } else { "raw-silent" };
    let server = Server::start(&game.arguments(silent))?;
    let time = match (contender, game.place.over) {
        ("pipes", Over::Tcp) => pipes::<OverTcp>(server)?,
        ("pipes", Over::Unix) => pipes::<OverUnix>(server)?,
        (_, Over::Tcp) => raw::<OverTcp>(server)?,
        (_, Over::Unix) => raw::<OverUnix>(server)?,
        (_, Over::Tls | Over::Quic | Over::Ws) => return Err(io::ErrorKind::Unsupported.into()),
    };
    let played = Played { received: game.sessions, time };
    Ok(Outcome { served: game.sessions, played })
}

fn pipes<N: Net>(mut server: Server) -> io::Result<Duration> {
    let client = question::connect(&N::via(&server.address)?).map_err(failed)?;
    let waiting = client.ask(0).map_err(failed)?;
    server.process.0.kill()?;
    let begun = Instant::now();
    match waiting.recv() {
        Ok(Answering::Answer(_)) => Err(io::Error::other("the server has answered")),
        Err(_) => Ok(begun.elapsed()),
    }
}

fn raw<N: Blocking>(mut server: Server) -> io::Result<Duration> {
    let mut stream = N::connect(&server.address)?;
    stream.write_all(&[0])?;
    server.process.0.kill()?;
    let begun = Instant::now();
    // The end of the stream, or a reset.
    match stream.read(&mut [0]) {
        Ok(1..) => Err(io::Error::other("the server has answered")),
        Ok(0) | Err(_) => Ok(begun.elapsed()),
    }
}

/// A server that receives a question, and waits until its client has gone.
pub fn silent<N: Net>(_: &Session, ready: Ready<'_>) -> io::Result<u64> {
    let (place, _) = N::place()?;
    let (via, address) = N::via_at(&place);
    let mut listener = question::listen(&via).map_err(failed)?;
    ready(&address);
    let Asking::Ask(_, mut answer) = listener.accept().map_err(failed)?.recv().map_err(failed)?;
    answer.wait_closed();
    Ok(0)
}

/// A server that does so over the socket alone.
pub fn silent_raw<N: Blocking>(_: &Session, ready: Ready<'_>) -> io::Result<u64> {
    let (place, address) = N::place()?;
    let listener = N::bind(&place)?;
    ready(&address);
    let mut stream = N::accept(&listener)?;
    while !matches!(stream.read(&mut [0]), Ok(0) | Err(_)) {}
    Ok(0)
}

/// The server has no client in its own process.
pub fn absent(_: &Session, _: &str) -> io::Result<Played> {
    Ok(Played::default())
}
