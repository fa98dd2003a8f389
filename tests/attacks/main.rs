//! Attacks on the library through its public interface, kept from two reviews: one looked for memory errors, one for hangs.
//!
//! Each file is one idea of what could break, with programs that try it. What these programs found is mended. They also run under the
//! thread and the address sanitizer and with 32 bits, and the short ones under Miri.
#![forbid(unsafe_code)]

mod hangs;
mod memory;
