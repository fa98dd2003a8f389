//! The protocols of the programs, written by hand: what `proto!` generates for them, without the parts that
//! they do not use.
#![allow(unsafe_code, reason = "a protocol by hand promises what the compiler of protocols keeps")]

pub mod pingpong;
pub mod session;
