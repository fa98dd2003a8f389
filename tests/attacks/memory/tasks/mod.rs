//! Tasks that receive from ports, oneshots, sets, groups, selections, duplex streams and eventuals, on an
//! executor that polls them in any order and drops them at any moment, while senders come and go. In each run
//! at most one call of the user's code panics: a wake, or the destructor of a waker, of a message, or of a
//! key. Each message must be dropped at most once, and exactly once if nothing has panicked. A task that has
//! something to receive, and in which nothing has panicked, must be woken.

mod check;
mod jobs;

use self::jobs::{
    BLOWN, Bell, Duel, FUSE, Key, Line, Made, Message, OVER, Sender, Task, from_all, from_duplex,
    from_eventual, from_group, from_one, from_port, from_set, to_port,
};
use pipes::{
    Chan, Closing, Port, PortOne, PortSet, duplex_stream, oneshot, shared_stream, stream, sync_stream,
};
use pipes_tests::{Random, caught, effort, watched};
use std::cell::Cell;
use std::future::Future;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::{Context, Waker};

#[derive(Default)]
struct Program {
    duels: Vec<Duel>,
    lines: Vec<Line>,
    senders: Vec<(usize, Sender)>,
    tasks: Vec<Task>,
    messages: Vec<Rc<Cell<u32>>>,
    /// Senders that watch for the close: a chan of a line on which nothing is sent, and the line's only task.
    watchers: Vec<(Chan<Message>, Option<Arc<AtomicBool>>, usize)>,
}

impl Program {
    fn message(&mut self) -> Message {
        let count = Rc::new(Cell::new(0));
        self.messages.push(count.clone());
        Message(count)
    }

    fn line(&mut self, sender: Sender) -> usize {
        self.lines.push(Line { senders: 1, ..Line::default() });
        self.senders.push((self.lines.len() - 1, sender));
        self.lines.len() - 1
    }

    fn port(&mut self, random: &mut Random) -> (usize, Port<Message>) {
        match random.below(5) {
            0 => {
                let (chan, port) = stream();
                (self.line(Sender::Chan(chan)), port)
            }
            1 => {
                let (chan, port) = shared_stream();
                let line = self.line(Sender::Shared(chan.clone()));
                self.senders.push((line, Sender::Shared(chan)));
                self.lines[line].senders += 1;
                (line, port)
            }
            capacity => {
                let (chan, port) = sync_stream(capacity as usize - 2);
                (self.line(Sender::Chan(chan)), port)
            }
        }
    }

    fn one(&mut self) -> (usize, PortOne<Message>) {
        let (chan, port) = oneshot();
        (self.line(Sender::One(chan)), port)
    }

    fn set(&mut self, random: &mut Random) -> (Vec<usize>, PortSet<Port<Message>, Key>) {
        let members: Vec<_> = (0..1 + random.below(3)).map(|_| self.port(random)).collect();
        let lines = members.iter().map(|(line, _)| *line).collect();
        let mut set = PortSet::new();
        for (line, port) in members {
            drop(set.insert_at(Key(line), port));
        }
        (lines, set)
    }

    fn task(&mut self, kind: &'static str, lines: Vec<usize>, job: impl Future<Output = ()> + 'static) {
        self.tasks.push(Task { job: Some(Box::pin(job)), rung: None, lines, kind });
    }

    fn begin(&mut self, random: &mut Random) {
        match random.below(9) {
            0 => {
                let (line, port) = self.port(random);
                self.task("port", vec![line], from_port(port));
            }
            1 => {
                let (line, port) = self.one();
                self.task("one", vec![line], from_one(port));
            }
            2 => {
                let (line, port) = self.one();
                self.task("eventual", vec![line], from_eventual(port.into()));
            }
            3 => {
                let (line, port) = self.port(random);
                self.lines[line].is_group = true;
                let group = port.into_shared();
                for _ in 0..1 + random.below(3) {
                    self.task("group", vec![line], from_group(group.clone()));
                }
            }
            4 => {
                let (left, right) = duplex_stream();
                let line = self.line(Sender::Duplex(left));
                self.task("duplex", vec![line], from_duplex(right));
            }
            5 => {
                let (lines, set) = self.set(random);
                self.task("set", lines, from_set(set));
            }
            6 => {
                let (mut lines, set) = self.set(random);
                let (port, one) = (self.port(random), self.one());
                lines.extend([port.0, one.0]);
                self.task("all", lines, from_all(set, port, one));
            }
            7 => {
                let (room, made) = (random.below(3) as usize, Made::default());
                let (chan, port) = sync_stream(room);
                self.task("room", Vec::new(), to_port(chan, made.clone()));
                self.task("port of room", Vec::new(), from_port(port));
                let last = self.tasks.len() - 1;
                self.duels.push(Duel { room, made, sends: last - 1, receives: last });
            }
            _ => {
                let (chan, port) = if random.below(2) == 0 { stream() } else { sync_stream(1) };
                self.lines.push(Line { senders: 1, ..Line::default() });
                self.task("port", vec![self.lines.len() - 1], from_port(port));
                self.watchers.push((chan, None, self.tasks.len() - 1));
            }
        }
    }

    fn send(&mut self, which: usize) {
        let message = self.message();
        let count = message.0.clone();
        let (line, sender) = &mut self.senders[which];
        let mut sent = false;
        let mut is_over = false;
        let went = caught(|| match sender {
            Sender::Chan(chan) => sent = chan.try_send(message).is_ok(),
            Sender::Shared(chan) => sent = chan.send(message).is_ok(),
            Sender::Duplex(duplex) => {
                sent = duplex.send(message).is_ok();
                drop(duplex.try_recv());
            }
            Sender::One(_) => is_over = true,
        });
        let line = *line;
        if sent && went.is_none() {
            self.lines[line].sent.push(count);
        }
        if is_over {
            let message = self.message();
            let count = message.0.clone();
            let (_, Sender::One(one)) = self.senders.swap_remove(which) else { unreachable!() };
            // It has sent or is dropped: the receiver finds either.
            self.lines[line].senders -= 1;
            let sent = Cell::new(false);
            if caught(|| sent.set(one.send(message).is_ok())).is_none() && sent.get() {
                self.lines[line].sent.push(count);
            }
        }
    }

    fn drop_sender(&mut self, which: usize) {
        let (line, sender) = self.senders.swap_remove(which);
        let _on_purpose = caught(|| drop(sender));
        self.lines[line].senders -= 1;
    }

    fn poll(&mut self, which: usize, is_hostile: bool) {
        let task = &mut self.tasks[which];
        let Some(job) = &mut task.job else { return };
        let rung = Arc::new(AtomicBool::new(false));
        task.rung = Some(rung.clone());
        let mut done = false;
        let went = caught(|| {
            let waker = Waker::from(Arc::new(Bell { rung, is_hostile }));
            done = job.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
        });
        if done || went.is_some() {
            let job = task.job.take();
            let _on_purpose = caught(|| drop(job));
        }
    }

    fn watch(&mut self, which: usize, is_hostile: bool) {
        let (chan, watch, _) = &mut self.watchers[which];
        let rung = Arc::new(AtomicBool::new(false));
        *watch = None;
        let mut is_closed = false;
        let went = caught(|| {
            let waker = Waker::from(Arc::new(Bell { rung: rung.clone(), is_hostile }));
            is_closed = Closing::poll_closed(chan, &mut Context::from_waker(&waker)).is_ready();
        });
        if went.is_none() && !is_closed {
            *watch = Some(rung);
        }
    }
}

/// Runs a program. Returns how many calls of the user's code there were.
fn run(seed: u64, fuse: u64, steps: u64) -> u64 {
    FUSE.set(fuse);
    BLOWN.set(false);
    OVER.with_borrow_mut(Vec::clear);
    let (mut random, mut program) = (Random::new(seed), Program::default());
    for _ in 0..2 {
        program.begin(&mut random);
    }
    for _ in 0..steps {
        let (senders, tasks) = (program.senders.len() as u64, program.tasks.len() as u64);
        let watchers = program.watchers.len() as u64;
        match random.below(16) {
            0 if program.lines.len() < 12 => program.begin(&mut random),
            1 if senders > 0 => program.drop_sender(random.below(senders) as usize),
            2 => {
                let job = program.tasks[random.below(tasks) as usize].job.take();
                let _on_purpose = caught(|| drop(job));
            }
            3 | 4 if watchers > 0 => {
                program.watch(random.below(watchers) as usize, random.below(2) == 0);
            }
            5..=9 if senders > 0 => program.send(random.below(senders) as usize),
            _ => program.poll(random.below(tasks) as usize, random.below(2) == 0),
        }
        program.check(seed, fuse);
    }
    while !program.senders.is_empty() {
        program.drop_sender(0);
        program.check(seed, fuse);
    }
    for index in 0..program.tasks.len() {
        let job = program.tasks[index].job.take();
        let _on_purpose = caught(|| drop(job));
        program.check(seed, fuse);
    }
    let watchers = std::mem::take(&mut program.watchers);
    for watcher in watchers {
        let _on_purpose = caught(|| drop(watcher));
    }
    program.check(seed, fuse);
    if !BLOWN.get() {
        let is_gone = |message: &Rc<Cell<u32>>| message.get() == 1;
        assert!(program.messages.iter().all(is_gone), "seed {seed}: a message is left");
        let are_gone = program.duels.iter().all(|duel| duel.made.borrow().iter().all(is_gone));
        assert!(are_gone, "seed {seed}: a message is left");
    }
    fuse - FUSE.get()
}

#[test]
fn one_call_panics() {
    watched(|| {
        let (seeds, steps) = if cfg!(miri) { (3, 25) } else { (effort(600) as u64, 60) };
        let first = std::env::var("PIPES_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
        for seed in first..first + seeds {
            let calls = run(seed, u64::MAX, steps);
            let stride = if cfg!(miri) { 1 + calls / 6 } else { 1 };
            let mut fuse = 1 + seed % stride;
            while fuse <= calls {
                run(seed, fuse, steps);
                fuse += stride;
            }
        }
    });
}
