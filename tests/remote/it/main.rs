//! Protocols between programs, seen from outside.

mod basics;
mod cuts;
mod encoding;
mod silence;
mod streams;
mod window;
