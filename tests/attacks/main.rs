//! Attacks on the library through its public interface, which look for programs that hang.
//!
//! Each file tries one idea of what could break: its first comment says what is attempted, and what must
//! hold. What these programs found is fixed. They also run under the thread sanitizer, under the address
//! sanitizer and on a 32-bit target, and the short ones under Miri.
#![forbid(unsafe_code)]

mod hangs;
