//! The handshake.
//!
//! ```text
//! hello  := "pipe" wire-version: u8    length: u16    Hello
//! answer := "pipe" wire-version: u8    length: u16    Answer
//! ```
//!
//! [`Hello`] and [`Answer`] are written with postcard, whatever codec the session has; the length is
//! big-endian. The side that connects writes first.
//!
//! # Layers
//!
//! Uses `inbox` and `settings`; used by `pump`, `dial`, `site` and the errors.

use crate::inbox::Inbox;
use crate::settings::Terms;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::future::poll_fn;
use std::io;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

const MAGIC: [u8; 4] = *b"pipe";
/// The version of the wire format: of the handshake and the frames.
const WIRE: u8 = 1;
/// The most bytes of a hello or an answer.
const LIMIT: u16 = 1024;

/// The bytes in front of a hello or an answer.
const HEAD: usize = MAGIC.len() + 3;
const UNREADABLE: &str = "its handshake cannot be read";

/// What two programs compare to see whether they speak the same protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spoken {
    /// The protocol's name.
    pub name: String,
    /// Its hash; see [`Remote::HASH`](pipes::remote::Remote::HASH).
    pub hash: u128,
    /// Its version, a number that its author raises.
    pub version: u32,
}

/// What the side that connects wants.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Hello {
    pub(crate) codec: String,
    pub(crate) protocol: Spoken,
    pub(crate) terms: Terms,
}

/// What the side that listens answers.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Answer {
    Taken(Terms),
    Refused(Refusal),
}

/// Why a session was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Refusal {
    /// Both programs have a protocol of this name, but the protocols differ.
    Differs {
        /// The protocol of the program that connects.
        theirs: Box<Spoken>,
        /// The protocol of the program that listens.
        ours: Box<Spoken>,
    },
    /// The programs have different codecs.
    Codec {
        /// The codec of the program that listens.
        ours: String,
    },
    /// No listener has a protocol of this name.
    UnknownProtocol,
    /// The listener of this protocol was dropped.
    NobodyListens,
    /// Too many clients wait to be accepted.
    Busy,
    /// This peer has as many sessions there as one peer may have; see
    /// [`Via::sessions`](crate::Via::sessions).
    Sessions {
        /// The limit.
        most: usize,
    },
    /// The filter of the program that listens does not admit this peer; see
    /// [`Via::admit`](crate::Via::admit).
    NotAdmitted,
    /// The program that listens does not trust the certificate of the program that connects, or asks for one.
    ///
    /// TLS and QUIC say so in their own handshake, so this is never in an answer.
    #[serde(skip)]
    Untrusted,
}

/// Returns the bytes of a hello or an answer.
pub(crate) fn bytes(what: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&[WIRE, 0, 0]);
    let begin = out.len();
    let mut out = postcard::to_extend(what, out).map_err(io::Error::other)?;
    let length = u16::try_from(out.len() - begin).ok().filter(|length| *length <= LIMIT);
    let length = length.ok_or_else(|| io::Error::other("the protocol's name is too long"))?;
    out[begin - 2..begin].copy_from_slice(&length.to_be_bytes());
    Ok(out)
}

/// Writes a hello or an answer.
pub(crate) async fn write<S: AsyncWrite + Unpin>(stream: &mut S, what: &impl Serialize) -> io::Result<()> {
    stream.write_all(&bytes(what)?).await?;
    stream.flush().await
}

/// Reads a hello or an answer. Bytes after it stay in the inbox.
pub(crate) async fn read<S, T>(stream: &mut S, inbox: &mut Inbox) -> io::Result<T>
where
    S: AsyncRead + Unpin,
    T: for<'a> Deserialize<'a>,
{
    poll_fn(|cx| poll_read(stream, inbox, cx)).await
}

/// Polls for a hello or an answer; see [`read`]. Everything that was read stays in the inbox, so the caller
/// can do other things between two polls.
pub(crate) fn poll_read<S, T>(stream: &mut S, inbox: &mut Inbox, cx: &mut Context<'_>) -> Poll<io::Result<T>>
where
    S: AsyncRead + Unpin,
    T: for<'a> Deserialize<'a>,
{
    loop {
        if let Some(length) = length(inbox.bytes())? {
            let what = postcard::take_from_bytes(&inbox.bytes()[HEAD..length]);
            let (what, []) = what.map_err(|_| invalid(UNREADABLE))? else {
                return Poll::Ready(Err(invalid(UNREADABLE)));
            };
            inbox.skip(length);
            return Poll::Ready(Ok(what));
        }
        if ready!(inbox.poll_fill(stream, cx))? == 0 {
            let error = io::Error::new(io::ErrorKind::UnexpectedEof, "it ended in the handshake");
            return Poll::Ready(Err(error));
        }
    }
}

/// Returns the length of the hello or answer at the beginning of these bytes, if it is complete.
fn length(bytes: &[u8]) -> io::Result<Option<usize>> {
    if bytes.iter().zip(MAGIC).any(|(byte, expected)| *byte != expected) {
        return Err(invalid("this is not the handshake of `pipes`"));
    }
    let Some([_, _, _, _, wire, high, low]) = bytes.first_chunk::<HEAD>() else { return Ok(None) };
    if *wire != WIRE {
        return Err(invalid(&format!("its handshake has the version {wire}, and this program's {WIRE}")));
    }
    let length = u16::from_be_bytes([*high, *low]);
    if length > LIMIT {
        return Err(invalid("its handshake is too long"));
    }
    let length = HEAD + usize::from(length);
    Ok((bytes.len() >= length).then_some(length))
}

fn invalid(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

impl fmt::Display for Spoken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`, version {}, hash {:032x}", self.name, self.version, self.hash)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Differs { theirs, ours } => {
                write!(f, "the programs differ in the protocol: {theirs} connects to {ours}")
            }
            Refusal::Codec { ours } => write!(f, "it has another codec, `{ours}`"),
            Refusal::UnknownProtocol => f.write_str("it has no protocol of this name"),
            Refusal::NobodyListens => f.write_str("its listener was dropped"),
            Refusal::Busy => f.write_str("too many clients wait there"),
            Refusal::Sessions { most } => {
                write!(f, "this peer has {most} sessions there, which is its limit")
            }
            Refusal::NotAdmitted => f.write_str("this peer is not admitted"),
            Refusal::Untrusted => f.write_str(
                "it does not trust the certificate of this program, or this program has shown none",
            ),
        }
    }
}
