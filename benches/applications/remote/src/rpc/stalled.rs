//! Sessions that send without end to receivers that read nothing.

use super::Rpc;
use crate::sides::failed;
use pipes_remote::Via;
use pipes_remote::engine::Engine;
use std::io;
use std::time::Duration;
use tokio::task::JoinSet;

pipes::proto! {
    /// Pieces without end.
    #[remote]
    pub flood {
        open: send { piece(Vec<u8>) -> open }
    }
}

use flood::{Client, Open};

/// The bytes of a piece.
const PIECE: usize = 1 << 10;

/// The pieces that are sent at once: more than a window, and the room of the socket or of the stream.
const MANY: usize = 8 << 10;

/// The time between two further pieces. Without a pause, the pieces that wait would fill the memory.
const PAUSE: Duration = Duration::from_millis(1);

/// Takes the sessions, and reads nothing.
pub async fn receivers<E: Engine>(game: &Rpc, via: &Via<E>) -> io::Result<JoinSet<()>> {
    let mut receivers = JoinSet::new();
    if game.stalled > 0 {
        let mut listener = flood::listen_async(via).await.map_err(failed)?;
        receivers.spawn(async move {
            let mut held = Vec::new();
            while let Ok(server) = listener.recv_async().await {
                held.push(server);
            }
        });
    }
    Ok(receivers)
}

/// Opens the sessions, shuts their windows, and goes on to send.
pub async fn senders<E: Engine>(game: &Rpc, via: &Via<E>) -> io::Result<JoinSet<()>> {
    let mut senders = JoinSet::new();
    for _ in 0..game.stalled {
        let mut client: Client<Open> = flood::connect_async(via).await.map_err(failed)?;
        for _ in 0..MANY {
            client = client.piece(vec![0; PIECE]).map_err(failed)?;
        }
        senders.spawn(async move {
            while let Ok(next) = client.piece(vec![0; PIECE]) {
                client = next;
                tokio::time::sleep(PAUSE).await;
            }
        });
    }
    Ok(senders)
}
