//! Session-typed message passing.
//!
//! Two threads or tasks that exchange messages follow a protocol. With this crate the protocol is a type: an *endpoint* knows which
//! message may be sent or received next, each *step* consumes the endpoint and returns the one for the next step, and code that
//! breaks the protocol does not compile. Below the endpoints are *slots*, each with room for one message; a message costs two atomic
//! operations, and no allocation once a pipe is warm.
//!
//! This page is a short course. The programs in `examples/` continue it.
//!
//! # One value
//!
//! A [`oneshot()`] carries one value. Sending and receiving consume the ends: a second send does not compile.
//!
//! ```
//! let (chan, port) = pipes::oneshot();
//! std::thread::spawn(move || chan.send(6 * 7));
//! assert_eq!(port.recv(), Ok(42));
//! ```
//!
//! # Many values
//!
//! A [`stream()`] carries any number of values, in order. A *chan* sends, a *port* receives. Sending never blocks.
//!
//! ```
//! let (mut chan, port) = pipes::stream();
//! std::thread::spawn(move || {
//!     for number in 1..=3 {
//!         chan.send(number).expect("the port is open");
//!     }
//! });
//! assert_eq!(port.into_iter().sum::<i32>(), 6);
//! ```
//!
//! # Waiting
//!
//! Every receiver has the same methods, those of [`Receive`]. If a receive returns no message, the error contains the endpoint:
//!
//! ```
//! use pipes::{RecvTimeoutError, TryRecvError};
//! use std::time::Duration;
//!
//! let (chan, port) = pipes::oneshot();
//! let Err(TryRecvError::Empty(port)) = port.try_recv() else { unreachable!("nothing was sent") };
//! let Err(RecvTimeoutError::Timeout(port)) = port.recv_timeout(Duration::from_millis(1)) else { unreachable!() };
//! chan.send("at last").expect("the port is here");
//! assert_eq!(port.recv(), Ok("at last"));
//! ```
//!
//! # Closing
//!
//! To leave, drop the endpoint. This is allowed in every state, and the other side learns of it: a waiting receive returns an error,
//! a send returns its value in the error, and unread messages are dropped at once, with everything inside them. A panic drops the
//! endpoints of its thread, so no thread waits for one that has died.
//!
//! ```
//! let (mut chan, port) = pipes::stream();
//! drop(port);
//! let back = chan.send(String::from("hello?")).expect_err("the port was dropped");
//! assert_eq!(back.into_payload(), "hello?");
//! ```
//!
//! # Tasks
//!
//! Any receiver can be awaited, on any executor. One end of a pipe may be in a task and the other in a thread.
//!
//! ```
//! # fn block_on<F: std::future::Future>(future: F) -> F::Output {
//! #     let mut future = std::pin::pin!(future);
//! #     let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
//! #     loop {
//! #         if let std::task::Poll::Ready(output) = future.as_mut().poll(&mut cx) { return output }
//! #         std::thread::yield_now();
//! #     }
//! # }
//! let (chan, port) = pipes::oneshot();
//! std::thread::spawn(move || chan.send("from a thread"));
//! block_on(async {
//!     assert_eq!(port.await, Ok("from a thread"));
//! });
//! ```
//!
//! The future of a receive owns its endpoint, so dropping the future closes the endpoint. Where a future may be dropped before it
//! completes, in a `select!` or under a timeout, wait with [`ready`](Readiness::ready), which borrows the endpoint, and then receive.
//!
//! # An endpoint in a struct
//!
//! A step takes the endpoint by value. Behind a `&mut self`, keep it in an [`Option`] and take it out for the step:
//!
//! ```
//! struct Waiting {
//!     answer: Option<pipes::PortOne<u32>>,
//! }
//!
//! impl Waiting {
//!     /// The answer, once it is there.
//!     fn poll(&mut self) -> Option<u32> {
//!         match self.answer.take()?.try_recv() {
//!             Ok(answer) => Some(answer),
//!             Err(pipes::TryRecvError::Empty(port)) => {
//!                 self.answer = Some(port);
//!                 None
//!             }
//!             Err(pipes::TryRecvError::Closed) => None,
//!         }
//!     }
//! }
//!
//! let (chan, port) = pipes::oneshot();
//! let mut waiting = Waiting { answer: Some(port) };
//! assert_eq!(waiting.poll(), None);
//! chan.send(42).expect("the port is kept");
//! assert_eq!(waiting.poll(), Some(42));
//! ```
//!
//! # Protocols
//!
//! A oneshot is the protocol "one message, then the end", a stream "one message, again and again". [`proto!`] generates endpoints
//! for your own protocols. A protocol is written once, from the client's side; each state says which side sends, and which state
//! follows each message:
//!
//! ```
//! pipes::proto! {
//!     guessing {
//!         secret: send { guess(u32) -> verdict, give_up -> ! }
//!         verdict: recv { too_low -> secret, too_high -> secret, right -> ! }
//!     }
//! }
//!
//! let (client, server) = guessing::pipe();
//!
//! std::thread::spawn(move || {
//!     let mut server = server;
//!     while let Ok(guessing::Secret::Guess(guess, answering)) = server.recv() {
//!         let next = match guess {
//!             0..=41 => answering.too_low(),
//!             43.. => answering.too_high(),
//!             42 => return drop(answering.right()),
//!         };
//!         let Ok(next) = next else { return };
//!         server = next;
//!     }
//! });
//!
//! let (mut client, mut low, mut high) = (client, 0, 100);
//! let found = loop {
//!     let guess = (low + high) / 2;
//!     match client.guess(guess)?.recv()? {
//!         guessing::Verdict::TooLow(next) => (client, low) = (next, guess + 1),
//!         guessing::Verdict::TooHigh(next) => (client, high) = (next, guess),
//!         guessing::Verdict::Right => break guess,
//!     }
//! };
//! assert_eq!(found, 42);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A state is a type: an enum with a variant for each message of the state. An endpoint is generic over its state. It has a method for
//! each message that it may send, or, where it receives, the methods of [`Receive`]. Each step takes the endpoint by value; a send
//! returns the next endpoint, and a received message contains it.
//!
//! # Bounded streams, and many senders
//!
//! The sender of a [`sync_stream()`] waits when its receiver is too slow; a [`shared_stream()`] has any number of senders. The
//! receiving end of each is a [`Port`].
//!
//! ```
//! let (chan, port) = pipes::shared_stream();
//! let workers: Vec<_> = (1..=3)
//!     .map(|number| {
//!         let chan = chan.clone();
//!         std::thread::spawn(move || chan.send(number))
//!     })
//!     .collect();
//! drop(chan);
//! assert_eq!(port.into_iter().sum::<i32>(), 6, "it ends when the last sender has gone");
//! # workers.into_iter().for_each(|worker| worker.join().unwrap().unwrap());
//! ```
//!
//! For several receivers, each message to one of them, see [`Port::into_shared`].
//!
//! # Many receivers as one
//!
//! A [`PortSet`] receives from the first of its members that is ready; idle members cost nothing. Each member has a key:
//!
//! ```
//! pipes::proto! {
//!     /// A till: items, and then what they cost.
//!     till { buying: send { item(u32) -> buying, pay -> total } total: recv { sum(u32) -> ! } }
//! }
//!
//! let mut tills = pipes::PortSet::new();
//! let clients: Vec<_> = [vec![3, 4], vec![5]]
//!     .map(|prices| {
//!         let (client, server) = till::pipe();
//!         tills.insert(server);
//!         std::thread::spawn(move || -> Result<u32, Box<dyn std::error::Error + Send + Sync>> {
//!             let client = prices.into_iter().try_fold(client, |client, price| client.item(price))?;
//!             let till::Total::Sum(sum) = client.pay()?.recv()?;
//!             Ok(sum)
//!         })
//!     })
//!     .into_iter()
//!     .collect();
//!
//! let mut sums = [0; 2];
//! while let Ok((key, message)) = tills.recv() {
//!     match message {
//!         Ok(till::Buying::Item(price, next)) => {
//!             sums[key] += price;
//!             tills.insert_at(key, next);
//!         }
//!         Ok(till::Buying::Pay(total)) => drop(total.sum(sums[key])),
//!         Err(pipes::Closed) => {}
//!     }
//! }
//! let paid: Vec<_> = clients.into_iter().map(|client| client.join().unwrap().unwrap()).collect();
//! assert_eq!(paid, [7, 5]);
//! ```
//!
//! To wait for a few receivers of different types, use [`select!`], or [`select_async!`] in a task; a set can be one of them.
//!
//! # Services
//!
//! [`spawn_service`] starts a thread for one pipe. [`listen`] creates a service that clients connect to; each gets its own pipe,
//! whose server end is sent to the listener.
//!
//! ```
//! pipes::proto! {
//!     pub echo { said: send { say(String) -> heard } heard: recv { echo(String) -> ! } }
//! }
//!
//! let (connector, listener) = pipes::listen::<echo::Protocol>();
//! std::thread::spawn(move || {
//!     for server in listener {
//!         let Ok(echo::Said::Say(words, answering)) = server.recv() else { continue };
//!         drop(answering.echo(words.to_uppercase()));
//!     }
//! });
//! let echo::Heard::Echo(words) = connector.connect()?.say("hello".to_owned())?.recv()?;
//! assert_eq!(words, "HELLO");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Streams of items
//!
//! To do the same work on many items, [`skeleton`] connects stages to a pipeline, replicates the slow ones, restores the order, and
//! bounds the memory.
//!
//! ```
//! let words = ["one", "two", "three"];
//! let lengths = pipes::skeleton::from_iter(words).parallel(2, |word| word.len()).in_order().collect()?;
//! assert_eq!(lengths, [3, 3, 5]);
//! # Ok::<(), pipes::skeleton::Failure>(())
//! ```
//!
//! # Guarantees
//!
//! - A send happens before the receive that returns its message.
//! - No message is lost while its receiver exists, and none is dropped twice or leaked. (The exception is a cycle: an endpoint that is
//!   sent into its own pipe keeps the pipe alive, like a cycle of `Arc`s.)
//! - No side waits for one that has left. (Two sides that wait for each other do wait: a protocol cannot prevent that.)
//! - Neither side spins until the other has finished a step. A thread that waits for a message may look for it for up to
//!   25 microseconds before it sleeps, if there is another core and this has paid off before.

#[doc(hidden)]
pub mod __private;
mod duplex;
mod endpoint;
mod eventual;
mod oneshot;
mod port_set;
mod proto;
mod protocol;
mod select;
mod service;
mod shared_port;
pub mod skeleton;
#[allow(
    unsafe_code,
    reason = "memory that two threads share: everything above is safe because of what is argued here"
)]
mod slot;
mod stream;
#[allow(unsafe_code, reason = "raw allocation, for the ordinary build and for the model")]
mod sync;

pub use duplex::{DuplexStream, duplex_stream};
/// What [`select2`] returns: the `Either` of the crate `either`.
pub use either::Either;
pub use endpoint::{
    Closed, Closing, Member, Readiness, Ready, Receive, RecvError, RecvFuture, RecvTimeoutError, SendError,
    SendTimeoutError, SetEmpty, TryRecvError, TrySendError, WaitClosed,
};
pub use eventual::{Eventual, IntoValue};
pub use oneshot::{ChanOne, PortOne, oneshot};
pub use port_set::{Messages, PortSet, RecvFromSet};
pub use protocol::{Bound, Protocol};
pub use select::{select, select2};
pub use service::{ConnectError, Connector, Listener, listen, spawn_service};
pub use shared_port::{RecvShared, SharedPort};
pub use stream::{
    Chan, IntoIter, Iter, Port, SendFuture, SharedChan, TryIter, shared_stream, stream, sync_stream,
};
