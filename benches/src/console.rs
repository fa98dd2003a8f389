//! The output of the command, to stdout and to stderr.

use std::io::{self, Write};

use crate::failure::Failure;

/// Writes to stderr. Ignores errors: stderr may be closed.
pub fn note(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Writes to stdout; a reader that closes early, such as `head`, is not an error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::io("the results could not be printed", &error))
        }
        _ => Ok(()),
    }
}
