//! The C twin: a separate program, which times its passes itself.
//!
//! It creates the same data and makes one untimed pass, because all other contenders find the data in the
//! caches. Then it makes `--passes` timed passes. It prints a line with the seconds and the total, followed
//! by the bytes of its result, which are verified like those of the others. It times the same as the harness
//! does: the passes, including starting threads.

use std::io;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Kernel, Ran, Setting};

const NO_COMPILER: &str = "there was no C compiler when this was built";

/// A kernel that has a twin.
pub trait Twin: Kernel {
    /// The twin's executable, if there was a compiler.
    const FILE: Option<&'static str>;

    /// The argument that says how large the data are.
    fn size(&self) -> u64;

    /// Replaces the result in `data` by the bytes that the twin has written.
    fn take(data: &mut Self::Data, bytes: &[u8]) -> Option<()>;
}

/// The reason why the twin is left out, if it is.
pub fn missing<K: Twin>(_: &K) -> Option<&'static str> {
    K::FILE.is_none().then_some(NO_COMPILER)
}

/// Runs the twin in one thread.
pub fn c<K: Twin>(kernel: &K, at: &Setting<K::Data>) -> io::Result<Ran> {
    passes(kernel, at, 1, &[])
}

/// Runs the twin with as many threads as there are workers, started for each pass.
pub fn pthreads<K: Twin>(kernel: &K, at: &Setting<K::Data>) -> io::Result<Ran> {
    passes(kernel, at, kernel.scale().workers(), &[])
}

/// Runs the twin with these arguments after its size, threads and passes.
pub fn passes<K: Twin>(kernel: &K, at: &Setting<K::Data>, threads: usize, words: &[&str]) -> io::Result<Ran> {
    let file = K::FILE.ok_or_else(|| io::Error::other(NO_COMPILER))?;
    let numbers = [kernel.size(), threads as u64, kernel.scale().passes()].map(|number| number.to_string());
    let output = Command::new(file).args(numbers).args(words).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| io::Error::new(error.kind(), format!("{file}: {error}")))?;
    if !output.status.success() {
        return Err(io::Error::other(format!("{file} ended with {}", output.status)));
    }
    understood::<K>(at, &output.stdout).ok_or_else(|| io::Error::other(format!("{file} printed no result")))
}

/// Parses a line with the seconds and the total, followed by the bytes written.
fn understood<K: Twin>(at: &Setting<K::Data>, output: &[u8]) -> Option<Ran> {
    let end = output.iter().position(|byte| *byte == b'\n')?;
    let (seconds, total) = str::from_utf8(&output[..end]).ok()?.split_once(' ')?;
    let own_time = Some(Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?);
    K::take(&mut at.data(), &output[end + 1..])?;
    Some(Ran { total: total.parse().ok()?, own_time })
}
