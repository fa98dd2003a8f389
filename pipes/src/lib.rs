//! Session-typed message passing.
//!
//! Two threads or tasks that talk follow a protocol, whether or not anybody has written it down. Here the protocol is
//! written down, as types: an *endpoint* knows which message may be sent or received next, each *step* uses the endpoint up
//! and gives the one for the next step, and what breaks the protocol does not compile. Under the endpoints are *slots*, each
//! with room for one message; a message costs two atomic operations, and no allocation once a pipe is warm.
//!
//! This page is a short course. The programs of `examples/` go on from here.
//!
//! # One value
//!
//! A [`oneshot()`] carries one value. Both ends are used up by it: a second send would not compile.
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
//!         chan.send(number).expect("somebody listens");
//!     }
//! });
//! assert_eq!(port.into_iter().sum::<i32>(), 6);
//! ```
//!
//! # Waiting
//!
//! Every receiver has the same verbs, those of [`Receive`]. What a receive does not consume comes back:
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
//! To leave, drop the endpoint. That is allowed in every state, and the other side learns of it: a receive that waits
//! returns an error, a send gets its value back, and what was sent and not read is dropped at once, with everything inside.
//! A panic drops the endpoints of its thread, so nobody waits for a thread that has died.
//!
//! ```
//! let (mut chan, port) = pipes::stream();
//! drop(port);
//! let back = chan.send(String::from("anybody there?")).expect_err("nobody is");
//! assert_eq!(back.into_payload(), "anybody there?");
//! ```
//!
//! # Tasks
//!
//! Any receiver can be awaited, on any executor, and a task and a thread may hold the two ends of one pipe.
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
//! A future of a receive owns its endpoint, and dropping it closes the endpoint. Where a future may be dropped before it is
//! done, in a `select!` or under a timeout, wait with [`ready`](Readiness::ready), which borrows and loses nothing, and
//! receive when it is done.
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
//! A oneshot is the protocol "one message, then the end", a stream "one message, again and again". [`proto!`] makes endpoints
//! for protocols of your own. It is written once, from the client's side; each state says who sends in it, and where each
//! message leads:
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
//! A state is a type: what is received in it, as an enum with a variant for each message. An endpoint is generic in its state, has
//! a method for each message that it may send, and the verbs of [`Receive`] where it may receive. Each step takes the endpoint by
//! value; the next one comes back from a send, and inside the message from a receive.
//!
//! # Room, and many senders
//!
//! The sender of a [`sync_stream()`] waits when its receiver is too slow; a [`shared_stream()`] has any number of senders. Both
//! end in a [`Port`], like every stream.
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
//! The other way round, [`Port::into_shared`] makes a port for several receivers, each message to one of them.
//!
//! # Many receivers as one
//!
//! A [`PortSet`] receives from whichever of its members is ready first, and it does not matter how many are not. Each has a key:
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
//! A few receivers of different types are waited for with [`select!`], or [`select_async!`] in a task; a set can be one of them.
//!
//! # Services
//!
//! [`spawn_service`] starts a thread for one pipe. [`listen`] makes a service that clients connect to, each with a pipe of its own,
//! whose server end travels to the listener.
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
//! Where the same work is done on many items, [`skeleton`] puts stages in a row, gives the slow ones several workers, keeps the order, and
//! bounds the memory.
//!
//! ```
//! let words = ["one", "two", "three"];
//! let lengths = pipes::skeleton::from_iter(words).parallel(2, |word| word.len()).in_order().collect()?;
//! assert_eq!(lengths, [3, 3, 5]);
//! # Ok::<(), pipes::skeleton::Failure>(())
//! ```
//!
//! # What is promised
//!
//! - What happens before a send happens before the receive that gives its message.
//! - Nothing that was sent is lost while its receiver lives, and nothing is dropped twice or leaked. (Except what holds itself: an
//!   endpoint that is sent into its own pipe keeps the pipe alive, as with any shared memory.)
//! - Nobody waits for somebody who has left. (Two ends that wait for each other do wait: a protocol cannot see that.)
//! - Neither side ever spins for the other to finish something. A thread that waits for a message may look for it for up to
//!   25 microseconds before it goes to sleep, if there is another core and its experience says that this pays, and lets other
//!   threads run a few times.

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
/// One of two, which is what [`select2`] gives: that of the crate `either`, which need not be named.
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
