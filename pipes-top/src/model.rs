//! The processes that are asked, and what they said last.

use crate::ask::{Answer, Failure};
use crate::deadlocks::{self, Deadlock};
use crate::links::{Links, Place};
use crate::snapshot::{Kind, Sleeper, Snapshot, Verdict, without_controls};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A process that is asked, and what it said last.
#[derive(Debug)]
pub struct Process {
    /// Its path, as it is printed.
    pub path: String,
    pub state: State,
}

#[derive(Debug)]
pub enum State {
    /// These of its threads and tasks sleep.
    Answers(Snapshot),
    /// It has answered before, and no process listens there any more.
    Gone,
    /// It does not answer, for this reason.
    Fails(String),
}

#[derive(Debug)]
pub struct Processes {
    /// In the order of the command line.
    pub all: Vec<Process>,
    /// Those of each, and those of several.
    pub deadlocks: Vec<Deadlock>,
}

impl Processes {
    pub fn new(paths: &[PathBuf], answers: Vec<Result<Answer, Failure>>) -> Self {
        let process = |(path, answer): (&PathBuf, Result<Answer, Failure>)| Process {
            path: without_controls(&path.to_string_lossy()),
            state: answer.map_or_else(|it| State::Fails(it.why), |it| State::Answers(it.snapshot)),
        };
        let all = paths.iter().zip(answers).map(process).collect();
        let mut processes = Processes { all, deadlocks: Vec::new() };
        processes.deadlocks = deadlocks::find(&processes.all, &processes.links());
        processes
    }

    /// Notes what a process has answered.
    pub fn update(&mut self, index: usize, answer: Result<Answer, Failure>) {
        let state = &mut self.all[index].state;
        *state = match (answer, &state) {
            (Ok(answer), _) => State::Answers(answer.snapshot),
            (Err(error), State::Answers(_) | State::Gone) if error.is_gone => State::Gone,
            (Err(error), _) => State::Fails(error.why),
        };
        self.deadlocks = deadlocks::find(&self.all, &self.links());
    }

    pub fn links(&self) -> Links<'_> {
        Links::new(self.all.iter().map(Process::snapshot).collect())
    }

    /// Returns all that sleep.
    pub fn sleepers(&self) -> impl Iterator<Item = &Sleeper> {
        self.all.iter().filter_map(Process::snapshot).flat_map(|it| &it.sleepers)
    }

    /// Says how many are in deadlocks of this verdict; `None` if there are none.
    pub fn in_deadlocks(&self, verdict: Verdict) -> Option<String> {
        let said = self.deadlocks.iter().filter(|it| it.verdict == verdict);
        let members: BTreeSet<_> = said.flat_map(|it| &it.members).collect();
        let sleeper = |(process, place): Place| self.all[process].snapshot()?.sleepers.get(place);
        let count = counted("", members.iter().filter_map(|place| sleeper(**place)));
        match (members.len(), verdict) {
            (0, _) => None,
            (1, Verdict::Standing) => Some(format!("{count} stands still")),
            (_, Verdict::Standing) => Some(format!("{count} stand still")),
            (1, Verdict::Suspected) => Some(format!("{count} seems to wait for itself")),
            (_, Verdict::Suspected) => Some(format!("{count} seem to wait for each other")),
            (1, Verdict::Certain) => Some(format!("{count} waits for itself")),
            (_, Verdict::Certain) => Some(format!("{count} wait for each other")),
        }
    }

    /// Returns the place of the thread or task with this key.
    pub fn find(&self, (process, id): &Key) -> Option<Place> {
        let snapshot = self.all.get(*process)?.snapshot()?;
        let place = snapshot.sleepers.iter().position(|it| it.id.to_string() == *id)?;
        Some((*process, place))
    }
}

impl Process {
    /// Returns its snapshot; `None` if it does not answer.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        match &self.state {
            State::Answers(snapshot) => Some(snapshot),
            State::Gone | State::Fails(_) => None,
        }
    }
}

/// Returns how many there are, and what: "2 threads", "1 sleeping task", "3 threads and tasks".
pub fn counted<'a>(adjective: &str, sleepers: impl Iterator<Item = &'a Sleeper>) -> String {
    let (tasks, threads): (Vec<_>, Vec<_>) = sleepers.partition(|it| it.kind == Kind::Task);
    let count = tasks.len() + threads.len();
    let noun = match (tasks.len(), threads.len()) {
        (1, 0) => "task",
        (_, 0) if count > 0 => "tasks",
        (0, 1) => "thread",
        (0, _) => "threads",
        _ => "threads and tasks",
    };
    format!("{count} {adjective}{noun}")
}

/// What stays the same of a thread or a task: the place of its process, and its number there.
pub type Key = (usize, String);

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::rows::Column;
    use crate::rows::tests::names;

    /// A process with these threads: names, seconds asleep, and what they wait for.
    pub fn answer(threads: &[(&str, u64, &str)]) -> Answer {
        let thread = |(index, (name, seconds, end)): (usize, &(&str, u64, &str))| {
            format!(
                r#"{{"id":"ThreadId({index})","name":"{name}","location":"src/{name}.rs:1:2","asleep_us":{},
                    "time_left_us":null,"waits_for":[{{"awaited":"message","end":"{end}","channel":{index},
                    "protocol":null,"state":null,"sender":null,"messages":[],"other_side":[]}}],
                    "waits_for_other":false}}"#,
                seconds * 1_000_000
            )
        };
        let threads: Vec<_> = threads.iter().enumerate().map(thread).collect();
        let json = format!(r#"{{"version":1,"sleepers":[{}]}}"#, threads.join(","));
        Answer { snapshot: Snapshot::read(&json).expect("it is a snapshot"), json }
    }

    /// A failure of a process that is gone, or that fails for a reason.
    pub fn failure(is_gone: bool, why: &str) -> Failure {
        Failure { is_gone, why: why.to_owned() }
    }

    /// Two processes with three threads, and one that does not answer.
    pub fn shop() -> Processes {
        let paths = ["/run/shop", "/run/bank", "/run/none"].map(PathBuf::from);
        let shop = answer(&[("till", 5, "Port<Order>"), ("clerk", 3, "Port<Return>")]);
        let bank = answer(&[("teller", 4, "Port<Order>")]);
        let none = failure(true, "there is no such socket");
        Processes::new(&paths, vec![Ok(shop), Ok(bank), Err(none)])
    }

    #[test]
    fn a_process_that_ends_is_gone_and_may_come_back() {
        let mut shop = shop();
        shop.update(0, Err(failure(true, "no process listens there")));
        assert!(matches!(shop.all[0].state, State::Gone));
        assert_eq!(names(&shop.rows(Column::Asleep, "")), ["teller"]);
        shop.update(0, Err(failure(true, "there is no such socket")));
        assert!(matches!(shop.all[0].state, State::Gone));
        shop.update(0, Ok(answer(&[("new", 1, "Port<u8>")])));
        assert_eq!(names(&shop.rows(Column::Asleep, "")), ["teller", "new"]);
        let counts = shop.all.iter().map(|it| it.snapshot().map(|it| it.sleepers.len()));
        assert_eq!(counts.collect::<Vec<_>>(), [Some(1), Some(1), None]);
    }

    #[test]
    fn a_process_that_was_never_there_or_fails_says_why() {
        let mut shop = shop();
        shop.update(2, Err(failure(true, "there is no such socket")));
        assert!(matches!(&shop.all[2].state, State::Fails(why) if why == "there is no such socket"));
        shop.update(1, Err(failure(false, "it does not answer")));
        assert!(matches!(&shop.all[1].state, State::Fails(why) if why == "it does not answer"));
    }

    #[test]
    fn a_thread_is_found_as_long_as_it_sleeps() {
        let mut shop = shop();
        let key = (0, "ThreadId(1)".to_owned());
        assert_eq!(shop.find(&key), Some((0, 1)));
        shop.update(0, Ok(answer(&[("till", 6, "Port<Order>")])));
        assert!(shop.find(&key).is_none());
        assert!(shop.find(&(7, "ThreadId(1)".to_owned())).is_none());
    }

    #[test]
    fn threads_and_tasks_are_counted() {
        let mut all = answer(&[("a", 5, "Port<u8>"), ("b", 4, "Port<u8>")]).snapshot.sleepers;
        assert_eq!(counted("", all.iter()), "2 threads");
        assert_eq!(counted("sleeping ", all[..1].iter()), "1 sleeping thread");
        assert_eq!(counted("", all[..0].iter()), "0 threads");
        all[0].kind = Kind::Task;
        assert_eq!(counted("sleeping ", all.iter()), "2 sleeping threads and tasks");
        assert_eq!(counted("", all[..1].iter()), "1 task");
        all[1].kind = Kind::Task;
        assert_eq!(counted("", all.iter()), "2 tasks");
    }
}
