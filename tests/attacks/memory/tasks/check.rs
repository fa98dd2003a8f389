//! Assertions that must hold after each step.

use super::Program;
use super::jobs::{OVER, Task};
use std::sync::atomic::Ordering;

impl Program {
    /// Asserts that each task with something to receive is woken, and that no message is dropped twice.
    pub(super) fn check(&mut self, seed: u64, fuse: u64) {
        let is_rung = |task: &Task| !task.is_waiting();
        for (number, line) in self.lines.iter().enumerate() {
            let mut waiting = self
                .tasks
                .iter()
                .filter(|task| task.job.is_some() && task.lines.contains(&number))
                .peekable();
            let is_over = OVER.with_borrow(|over| over.contains(&number));
            if is_over || !line.has_something() || waiting.peek().is_none() {
                continue;
            }
            let is_well = if line.is_group { waiting.any(is_rung) } else { waiting.all(is_rung) };
            let kinds = || {
                let tasks = self.tasks.iter().filter(|task| task.job.is_some());
                tasks.map(|task| (task.kind, &task.lines, is_rung(task))).collect::<Vec<_>>()
            };
            assert!(
                is_well,
                "seed {seed}, fuse {fuse}, line {number}, {} senders, unread {}: {:?}",
                line.senders,
                line.sent.iter().filter(|it| it.get() == 0).count(),
                kinds()
            );
        }
        for (chan, watch, task) in &self.watchers {
            let is_rung = watch.as_ref().is_none_or(|rung| rung.load(Ordering::Relaxed));
            assert!(
                is_rung || self.tasks[*task].job.is_some() && !chan.is_closed(),
                "seed {seed}, fuse {fuse}: the watcher is not woken"
            );
        }
        for duel in &self.duels {
            let made = duel.made.borrow();
            let is_well = duel.is_well(&self.tasks) && made.iter().all(|message| message.get() <= 1);
            assert!(is_well, "seed {seed}, fuse {fuse}: room {}, {made:?}", duel.room);
        }
        let most = self.messages.iter().map(|message| message.get()).max();
        assert!(most.unwrap_or(0) <= 1, "seed {seed}, fuse {fuse}: a message is dropped twice");
    }
}
