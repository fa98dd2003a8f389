//! The side that connects.

use crate::codec::Codec;
use crate::deadline::within;
use crate::engine::{Beats, Engine};
use crate::error::ConnectError;
use crate::hello::{self, Answer, Hello, Spoken};
use crate::inbox::Inbox;
use crate::pump::{PendingAnswer, Pump};
use crate::runtime::{Instant, spawn_task};
use crate::settings::{EngineInfo, Settings, Terms};
use crate::status::{Status, StatusLink};
use pipes::inspect::named;
use pipes::remote::{IS_RECORDED, Link, Relay, Remote, named_pipe};
use std::sync::Arc;
use tokio::io::AsyncWriteExt;

/// Connects, does the handshake, and starts the pump in the current runtime.
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
    let began = Instant::now();
    let begin = async {
        let (mut stream, peer) = engine.open().await?;
        let hello = hello::bytes(&Hello {
            codec: C::NAME.into(),
            protocol: spoken::<P>(P::Calls::hash(&codec)),
            terms: settings.terms(),
        })?;
        let mut inbox = Inbox::new();
        if settings.is_eager {
            // The other side's limit is not known yet. If a message is too long, the other side reports a
            // fault.
            let terms = Terms { limit: u32::MAX, ..settings.terms() };
            return Ok((stream, peer, inbox, Ok((settings.agreed(terms, engine_info(engine)), Some(hello)))));
        }
        stream.write_all(&hello).await?;
        stream.flush().await?;
        let answer = match hello::read(&mut stream, &mut inbox).await? {
            Answer::Taken(theirs) => Ok((settings.agreed(theirs, engine_info(engine)), None)),
            Answer::Refused(reason) => Err(reason),
        };
        Ok((stream, peer, inbox, answer))
    };
    let (time, address) = (settings.handshake, || engine.address());
    let (stream, peer, inbox, answer) = match within(time, begin).await {
        Some(Ok(begun)) => begun,
        Some(Err(error)) => return Err(ConnectError::from_io(address(), error)),
        None => return Err(ConnectError::TimedOut { address: address(), time }),
    };
    let (agreed, hello) = answer.map_err(|reason| ConnectError::Refused { address: address(), reason })?;
    let name = session_name::<E>(P::NAME, &stream);
    let (client, server) = named_pipe::<P>(name.as_deref());
    let status = Arc::new(Status::new(peer));
    let link = Link::new(StatusLink(status.clone()));
    let relay = (P::Calls::from(server), P::BOUND);
    let mut pump = Pump::new(relay, codec, (stream, inbox), (settings, agreed), status, None);
    if let Some(hello) = hello {
        pump.send_hello(
            &hello,
            PendingAnswer::new(address(), settings, engine_info(engine), began.elapsed()),
        );
    }
    spawn_task(named(name.as_deref().unwrap_or(UNNAMED), pump));
    Ok((client, link))
}

/// The name of the task of a session without a name.
pub(crate) const UNNAMED: &str = "a session with another process";

/// Returns the name of a session of this protocol over this stream, for [`pipes::inspect`]. The other program
/// knows it by the same.
pub(crate) fn session_name<E: Engine>(protocol: &str, stream: &E::Stream) -> Option<String> {
    let link = IS_RECORDED.then(|| E::link_name(stream)).flatten()?;
    // In two networks of one machine, the addresses may be the same.
    Some(format!("session {protocol} {link}"))
}

/// Returns what programs compare to see whether they speak the same protocol.
pub(crate) fn spoken<P: Remote>(hash: u128) -> Spoken {
    Spoken { name: P::NAME.into(), hash, version: P::VERSION }
}

/// Returns what a pump must know about this engine.
pub(crate) fn engine_info(engine: &impl Engine) -> EngineInfo {
    let silence = match engine.beats() {
        Beats::Ours => None,
        Beats::Engine { lost } => Some(lost),
    };
    EngineInfo { silence, is_shared: engine.is_shared() }
}
