//! The side that listens: one address, and the protocols that are served there.

use crate::admission::{Filter, Sessions};
use crate::codec::Codec;
use crate::deadline::within;
use crate::dial::{UNNAMED, engine_info, session_name, spoken};
use crate::engine::{Accept, Engine};
use crate::error::{AcceptError, ListenError, RefusedClient};
use crate::handshakes::Handshakes;
use crate::hello::{self, Answer, Hello, Refusal};
use crate::inbox::{self, Inbox};
use crate::pump::Pump;
use crate::refusals::Refusals;
use crate::runtime::{AbortHandle, sleep, spawn_task};
use crate::settings::{EngineInfo, Settings};
use crate::status::{Status, StatusLink};
use pipes::TrySendError;
use pipes::inspect::named;
use pipes::remote::{Accepting, Link, Peer, Relay, Remote, Room};
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, OwnedSemaphorePermit};

/// One address, and the protocols that are served there.
pub(crate) struct Site<E: Engine> {
    engine: Arc<E>,
    /// Locked while a service begins, so that two services bind the address only once.
    beginning: tokio::sync::Mutex<()>,
    services: Mutex<Services<E::Stream>>,
    /// Wakes the acceptor when the last service has ended.
    ended: Notify,
    handshakes: Handshakes,
    sessions: Sessions,
    refusals: Refusals,
}

struct Services<S> {
    by_name: HashMap<&'static str, Entry<S>>,
    /// Set while there is an acceptor.
    is_bound: bool,
}

/// A connection during its handshake.
struct Connection<S> {
    stream: S,
    inbox: Inbox,
    peer: Peer,
    /// The session's name, when its protocol is known.
    name: Option<String>,
}

/// A service. Its task owns it, so the listener ends with the runtime.
struct Entry<S> {
    service: Weak<dyn Service<S>>,
    task: AbortHandle,
}

/// The future of a session, which runs until the session has ended.
type Session = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A protocol that is served at a site, without its types.
trait Service<S>: Send + Sync {
    /// Accepts a client. Returns its session.
    ///
    /// # Errors
    ///
    /// The client is refused for this reason, and must be told.
    fn accept(&self, connection: Connection<S>, hello: &Hello) -> Result<Session, (S, Refusal)>;

    /// Returns `true` if the listener was dropped.
    fn has_ended(&self) -> bool;

    /// Returns the time limit for a handshake.
    fn handshake(&self) -> Duration;
}

/// How long an acceptor waits after an error. The system may have run out of a resource.
const PAUSE: Duration = Duration::from_millis(20);

impl<E: Engine> Site<E> {
    pub(crate) fn new(engine: Arc<E>) -> Self {
        Site {
            engine,
            beginning: tokio::sync::Mutex::new(()),
            services: Mutex::new(Services { by_name: HashMap::new(), is_bound: false }),
            ended: Notify::new(),
            handshakes: Handshakes::new(),
            sessions: Sessions::default(),
            refusals: Refusals::new(),
        }
    }

    /// Returns what is told about clients that were refused.
    pub(crate) fn refusals(&self) -> &Refusals {
        &self.refusals
    }

    /// Locks the services. Nothing below panics while it holds the lock.
    fn services(&self) -> MutexGuard<'_, Services<E::Stream>> {
        self.services.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the service for protocols of this name.
    fn service(&self, name: &str) -> Option<Arc<dyn Service<E::Stream>>> {
        self.services().by_name.get(name).and_then(|entry| entry.service.upgrade())
    }

    /// Serves one more protocol at this address, in the current runtime. `accepting` creates the listener and
    /// the end that delivers sessions to it.
    pub(crate) async fn serve<P, C, A, L>(
        self: Arc<Self>,
        codec: C,
        settings: Settings,
        filter: Filter,
        accepting: impl FnOnce() -> (Accepting<P, A>, L),
    ) -> Result<L, ListenError>
    where
        P: Remote<Serves: Relay<C> + Send + Unpin + 'static, Client: Send> + 'static,
        C: Codec + Unpin,
        A: Send + 'static,
    {
        let _beginning = self.beginning.lock().await;
        if self.service(P::NAME).is_some_and(|service| !service.has_ended()) {
            return Err(ListenError::Taken { address: self.engine.address(), protocol: P::NAME });
        }
        if !self.services().is_bound {
            let bound = self.engine.bind().await;
            let accept =
                bound.map_err(|error| ListenError::Unavailable { address: self.engine.address(), error })?;
            self.services().is_bound = true;
            spawn_task(Acceptor { site: self.clone() }.run(accept));
        }
        let (accepting, listener) = accepting();
        let service = Arc::new(Serving {
            accepting,
            codec,
            settings,
            filter,
            sessions: self.sessions.clone(),
            engine_info: engine_info(&*self.engine),
        });
        let weak: Weak<dyn Service<E::Stream>> = Arc::downgrade(&(service.clone() as Arc<_>));
        let (site, own) = (self.clone(), weak.clone());
        let task = spawn_task(async move {
            service.accepting.closed().await;
            site.remove(P::NAME, &own);
        });
        let entry = Entry { service: weak, task };
        let before = self.services().by_name.insert(P::NAME, entry);
        drop(before);
        Ok(listener)
    }

    /// Removes a service that has ended.
    fn remove(&self, name: &'static str, service: &Weak<dyn Service<E::Stream>>) {
        let mut services = self.services();
        if services.by_name.get(name).is_some_and(|entry| entry.service.ptr_eq(service)) {
            services.by_name.remove(name);
        }
        let is_last = services.by_name.is_empty();
        drop(services);
        if is_last {
            self.ended.notify_one();
        }
    }

    /// Reads the hello of a client, and lets the service of that protocol accept it.
    async fn handshake(&self, stream: E::Stream, peer: Peer, room: OwnedSemaphorePermit) -> Option<Session> {
        let services: Vec<_> =
            self.services().by_name.values().filter_map(|entry| entry.service.upgrade()).collect();
        let time = services.iter().map(|service| service.handshake()).max()?;
        drop(services);
        let connection = Connection { stream, inbox: Inbox::new(), peer: peer.clone(), name: None };
        let mut why = None;
        let handshake = async {
            let Some(turn) = self.handshakes.turn(room, &peer).await else {
                why = Some(AcceptError::TooMany);
                return None;
            };
            turn.run(self.answer(connection, &mut why)).await?
        };
        let session = within(time, handshake).await.flatten();
        if session.is_none() {
            self.refusals.report(peer, why.unwrap_or(AcceptError::TimedOut));
        }
        session
    }

    /// Returns the session of a client, or sets why it has none.
    async fn answer(
        &self,
        mut connection: Connection<E::Stream>,
        why: &mut Option<AcceptError>,
    ) -> Option<Session> {
        let hello: Hello = match hello::read(&mut connection.stream, &mut connection.inbox).await {
            Ok(hello) => hello,
            Err(error) => {
                *why = Some(error.into());
                return None;
            }
        };
        connection.name = session_name::<E>(&hello.protocol.name, &connection.stream);
        let accepted = match self.service(&hello.protocol.name) {
            Some(service) => service.accept(connection, &hello),
            None => Err((connection.stream, Refusal::UnknownProtocol)),
        };
        match accepted {
            Ok(session) => Some(session),
            Err((mut stream, reason)) => {
                *why = Some(AcceptError::Refused(reason.clone()));
                hello::write(&mut stream, &Answer::Refused(reason)).await.ok()?;
                // An eager client has sent more than its hello.
                inbox::end(&mut stream).await;
                None
            }
        }
    }
}

/// Accepts connections while a protocol is served at the site.
struct Acceptor<E: Engine> {
    site: Arc<Site<E>>,
}

impl<E: Engine> Acceptor<E> {
    async fn run(self, mut accept: E::Accept) {
        loop {
            let site = self.site.clone();
            let next = async {
                // While there is no room, further clients wait in the system's queue.
                let room = site.handshakes.room().await?;
                Some((room, accept.accept().await?))
            };
            let next = tokio::select! {
                next = next => next,
                () = site.ended.notified() => {
                    // With this lock, the next listener waits until the address is free.
                    let _beginning = site.beginning.lock().await;
                    if site.services().by_name.is_empty() {
                        drop(accept);
                        drop(self);
                        return;
                    }
                    continue;
                }
            };
            match next {
                Some((room, Ok((stream, peer)))) => {
                    spawn_task(async move {
                        // Boxed, so that the memory of the handshake is freed when the session begins.
                        let session = Box::pin(site.handshake(stream, peer, room)).await;
                        if let Some(session) = session {
                            session.await;
                        }
                    });
                }
                Some((room, Err(error))) => {
                    drop(room);
                    match error.downcast() {
                        Ok(RefusedClient { peer, why }) => site.refusals.report(peer, why),
                        Err(_) => sleep(PAUSE).await,
                    }
                }
                None => {
                    // The last clients may still be in their handshake.
                    self.site.handshakes.none_left().await;
                    return;
                }
            }
        }
    }
}

impl<E: Engine> Drop for Acceptor<E> {
    fn drop(&mut self) {
        let mut services = self.site.services();
        services.is_bound = false;
        let left: Vec<_> = services.by_name.drain().collect();
        drop(services);
        // There will be no more clients, so the listeners end.
        left.into_iter().for_each(|(_, entry)| entry.task.abort());
    }
}

/// A protocol that is served at a site, with its codec.
struct Serving<P: Remote, C, A> {
    accepting: Accepting<P, A>,
    codec: C,
    settings: Settings,
    filter: Filter,
    /// The sessions of all services of the site.
    sessions: Sessions,
    engine_info: EngineInfo,
}

impl<P, C, A, S> Service<S> for Serving<P, C, A>
where
    P: Remote<Serves: Relay<C> + Send + Unpin + 'static, Client: Send> + 'static,
    C: Codec + Unpin,
    A: Send + 'static,
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    fn accept(&self, connection: Connection<S>, hello: &Hello) -> Result<Session, (S, Refusal)> {
        let Connection { stream, inbox, peer, name } = connection;
        let admitted = self.sessions.admit(&peer, &self.filter, self.settings.sessions);
        let (counted, room) = match admitted.and_then(|counted| Ok((counted, self.room(hello)?))) {
            Ok(admitted) => admitted,
            Err(reason) => return Err((stream, reason)),
        };
        let status = Arc::new(Status::new(peer));
        let link = Link::new(StatusLink(status.clone()));
        let Some((client, session)) = room.deliver(link, name.as_deref()) else {
            return Err((stream, Refusal::NobodyListens));
        };
        let relay = (P::Serves::from(client), P::BOUND);
        let agreed = self.settings.agreed(hello.terms, self.engine_info);
        let (settings, codec) = ((&self.settings, agreed), self.codec.clone());
        let mut pump = Pump::new(relay, codec, (stream, inbox), settings, status, Some(session));
        // An answer of this kind is short, so this does not fail.
        pump.send_answer(&hello::bytes(&Answer::Taken(self.settings.terms())).unwrap_or_default());
        let pump = counted.while_lasts(pump);
        Ok(Box::pin(named(name.as_deref().unwrap_or(UNNAMED), pump)))
    }

    fn has_ended(&self) -> bool {
        self.accepting.is_closed()
    }

    fn handshake(&self) -> Duration {
        self.settings.handshake
    }
}

impl<P, C, A> Serving<P, C, A>
where
    P: Remote<Serves: Relay<C>>,
    C: Codec,
{
    /// Takes room for this client in the queue of the listener.
    ///
    /// # Errors
    ///
    /// The client has another codec or another protocol, or there is no room.
    fn room(&self, hello: &Hello) -> Result<Room<'_, P, A>, Refusal> {
        let ours = spoken::<P>(P::Serves::hash(&self.codec));
        if hello.codec != C::NAME {
            return Err(Refusal::Codec { ours: C::NAME.into() });
        }
        if hello.protocol != ours {
            return Err(Refusal::Differs { theirs: hello.protocol.clone().into(), ours: ours.into() });
        }
        self.accepting.try_room().map_err(|error| match error {
            TrySendError::Full(()) => Refusal::Busy,
            TrySendError::Closed(()) => Refusal::NobodyListens,
        })
    }
}
