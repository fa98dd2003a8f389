//! Handshakes and frames by hand.

use pipes::remote::Remote;
use serde::Serialize;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The codes of frames.
pub const LEAVE: u32 = 0;
/// Confirms what was sent.
pub const BYE: u32 = 1;
/// Says what is wrong.
pub const FAULT: u32 = 2;
/// A heartbeat.
pub const BEAT: u32 = 3;
/// The code of a state's first message.
pub const MESSAGE: u32 = 8;

/// The bytes in front of a hello or an answer: what it is, and its length.
pub const HEAD: usize = 7;

/// A hello, as a client of this protocol writes it.
#[derive(Clone, Debug, Serialize)]
pub struct Hello {
    /// The codec.
    pub codec: String,
    /// The protocol's name.
    pub name: String,
    /// Its hash.
    pub hash: u128,
    /// Its version.
    pub version: u32,
    /// The most bytes of a message.
    pub limit: u32,
    /// How often it sends a heartbeat.
    pub heartbeat: Duration,
}

impl Hello {
    /// What `connect` would write.
    pub fn of<P: Remote>() -> Self {
        Hello {
            codec: "postcard 1".into(),
            name: P::NAME.into(),
            hash: P::HASH,
            version: P::VERSION,
            limit: 1 << 20,
            heartbeat: Duration::from_secs(5),
        }
    }

    /// Its bytes.
    pub fn bytes(&self) -> Vec<u8> {
        enveloped(1, self)
    }
}

/// The bytes of an answer that takes a client.
pub fn taken() -> Vec<u8> {
    enveloped(1, &(0u32, 1u32 << 20, Duration::from_secs(5)))
}

/// A hello or an answer in its envelope.
pub fn enveloped(wire: u8, what: &impl Serialize) -> Vec<u8> {
    envelope(wire, &postcard::to_stdvec(what).expect("it can be written"))
}

/// The body of a hello or an answer in its envelope.
pub fn envelope(wire: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = b"pipe".to_vec();
    bytes.push(wire);
    bytes.extend_from_slice(&(body.len() as u16).to_be_bytes());
    bytes.extend_from_slice(body);
    bytes
}

/// The bytes of a frame.
pub fn frame(code: u32, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    append(&mut bytes, code, payload);
    bytes
}

/// Appends a frame.
pub fn append(out: &mut Vec<u8>, code: u32, payload: &[u8]) {
    let mut room = [0; 5];
    let code = postcard::to_slice(&code, &mut room).expect("five bytes are enough");
    out.extend_from_slice(&((code.len() + payload.len()) as u32).to_be_bytes());
    out.extend_from_slice(code);
    out.extend_from_slice(payload);
}

/// The codes and payloads of the whole frames behind a handshake.
pub fn frames(bytes: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let Some(length) = bytes.get(5..7) else { return Vec::new() };
    let mut rest = bytes.get(7 + usize::from(length[0]) * 256 + usize::from(length[1])..).unwrap_or_default();
    let mut frames = Vec::new();
    while let Some((length, behind)) = rest.split_first_chunk::<4>()
        && let Some((body, behind)) = behind.split_at_checked(u32::from_be_bytes(*length) as usize)
    {
        let (code, payload) = postcard::take_from_bytes(body).expect("a frame has a code");
        frames.push((code, payload.to_vec()));
        rest = behind;
    }
    frames
}

/// The codes alone.
pub fn codes(bytes: &[u8]) -> Vec<u32> {
    frames(bytes).into_iter().map(|(code, _)| code).collect()
}

/// Reads a hello or an answer, and returns its body.
pub async fn read_envelope(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut head = [0; 7];
    stream.read_exact(&mut head).await?;
    assert_eq!(&head[..5], b"pipe\x01");
    let mut body = vec![0; usize::from(u16::from_be_bytes([head[5], head[6]]))];
    stream.read_exact(&mut body).await?;
    Ok(body)
}

/// Reads a frame: its code and its payload.
pub async fn read_frame(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<(u32, Vec<u8>)> {
    let length = stream.read_u32().await?;
    let mut body = vec![0; length as usize];
    stream.read_exact(&mut body).await?;
    let (code, payload) = postcard::take_from_bytes(&body).expect("a frame has a code");
    Ok((code, payload.to_vec()))
}

/// Connects by hand, as a client that says this, and is taken.
pub async fn say_hello(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), hello: &Hello) {
    stream.write_all(&hello.bytes()).await.expect("the link stands");
    let answer = read_envelope(stream).await.expect("it answers");
    assert_eq!(answer[0], 0, "it takes the client");
}
