//! Strangers: a protocol with something of everything, the program that serves it, and how bytes that may be
//! no session at all are sent to it.

use pipes::{
    Closing, Listener,
    remote::{Cause, Link},
};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::yield_now;

pipes::proto! {
    /// Both sides speak, and one of them may say a lot.
    #[remote]
    pub parley {
        ask: send {
            number(u64) -> ask,
            text(String) -> ask,
            list(Vec<(u8, Option<String>)>) -> answer,
            turn -> answer,
            end(bool) -> !
        }
        answer: recv { number(u64) -> ask, again -> ask, end -> ! }
    }
}

/// To a list of this many items there is no answer: the program waits until its client has gone.
pub const NO_ANSWER: usize = 3;

/// What the program says at the other end of a stream.
pub async fn serve(server: parley::Server<parley::Ask>, leaves: bool) {
    let mut server = server;
    loop {
        server = match server.await {
            Ok(parley::Ask::Number(_, next) | parley::Ask::Text(_, next)) => next,
            Ok(parley::Ask::List(_, answer)) if leaves => return drop(answer),
            Ok(parley::Ask::List(list, mut answer)) if list.len() == NO_ANSWER => {
                return answer.closed().await;
            }
            Ok(parley::Ask::List(list, answer)) => match answer.number(list.len() as u64) {
                Ok(next) => next,
                Err(_) => return,
            },
            Ok(parley::Ask::Turn(answer)) => match answer.again() {
                Ok(next) => next,
                Err(_) => return,
            },
            Ok(parley::Ask::End(_)) | Err(_) => return,
        }
    }
}

/// A listener with links.
pub type Parleys = Listener<parley::Protocol, (parley::Server<parley::Ask>, Link)>;

/// Serves all clients in tasks; every other one leaves early, if `leaves`. Returns the links of the sessions
/// that are over.
pub fn host(mut listener: Parleys, leaves: bool) -> UnboundedReceiver<Link> {
    let (served, sessions) = unbounded_channel();
    tokio::spawn(async move {
        let mut early = false;
        while let Ok((server, link)) = listener.recv_async().await {
            early = leaves && !early;
            let served = served.clone();
            tokio::spawn(async move {
                serve(server, early).await;
                // The pump has sent its last frame when this is known.
                let _ = link.delivered_async().await;
                let _ = served.send(link);
            });
        }
    });
    sessions
}

/// How a stranger ends its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It goes as soon as it has said everything.
    Goes,
    /// It ends its direction, and reads to the end.
    Ends,
    /// It says nothing more, and waits for the other side to end it.
    Waits,
}

/// Sends bytes in pieces, and ends the stream. Returns what was said to that. At times, `yields` says,
/// others run in between.
pub async fn send<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    pieces: impl IntoIterator<Item = impl AsRef<[u8]>>,
    mut yields: impl FnMut() -> bool,
    ending: Ending,
) -> Vec<u8> {
    for piece in pieces {
        // The other side may have enough.
        let sent = stream.write_all(piece.as_ref()).await;
        if sent.is_err() || stream.flush().await.is_err() {
            break;
        }
        if yields() {
            yield_now().await;
        }
    }
    let mut said = Vec::new();
    match ending {
        Ending::Goes => return said,
        Ending::Waits => {}
        Ending::Ends => drop(stream.shutdown().await),
    }
    // It may be reset.
    drop(stream.read_to_end(&mut said).await);
    said
}

/// The word for a cause.
pub fn word(cause: &Cause) -> &'static str {
    match cause {
        Cause::Ended => "ended",
        Cause::Left => "left",
        Cause::LeftHere => "left here",
        Cause::Broken(_) => "broken",
        Cause::Silent(_) => "silent",
        Cause::Fault(_) => "fault",
        _ => panic!("the session has no end"),
    }
}
