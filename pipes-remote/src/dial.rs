//! The side that connects.

use crate::codec::Codec;
use crate::engine::{Beats, Engine, Peer};
use crate::error::ConnectError;
use crate::hello::{self, Answer, Hello, Spoken, Terms};
use crate::inbox::Inbox;
use crate::pump::Pump;
use crate::settings::{Agreed, Settings};
use crate::status::{Shown, Status};
use pipes::remote::{Link, Relay, Remote};
use std::io;
use std::sync::Arc;
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
    let (time, mut inbox) = (settings.handshake, Inbox::new());
    let shaking = timeout(time, shake::<P, E, C>(engine, &codec, settings, &mut inbox)).await;
    let (stream, peer, answer) = match shaking {
        Ok(Ok(shaken)) => shaken,
        Ok(Err(error)) => return Err(ConnectError::Unreachable { address: engine.address(), error }),
        Err(_) => return Err(ConnectError::TimedOut { address: engine.address(), time }),
    };
    let theirs = match answer {
        Answer::Taken(terms) => terms,
        Answer::Refused(reason) => {
            return Err(ConnectError::Refused { address: engine.address(), reason });
        }
    };
    let (client, server) = P::pipe();
    let status = Arc::new(Status::new(peer.to_string()));
    let link = Link::new(Shown(status.clone()));
    let agreed = settings.agreed(theirs, engine.beats());
    let relay = (P::Calls::from(server), P::BOUND);
    tokio::spawn(Pump::new(relay, codec, (stream, inbox), (settings, agreed), status, None));
    Ok((client, link))
}

async fn shake<P, E, C>(
    engine: &E,
    codec: &C,
    settings: &Settings,
    inbox: &mut Inbox,
) -> io::Result<(E::Stream, Peer, Answer)>
where
    P: Remote<Calls: Relay<C>>,
    E: Engine,
    C: Codec,
{
    let (mut stream, peer) = engine.open().await?;
    let hello = Hello {
        codec: C::NAME.into(),
        protocol: spoken::<P>(P::Calls::hash(codec)),
        terms: settings.terms(),
    };
    hello::write(&mut stream, &hello).await?;
    let answer = hello::read(&mut stream, inbox).await?;
    Ok((stream, peer, answer))
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
