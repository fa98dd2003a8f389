//! A connection inside of one program that can be cut, chunked, silenced and blocked, in virtual time.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Instant;

/// The side that connects writes to this line.
pub const UP: usize = 0;
/// The side that listens writes to this line.
pub const DOWN: usize = 1;

/// What happens to a connection at a certain byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Both lines end. What is under way arrives.
    Ends,
    /// The line ends; the other one stands.
    HalfEnds,
    /// Both lines are reset: what is under way is lost.
    Resets,
    /// The line swallows everything from then on, and its end; the other one stands.
    Silence,
    /// Both lines swallow everything, and their ends.
    Dead,
    /// Both lines fail, as an engine says after a silence. Ordinary connections do not do that.
    TimesOut,
}

impl Cut {
    /// All that happen to ordinary connections.
    pub const ALL: [Cut; 5] = [Cut::Ends, Cut::HalfEnds, Cut::Resets, Cut::Silence, Cut::Dead];
}

/// What a connection does.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The most bytes of a read or a write.
    pub piece: usize,
    /// The most bytes under way in each line.
    pub room: usize,
    /// The line, the byte after which it is cut, and how.
    pub cut: Option<(usize, u64, Cut)>,
    /// A shutdown never comes to its end.
    pub holds_shutdown: bool,
    /// What was read is kept, and the connection.
    pub keeps_history: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Plan { piece: usize::MAX, room: 64 << 10, cut: None, holds_shutdown: false, keeps_history: true }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Open,
    Ended,
    Reset(ErrorKind),
    Silent,
}

#[derive(Debug)]
struct Line {
    bytes: VecDeque<u8>,
    flow: Flow,
    /// Nothing is taken from the writer.
    is_blocked: bool,
    /// Each write is an error.
    refuses: bool,
    passed: u64,
    /// All that was read.
    history: Vec<u8>,
    heard: Option<Instant>,
    reader: Option<Waker>,
    writer: Option<Waker>,
    /// When the writer's end was dropped.
    dropped: Option<Instant>,
}

#[derive(Debug)]
struct Inner {
    plan: Plan,
    lines: [Line; 2],
}

/// A view of a connection, for its test.
#[derive(Clone, Debug)]
pub struct Cable(Arc<Mutex<Inner>>);

/// One end of a connection.
#[derive(Debug)]
pub struct Wire {
    cable: Cable,
    /// The line that it writes to.
    own: usize,
}

impl Cable {
    /// A connection: its view, the end that connects, and the end that listens.
    pub fn new(plan: Plan) -> (Cable, Wire, Wire) {
        let line = || Line {
            bytes: VecDeque::new(),
            flow: Flow::Open,
            is_blocked: false,
            refuses: false,
            passed: 0,
            history: Vec::new(),
            heard: None,
            reader: None,
            writer: None,
            dropped: None,
        };
        let mut inner = Inner { plan, lines: [line(), line()] };
        inner.cut_if_due(UP);
        inner.cut_if_due(DOWN);
        let cable = Cable(Arc::new(Mutex::new(inner)));
        let ends = [UP, DOWN].map(|own| Wire { cable: cable.clone(), own });
        let [ours, theirs] = ends;
        (cable, ours, theirs)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that was read from the line.
    pub fn history(&self, line: usize) -> Vec<u8> {
        self.inner().lines[line].history.clone()
    }

    /// How many bytes of the line have passed.
    pub fn passed(&self, line: usize) -> u64 {
        self.inner().lines[line].passed
    }

    /// How many bytes were read from the line.
    pub fn read(&self, line: usize) -> usize {
        self.inner().lines[line].history.len()
    }

    /// When something was read from the line last.
    pub fn heard(&self, line: usize) -> Option<Instant> {
        self.inner().lines[line].heard
    }

    /// When the end that writes to the line was dropped.
    pub fn dropped(&self, line: usize) -> Option<Instant> {
        self.inner().lines[line].dropped
    }

    /// The line takes nothing from now on, or does so again.
    pub fn block(&self, line: usize, is_blocked: bool) {
        let mut inner = self.inner();
        inner.lines[line].is_blocked = is_blocked;
        inner.wake();
    }

    /// Each write to the line is an error from now on.
    pub fn refuse_writes(&self, line: usize) {
        let mut inner = self.inner();
        inner.lines[line].refuses = true;
        inner.wake();
    }

    /// Cuts the connection now.
    pub fn cut(&self, line: usize, how: Cut) {
        let mut inner = self.inner();
        inner.cut(line, how);
    }
}

impl Inner {
    fn cut_if_due(&mut self, line: usize) {
        if let Some((of, at, how)) = self.plan.cut
            && of == line
            && self.lines[line].passed == at
        {
            self.cut(line, how);
        }
    }

    fn cut(&mut self, line: usize, how: Cut) {
        let (flow, both) = match how {
            Cut::Ends => (Flow::Ended, true),
            Cut::HalfEnds => (Flow::Ended, false),
            Cut::Resets => (Flow::Reset(ErrorKind::ConnectionReset), true),
            Cut::TimesOut => (Flow::Reset(ErrorKind::TimedOut), true),
            Cut::Silence => (Flow::Silent, false),
            Cut::Dead => (Flow::Silent, true),
        };
        for (at, line_) in self.lines.iter_mut().enumerate() {
            if both || at == line {
                line_.flow = flow;
                if matches!(flow, Flow::Reset(_)) {
                    line_.bytes.clear();
                }
            }
        }
        self.wake();
    }

    fn end(&mut self, line: usize) {
        if self.lines[line].flow == Flow::Open {
            self.lines[line].flow = Flow::Ended;
        }
        self.wake();
    }

    fn wake(&mut self) {
        for line in &mut self.lines {
            line.reader.take().into_iter().chain(line.writer.take()).for_each(Waker::wake);
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut inner = self.cable.inner();
        let Plan { piece, keeps_history, .. } = inner.plan;
        let line = &mut inner.lines[1 - self.own];
        let bytes = line.bytes.len().min(piece).min(buffer.remaining());
        if bytes > 0 {
            let read: Vec<u8> = line.bytes.drain(..bytes).collect();
            buffer.put_slice(&read);
            if keeps_history {
                line.history.extend_from_slice(&read);
            }
            line.heard = Some(Instant::now());
            line.writer.take().into_iter().for_each(Waker::wake);
            return Poll::Ready(Ok(()));
        }
        match line.flow {
            Flow::Ended => Poll::Ready(Ok(())),
            Flow::Reset(kind) => Poll::Ready(Err(kind.into())),
            Flow::Open | Flow::Silent => {
                line.reader = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let mut inner = self.cable.inner();
        let Plan { piece, room, cut, .. } = inner.plan;
        let reader_is_gone = inner.lines[1 - self.own].dropped.is_some();
        let line = &mut inner.lines[self.own];
        match line.flow {
            _ if line.refuses => return Poll::Ready(Err(ErrorKind::BrokenPipe.into())),
            Flow::Ended => return Poll::Ready(Err(ErrorKind::BrokenPipe.into())),
            Flow::Reset(kind) => return Poll::Ready(Err(kind.into())),
            Flow::Silent => return Poll::Ready(Ok(bytes.len().min(piece))),
            Flow::Open if reader_is_gone => return Poll::Ready(Err(ErrorKind::BrokenPipe.into())),
            Flow::Open => {}
        }
        let free = if line.is_blocked { 0 } else { room.saturating_sub(line.bytes.len()) };
        if free == 0 {
            line.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let until_cut = match cut {
            Some((of, at, _)) if of == self.own => at.saturating_sub(line.passed) as usize,
            _ => usize::MAX,
        };
        let taken = bytes.len().min(piece).min(free).min(if until_cut == 0 { usize::MAX } else { until_cut });
        line.bytes.extend(&bytes[..taken]);
        line.passed += taken as u64;
        line.reader.take().into_iter().for_each(Waker::wake);
        inner.cut_if_due(self.own);
        Poll::Ready(Ok(taken))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut inner = self.cable.inner();
        if inner.plan.holds_shutdown {
            return Poll::Pending;
        }
        inner.end(self.own);
        Poll::Ready(Ok(()))
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        // Outside of a runtime, as when that is shut down, there is no virtual time.
        let now = Instant::now();
        let mut inner = self.cable.inner();
        inner.lines[self.own].dropped = Some(now);
        inner.end(self.own);
    }
}
