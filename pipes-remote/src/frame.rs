//! Frames: what is sent after the handshake.
//!
//! ```text
//! frame := length: u32, big-endian    code: varint    payload
//! code  := 0 LEAVE | 1 BYE | 2 FAULT reason | 3 BEAT | 8 + tag: a message
//! ```
//!
//! The length counts the code and the payload. A varint has seven bits a byte, the lowest first; all bytes
//! but the last have the highest bit.
//!
//! # Layers
//!
//! Uses nothing of the crate; used by `pump`.

use pipes::remote::Fault;

/// The user has dropped its endpoint. The other side answers BYE.
pub(crate) const LEAVE: u32 = 0;
/// All that was sent before a LEAVE or a last message has arrived.
pub(crate) const BYE: u32 = 1;
/// What was sent is not a message of the protocol. The payload is a text that says why.
pub(crate) const FAULT: u32 = 2;
/// A heartbeat.
pub(crate) const BEAT: u32 = 3;
/// The code of a state's first message.
const FIRST_MESSAGE: u32 = 8;

/// The bytes of a length.
pub(crate) const LENGTH: usize = 4;
/// The bytes in front of a payload whose code is small.
const HEAD: usize = LENGTH + 1;

/// What a frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Leave,
    Bye,
    Fault,
    Beat,
    Message { tag: u32 },
}

impl Kind {
    fn of(code: u32) -> Result<Self, Fault> {
        match code {
            LEAVE => Ok(Kind::Leave),
            BYE => Ok(Kind::Bye),
            FAULT => Ok(Kind::Fault),
            BEAT => Ok(Kind::Beat),
            _ if code >= FIRST_MESSAGE => Ok(Kind::Message { tag: code - FIRST_MESSAGE }),
            _ => Err(Fault::Unexpected { code }),
        }
    }

    pub(crate) fn code(self) -> u32 {
        match self {
            Kind::Leave => LEAVE,
            Kind::Bye => BYE,
            Kind::Fault => FAULT,
            Kind::Beat => BEAT,
            Kind::Message { tag } => tag.saturating_add(FIRST_MESSAGE),
        }
    }
}

/// Begins a frame at the end of `out`. Returns its position, for [`finish`], which fills in its code and
/// length.
pub(crate) fn begin(out: &mut Vec<u8>) -> usize {
    let at = out.len();
    out.extend_from_slice(&[0; HEAD]);
    at
}

/// Fills in the code and the length of the frame at `at`.
///
/// # Errors
///
/// Returns `TooLong` if the frame is longer than the limit. The frame is then removed.
pub(crate) fn finish(out: &mut Vec<u8>, at: usize, kind: Kind, limit: usize) -> Result<(), Fault> {
    let mut code = [0; 5];
    let bytes = write_varint(kind.code(), &mut code);
    if bytes == 1 {
        out[at + LENGTH] = code[0];
    } else {
        // Only a state with more than a hundred messages gets here.
        out.splice(at + LENGTH..at + HEAD, code[..bytes].iter().copied());
    }
    let length = out.len() - at - LENGTH;
    match u32::try_from(length) {
        Ok(number) if length <= limit => {
            out[at..at + LENGTH].copy_from_slice(&number.to_be_bytes());
            Ok(())
        }
        _ => {
            out.truncate(at);
            Err(Fault::TooLong { length, limit })
        }
    }
}

/// Returns the length of the first frame of these bytes, without the bytes of the length itself. Returns
/// `None` if the length is not complete yet.
pub(crate) fn length(bytes: &[u8], limit: usize) -> Result<Option<usize>, Fault> {
    let Some(length) = bytes.first_chunk::<LENGTH>() else { return Ok(None) };
    match u32::from_be_bytes(*length) as usize {
        0 => Err(Fault::Empty),
        length if length > limit => Err(Fault::TooLong { length, limit }),
        length => Ok(Some(length)),
    }
}

/// Parses a frame without its length. Returns its kind, and where its payload begins.
pub(crate) fn read(frame: &[u8]) -> Result<(Kind, usize), Fault> {
    let (code, bytes) = read_varint(frame)?;
    Ok((Kind::of(code)?, bytes))
}

fn write_varint(mut number: u32, out: &mut [u8; 5]) -> usize {
    let mut bytes = 0;
    while number >= 0x80 {
        out[bytes] = number as u8 | 0x80;
        number >>= 7;
        bytes += 1;
    }
    out[bytes] = number as u8;
    bytes + 1
}

/// Reads a number, and returns it with the number of its bytes. A number that is written with more bytes than
/// it needs is an error.
fn read_varint(bytes: &[u8]) -> Result<(u32, usize), Fault> {
    let mut number: u64 = 0;
    for (at, byte) in bytes.iter().take(5).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            let is_short = at == 0 || *byte != 0;
            let number = u32::try_from(number).ok().filter(|_| is_short);
            return number.map(|number| (number, at + 1)).ok_or(Fault::Unexpected { code: u32::MAX });
        }
    }
    Err(Fault::Unexpected { code: u32::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_read_as_it_was_written() {
        let tags = [0, 1, 119, 120, 121, 16_000, 16_384, u32::MAX - FIRST_MESSAGE];
        let messages = tags.map(|tag| Kind::Message { tag });
        for kind in [Kind::Leave, Kind::Bye, Kind::Fault, Kind::Beat].into_iter().chain(messages) {
            let mut out = vec![7; 3];
            let at = begin(&mut out);
            out.extend_from_slice(b"payload");
            finish(&mut out, at, kind, 100).expect("it is short");
            let length = length(&out[3..], 100).expect("it is short").expect("it is there");
            let frame = &out[3 + LENGTH..];
            assert_eq!(frame.len(), length);
            let (read, payload) = read(frame).expect("it is a frame");
            assert_eq!((read, &frame[payload..]), (kind, &b"payload"[..]));
        }
    }

    #[test]
    fn a_frame_above_the_limit_is_neither_written_nor_read() {
        let mut out = vec![7; 3];
        let at = begin(&mut out);
        out.extend_from_slice(&[0; 10]);
        let fault = Fault::TooLong { length: 11, limit: 10 };
        assert_eq!(finish(&mut out, at, Kind::Beat, 10), Err(fault.clone()));
        assert_eq!(out, [7; 3]);
        assert_eq!(length(&[0, 0, 0, 11], 10), Err(fault));
        assert_eq!(length(&[0, 0, 0, 0], 10), Err(Fault::Empty));
        assert_eq!(length(&[0, 0, 0], 10), Ok(None));
    }

    #[test]
    fn codes_that_do_not_exist_are_faults() {
        for code in [4, 5, 6, 7] {
            assert_eq!(read(&[code]), Err(Fault::Unexpected { code: code.into() }));
        }
        // Too long for the number, above the greatest number, and unfinished.
        for bytes in [
            &[0x80, 0][..],
            &[0xff, 0xff, 0xff, 0xff, 0x7f],
            &[0x80, 0x80, 0x80, 0x80, 0x80, 1],
            &[0x80],
            &[],
        ] {
            assert_eq!(read(bytes), Err(Fault::Unexpected { code: u32::MAX }), "{bytes:?}");
        }
    }
}
