//! The side that connects.

use crate::codec::Codec;
use crate::engine::{Beats, Engine};
use crate::error::ConnectError;
use crate::hello::{self, Answer, Hello, Spoken, Terms};
use crate::inbox::Inbox;
use crate::pump::{Greeting, Pump};
use crate::settings::{Agreed, Settings};
use crate::status::{Shown, Status};
use pipes::remote::{Link, Relay, Remote};
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

/// Connects, agrees with the other side, and starts the pump in the current runtime.
pub(crate) async fn dial<P, E, C>(
    engine: &E,
    codec: C,
    settings: &Settings,
) -> Result<(P::Client, Link), ConnectError>
where
    P: Remote<Calls: Relay<C> + Send + Unpin + 'static>,
    E: Engine,
    C: Codec + Unpin,
{
    let begin = async {
        let (mut stream, peer) = engine.open().await?;
        let hello = hello::bytes(&Hello {
            codec: C::NAME.into(),
            protocol: spoken::<P>(P::Calls::hash(&codec)),
            terms: settings.terms(),
        })?;
        let mut inbox = Inbox::new();
        if settings.is_eager {
            let ours = settings.agreed(settings.terms(), engine.beats());
            return Ok((stream, peer, inbox, Ok((ours, Some(hello)))));
        }
        stream.write_all(&hello).await?;
        stream.flush().await?;
        let answer = match hello::read(&mut stream, &mut inbox).await? {
            Answer::Taken(theirs) => Ok((settings.agreed(theirs, engine.beats()), None)),
            Answer::Refused(reason) => Err(reason),
        };
        Ok((stream, peer, inbox, answer))
    };
    let (time, address) = (settings.handshake, || engine.address());
    let (stream, peer, inbox, answer) = match timeout(time, begin).await {
        Ok(Ok(begun)) => begun,
        Ok(Err(error)) => return Err(ConnectError::Unreachable { address: address(), error }),
        Err(_) => return Err(ConnectError::TimedOut { address: address(), time }),
    };
    let (agreed, hello) = answer.map_err(|reason| ConnectError::Refused { address: address(), reason })?;
    let (client, server) = P::pipe();
    let status = Arc::new(Status::new(peer.to_string()));
    let link = Link::new(Shown(status.clone()));
    let relay = (P::Calls::from(server), P::BOUND);
    let mut pump = Pump::new(relay, codec, (stream, inbox), (settings, agreed), status, None);
    if let Some(hello) = hello {
        pump.greet(&hello, Greeting::new(address(), settings, engine.beats()));
    }
    tokio::spawn(pump);
    Ok((client, link))
}

/// The protocol, as programs compare it.
pub(crate) fn spoken<P: Remote>(hash: u128) -> Spoken {
    Spoken { name: P::NAME.into(), hash, version: P::VERSION }
}

impl Settings {
    /// What the other side gets to know.
    pub(crate) fn terms(&self) -> Terms {
        // Settings are checked when they are made: the limit fits.
        Terms { limit: self.limit as u32, beat: self.beat }
    }

    /// What both sides have agreed on.
    pub(crate) fn agreed(&self, theirs: Terms, beats: Beats) -> Agreed {
        let beat = self.beat.min(theirs.beat.max(LEAST_BEAT));
        let silence = match beats {
            Beats::Ours => None,
            Beats::Engine { lost } => Some(lost),
        };
        Agreed { their_limit: theirs.limit as usize, beat, silence }
    }
}

/// However often the other side wants a sign of life, it gets no more than this.
const LEAST_BEAT: std::time::Duration = std::time::Duration::from_millis(1);
