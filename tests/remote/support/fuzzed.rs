//! What a fuzzer does with its bytes: a client's against a listener, and a server's against a client. Each
//! comes to an end, without a panic.

use crate::net::Accepts;
use crate::raw::{Hello, read_envelope, taken};
use crate::stranger::{Ending, host, parley, send, word};
use crate::{Net, virtually};
use pipes_remote::engine::{Accept, Engine};
use std::time::Duration;
use tokio::time::timeout;

/// The first byte says how the others are sent: with a good handshake before them or not, in pieces or not,
/// and how the stream ends.
#[derive(Clone, Copy, Debug)]
struct Manner {
    has_handshake: bool,
    piece: usize,
    ending: Ending,
}

impl Manner {
    fn of(byte: u8) -> Self {
        let ending = [Ending::Ends, Ending::Waits, Ending::Goes][usize::from(byte >> 3) % 3];
        Manner {
            has_handshake: byte & 1 == 0,
            piece: [usize::MAX, 1, 7, 100][usize::from(byte >> 1) % 4],
            ending,
        }
    }

    /// The bytes, behind this handshake.
    fn stream(self, handshake: Vec<u8>, bytes: &[u8]) -> Vec<u8> {
        let mut stream = if self.has_handshake { handshake } else { Vec::new() };
        stream.extend_from_slice(bytes);
        stream
    }
}

/// Longer than anything lasts without a word of a peer.
const LONG: Duration = Duration::from_secs(600);

/// A client's bytes against a listener. Returns how its session ended, if there was one.
pub fn stream(input: &[u8]) -> Option<&'static str> {
    let (first, bytes) = input.split_first()?;
    let manner = Manner::of(*first);
    virtually().block_on(async {
        let net = Net::new();
        let mut sessions = host(parley::listen_with_links_async(&net.via()).await.expect("it is free"), true);
        let bytes = manner.stream(Hello::of::<parley::Protocol>().bytes(), bytes);
        let sending =
            send(net.dial().expect("it listens"), bytes.chunks(manner.piece), || false, manner.ending);
        timeout(LONG, sending).await.expect("it ends");
        match timeout(LONG, sessions.recv()).await {
            Ok(link) => Some(word(&link.expect("it serves").cause())),
            Err(_) => None,
        }
    })
}

/// A server's bytes against a client. Returns how the client's session ended, if it had one.
pub fn answer(input: &[u8]) -> Option<&'static str> {
    let (first, bytes) = input.split_first()?;
    let manner = Manner::of(*first);
    virtually().block_on(async {
        let net = Net::new();
        let accepts = net.bind().await.expect("it is free");
        let serving = tokio::spawn(answering(accepts, manner, bytes.to_vec()));
        let client =
            timeout(LONG, parley::connect_with_link_async(&net.via())).await.expect("it has a time limit");
        let Ok((client, link)) = client else { return None };
        timeout(LONG, asking(client)).await.expect("it ends");
        let _ = timeout(LONG, link.delivered_async()).await.expect("it ends");
        timeout(LONG, serving).await.expect("it ends").expect("it does not panic");
        Some(word(&link.cause()))
    })
}

/// The other side of one connection.
async fn answering(mut accepts: Accepts, manner: Manner, bytes: Vec<u8>) {
    let (mut stream, _) = accepts.accept().await.expect("it is bound").expect("it connects");
    // It need not wait for a hello.
    if manner.has_handshake && read_envelope(&mut stream).await.is_err() {
        return;
    }
    let bytes = manner.stream(taken(), &bytes);
    send(stream, bytes.chunks(manner.piece), || false, manner.ending).await;
}

/// Asks as long as it is answered, up to a few times.
async fn asking(mut client: parley::Client<parley::Ask>) {
    for number in 0..20 {
        let Ok(next) = client.number(number) else { return };
        let Ok(asked) = next.turn() else { return };
        client = match asked.await {
            Ok(parley::Answer::Number(_, next) | parley::Answer::Again(next)) => next,
            Ok(parley::Answer::End) | Err(_) => return,
        };
    }
}
