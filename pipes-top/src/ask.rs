//! Asks processes for their snapshots.

use crate::snapshot::Snapshot;
use std::io::{self, ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a process may take to answer.
const LONGEST: Duration = Duration::from_secs(3);
/// The most bytes of an answer.
const MOST: usize = 1 << 28;

/// What a process has answered.
#[derive(Clone, Debug)]
pub struct Answer {
    pub json: String,
    pub snapshot: Snapshot,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// `true` if no process listens there.
    pub is_gone: bool,
    /// A sentence without its end.
    pub why: String,
}

impl Failure {
    fn other(why: impl Into<String>) -> Self {
        Failure { is_gone: false, why: why.into() }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let (is_gone, why) = match error.kind() {
            ErrorKind::NotFound => (true, "there is no such socket".to_owned()),
            ErrorKind::ConnectionRefused => (true, "no process listens there".to_owned()),
            ErrorKind::PermissionDenied => (false, "only its user may ask it".to_owned()),
            ErrorKind::WouldBlock | ErrorKind::TimedOut => (false, "it does not answer".to_owned()),
            ErrorKind::InvalidData => (false, "the answer is not a snapshot: it is not UTF-8".to_owned()),
            _ => (false, error.to_string()),
        };
        Failure { is_gone, why }
    }
}

/// Asks the process that serves at this path.
///
/// While a process is stopped and has a full queue of connections, this blocks.
pub fn ask(path: &Path) -> Result<Answer, Failure> {
    let deadline = Instant::now() + LONGEST;
    let mut stream = UnixStream::connect(path)?;
    let (mut bytes, mut buffer) = (Vec::new(), [0; 1 << 14]);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::Error::from(ErrorKind::TimedOut).into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) if bytes.len() + count > MOST => return Err(Failure::other("its answer is too long")),
            Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    let text = String::from_utf8(bytes).map_err(|_| io::Error::from(ErrorKind::InvalidData))?;
    let Some(json) = text.strip_suffix('\n') else {
        return Err(Failure::other(if text.is_empty() {
            "it has closed the connection without an answer"
        } else {
            "its answer has no end"
        }));
    };
    let snapshot = Snapshot::read(json).map_err(Failure::other)?;
    Ok(Answer { json: json.to_owned(), snapshot })
}

/// Asks all processes at once.
pub fn ask_all(paths: &[PathBuf]) -> Vec<Result<Answer, Failure>> {
    let (answered, answers) = channel();
    for (index, path) in paths.iter().cloned().enumerate() {
        let answered = answered.clone();
        // Not joined, because it may block.
        thread::spawn(move || answered.send((index, ask(&path))));
    }
    drop(answered);
    let mut all: Vec<_> = paths.iter().map(|_| Err(Failure::other("it does not answer"))).collect();
    let deadline = Instant::now() + LONGEST + Duration::from_secs(1);
    while let Ok((index, answer)) = answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        all[index] = answer;
    }
    all
}

/// Asks all processes again and again, with this pause after each answer, until the receiver is dropped. An
/// answer comes with the place of its process.
pub fn keep_asking(paths: &[PathBuf], pause: Duration) -> Receiver<(usize, Result<Answer, Failure>)> {
    let (answered, answers) = channel();
    for (index, path) in paths.iter().cloned().enumerate() {
        let answered = answered.clone();
        thread::spawn(move || {
            while answered.send((index, ask(&path))).is_ok() {
                thread::sleep(pause);
            }
        });
    }
    answers
}
