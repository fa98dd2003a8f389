//! Hostile streams: each says who it is as one of our clients would, and goes on with what is no message.

use super::Rpc;
use super::protocol::calls::Protocol;
use crate::net::{Net, linger, play};
use crate::sides::failed;
use ::pipes::remote::Remote;
use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

/// The streams that begin at once, so that the timer is precise enough for any rate.
const TICKS: u64 = 500;

/// The most streams at a time.
const MOST: usize = 64;

/// The random bytes of a stream.
const NOISE: usize = 256;

/// The head of an answer to a hello, and the first byte of the answer, which is 0 if the client is taken.
const ANSWER: usize = 7 + 1;

/// What an attacker has done.
#[derive(Debug, Default)]
pub struct Harm {
    /// The streams that it has begun.
    pub streams: u64,
    /// Its thread's processor time, where the system tells it.
    pub busy: Option<Duration>,
}

/// The processor time of this thread, as Linux tells it.
fn busy() -> Option<Duration> {
    let times = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    times.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// An attack, from a thread of its own.
pub struct Attack {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<io::Result<Harm>>>,
}

impl Attack {
    /// Begins one, if there is to be one. Returns when the first stream was sent.
    pub fn begin<N: Net>(game: &Rpc, address: &str) -> io::Result<Self> {
        let over = Arc::new(AtomicBool::new(false));
        if game.attacked == 0 {
            return Ok(Attack { over, thread: None });
        }
        let (begun, first) = mpsc::sync_channel(1);
        let (rate, address, ends) = (game.attacked, address.to_owned(), over.clone());
        // If the one that waits is gone, so is the program.
        let begun = move || begun.send(()).unwrap_or_default();
        let thread = thread::spawn(move || {
            let streams = play(strikes::<N>(rate, &address, &ends, begun))?;
            Ok(Harm { streams, busy: busy() })
        });
        let attack = Attack { over, thread: Some(thread) };
        if first.recv().is_err() {
            attack.end(game)?;
            return Err(failed("the attack has not begun"));
        }
        Ok(attack)
    }

    /// Ends it, and tells the program how many streams there were.
    pub fn end(self, game: &Rpc) -> io::Result<()> {
        // ORDERING: nothing is read because of this.
        self.over.store(true, Ordering::Relaxed);
        let Some(thread) = self.thread else { return Ok(()) };
        *game.harm() = thread.join().map_err(|_| failed("the attacker has panicked"))??;
        Ok(())
    }
}

/// Sends hostile streams, at most this many a second, until it is over. `begun` is called after the first.
async fn strikes<N: Net>(
    rate: u64,
    address: &str,
    over: &AtomicBool,
    begun: impl FnOnce(),
) -> io::Result<u64> {
    let dialer = Arc::new(N::dialer(address)?);
    let (hello, mut random, mut under_way) = (hello()?, Random(1), JoinSet::new());
    first::<N>(&dialer, &hello, &mut random).await?;
    begun();
    let (mut streams, batch) = (1, rate.div_ceil(TICKS));
    let mut ticks = interval(Duration::from_secs_f64(batch as f64 / rate as f64));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // ORDERING: nothing is read because of this.
    while !over.load(Ordering::Relaxed) {
        ticks.tick().await;
        for _ in 0..batch {
            if under_way.len() == MOST {
                let _ = under_way.join_next().await;
            }
            let (dialer, mut bytes) = (dialer.clone(), hello.clone());
            random.poison(&mut bytes);
            under_way.spawn(async move { strike::<N>(&dialer, &bytes).await });
            streams += 1;
        }
        while under_way.try_join_next().is_some() {}
    }
    Ok(streams)
}

/// The first stream, of which it is known that the server takes it for a client.
async fn first<N: Net>(dialer: &N::Dialer, hello: &[u8], random: &mut Random) -> io::Result<()> {
    let mut stream = N::dial(dialer).await?;
    stream.write_all(hello).await?;
    stream.flush().await?;
    let mut answer = [0; ANSWER];
    stream.read_exact(&mut answer).await?;
    if answer[ANSWER - 1] != 0 {
        return Err(failed("the server does not take the attacker for a client"));
    }
    let mut bytes = Vec::new();
    random.poison(&mut bytes);
    stream.write_all(&bytes).await?;
    stream.flush().await
}

/// One stream: all at once, and then nothing. The server may close it before.
async fn strike<N: Net>(dialer: &N::Dialer, bytes: &[u8]) -> io::Result<()> {
    let mut stream = N::dial(dialer).await?;
    if stream.write_all(bytes).await.is_ok() && stream.shutdown().await.is_ok() {
        linger(&mut stream).await;
    }
    Ok(())
}

/// What a client of the protocol says first.
fn hello() -> io::Result<Vec<u8>> {
    let (limit, heartbeat) = (1u32 << 20, Duration::from_secs(5));
    let spoken = (<Protocol as Remote>::NAME, <Protocol as Remote>::HASH, <Protocol as Remote>::VERSION);
    let body = postcard::to_stdvec(&("postcard 1", spoken, limit, heartbeat)).map_err(failed)?;
    let mut bytes = b"pipe\x01".to_vec();
    bytes.extend_from_slice(&(body.len() as u16).to_be_bytes());
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

/// Numbers that look random, the same in each run: George Marsaglia, Xorshift RNGs (2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Appends random bytes, or the beginning of a message that claims to be longer than any may be, or as
    /// long as one may be.
    fn poison(&mut self, bytes: &mut Vec<u8>) {
        match self.next() % 4 {
            0 => bytes.extend_from_slice(&[0xff, 0xff, 0xff, 0xff, 8, 0]),
            1 => bytes.extend_from_slice(&[0, 0x0f, 0xff, 0xff, 8, 0]),
            _ => bytes.extend((0..NOISE).map(|_| self.next() as u8)),
        }
    }
}
