//! Protocols between programs, seen from outside.

mod basics;
