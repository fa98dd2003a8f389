//! Streams of bytes that may be no session: random ones, those that are nearly right, and sessions
//! with changes.

use pipes_remote_tests::raw::{Hello, append};
use pipes_remote_tests::stranger::parley;
use pipes_tests::Rng;

/// What a client says first.
pub fn handshake() -> Vec<u8> {
    Hello::of::<parley::Protocol>().bytes()
}

fn bytes(random: &mut Rng, most: u64) -> Vec<u8> {
    (0..random.u64(..most)).map(|_| random.u8(..)).collect()
}

/// A frame that may be one of the protocol.
fn likely(random: &mut Rng, out: &mut Vec<u8>) {
    match random.u64(..10) {
        0..3 => append(out, 8, &[random.u8(..128)]),
        3..5 => append(out, 9, &[3, b'a', b'b', b'c']),
        5 => append(out, 10, &[2, 7, 0, 8, 1, 1, b'x']),
        6 => append(out, 11, &[]),
        7 => append(out, 12, &[random.u8(..3)]),
        8 => append(out, random.u32(..20), &bytes(random, 10)),
        _ => append(out, 3, &[]),
    }
}

/// Some bytes of a stream.
pub fn stream(random: &mut Rng) -> Vec<u8> {
    let hello = handshake();
    let mut out = hello.clone();
    match random.u64(..12) {
        0 => return bytes(random, 100),
        1 => {
            // Another hello, or half of it.
            let at = random.usize(..out.len());
            match random.u64(..3) {
                0 => out.truncate(at),
                1 => out[at] = random.u64(..256) as u8,
                _ => out.insert(at, random.u64(..256) as u8),
            }
        }
        2 => out.extend(bytes(random, 200)),
        3 => {
            // A length, and less or more than it says.
            let length = [0, 1, 2, 1 << 20, (1 << 20) + 1, u32::MAX][random.usize(..6)];
            out.extend(length.to_be_bytes());
            out.extend(bytes(random, 50));
        }
        4 => {
            // A list of many items, most of which are missing.
            append(&mut out, 10, &[0xff, 0xff, 0xff, 0xff, random.u64(..16) as u8]);
        }
        5 => (0..random.u64(..20)).for_each(|_| append(&mut out, random.u64(..16) as u32, &bytes(random, 6))),
        6..8 => {
            (0..20).for_each(|_| likely(random, &mut out));
            change(random, &mut out, hello.len());
        }
        kind => {
            (0..random.u64(..20)).for_each(|_| likely(random, &mut out));
            if kind == 8 {
                let at = hello.len() + random.usize(..out.len() - hello.len() + 1);
                match random.u64(..2) {
                    0 => out.truncate(at),
                    _ => out.insert(at, random.u64(..256) as u8),
                }
            }
        }
    }
    out
}

/// Some bytes become others, are missing, or are there twice.
fn change(random: &mut Rng, out: &mut Vec<u8>, handshake: usize) {
    for _ in 0..random.u64(..4) {
        // Most changes are behind the handshake.
        let from = if random.u64(..10) == 0 { 0 } else { handshake.min(out.len()) };
        let at = from + random.usize(..out.len() - from + 1);
        let length = random.usize(..30);
        let some = at..(at + length).min(out.len());
        match random.u64(..5) {
            0 => out.truncate(at),
            1 => out.insert(at, random.u64(..256) as u8),
            2 => drop(out.drain(some)),
            3 => out.extend_from_within(some),
            _ => {
                if let Some(byte) = out.get_mut(at) {
                    *byte ^= 1 << random.u64(..8);
                }
            }
        }
    }
}
