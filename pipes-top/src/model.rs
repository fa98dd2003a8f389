//! The threads of all processes as the rows of one table: which there are, and in which order.

use crate::ask::{Answer, Failure};
use crate::snapshot::{Snapshot, Thread, without_controls};
use std::cmp::{Ordering, Reverse};
use std::path::PathBuf;
use std::time::Duration;

/// A process that is asked, and what it said last.
#[derive(Debug)]
pub struct Process {
    /// Its path, as it is printed.
    pub path: String,
    pub state: State,
}

#[derive(Debug)]
pub enum State {
    /// It sleeps in these threads.
    Answers(Snapshot),
    /// It has answered before, and no process listens there any more.
    Gone,
    /// It does not answer, for this reason.
    Fails(String),
}

/// The processes in the order of the command line.
#[derive(Debug)]
pub struct Processes(pub Vec<Process>);

impl Processes {
    pub fn new(paths: &[PathBuf], answers: Vec<Result<Answer, Failure>>) -> Self {
        let process = |(path, answer): (&PathBuf, Result<Answer, Failure>)| Process {
            path: without_controls(&path.to_string_lossy()),
            state: answer.map_or_else(|it| State::Fails(it.why), |it| State::Answers(it.snapshot)),
        };
        Processes(paths.iter().zip(answers).map(process).collect())
    }

    /// Notes what a process has answered.
    pub fn update(&mut self, index: usize, answer: Result<Answer, Failure>) {
        let state = &mut self.0[index].state;
        *state = match (answer, &state) {
            (Ok(answer), _) => State::Answers(answer.snapshot),
            (Err(error), State::Answers(_) | State::Gone) if error.is_gone => State::Gone,
            (Err(error), _) => State::Fails(error.why),
        };
    }

    /// Returns the number of threads of a process; `None` if it does not answer.
    pub fn threads(&self, index: usize) -> Option<usize> {
        self.snapshot(index).map(|it| it.threads.len())
    }

    pub fn snapshot(&self, index: usize) -> Option<&Snapshot> {
        match &self.0.get(index)?.state {
            State::Answers(snapshot) => Some(snapshot),
            State::Gone | State::Fails(_) => None,
        }
    }

    /// Returns the rows that pass the filter, in the order of a column.
    pub fn rows(&self, order: Column, filter: &str) -> Vec<Row> {
        let processes = self.0.iter().enumerate();
        let threads = processes.flat_map(|(index, process)| {
            let threads = self.snapshot(index).map_or(&[][..], |it| &it.threads);
            threads.iter().map(move |thread| Row::new(index, process, thread))
        });
        let mut rows: Vec<_> = threads.filter(|row| row.passes(filter)).collect();
        // Stable: rows that are equal stay in the order of the processes, and there in that of age.
        rows.sort_by(|one, other| order.compare(one, other));
        rows
    }

    /// Returns the thread with this key, and the snapshot that it is in.
    pub fn find(&self, (process, id): &Key) -> Option<(&Thread, &Snapshot)> {
        let snapshot = self.snapshot(*process)?;
        snapshot.threads.iter().find(|it| it.id.to_string() == *id).map(|thread| (thread, snapshot))
    }
}

/// What stays the same of a thread: the place of its process, and its number there.
pub type Key = (usize, String);

/// A thread as a row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub key: Key,
    pub process: String,
    pub thread: String,
    pub asleep: Duration,
    pub waits_for: String,
    pub location: String,
}

impl Row {
    fn new(index: usize, process: &Process, thread: &Thread) -> Self {
        Row {
            key: (index, thread.id.to_string()),
            process: process.path.clone(),
            thread: thread.title(),
            asleep: thread.asleep,
            waits_for: thread.summary(),
            location: thread.location.to_string(),
        }
    }

    /// Returns `true` if one of the columns has the text, in capital or small letters.
    fn passes(&self, filter: &str) -> bool {
        let filter = filter.to_lowercase();
        Column::ALL.iter().any(|column| self.text(*column).to_lowercase().contains(&filter))
    }

    /// Returns what stands in a column.
    pub fn text(&self, column: Column) -> String {
        match column {
            Column::Process => self.process.clone(),
            Column::Thread => self.thread.clone(),
            Column::Asleep => duration(self.asleep),
            Column::WaitsFor => self.waits_for.clone(),
            Column::At => self.location.clone(),
        }
    }
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Process,
    Thread,
    Asleep,
    WaitsFor,
    At,
}

impl Column {
    pub const ALL: [Column; 5] =
        [Column::Process, Column::Thread, Column::Asleep, Column::WaitsFor, Column::At];

    pub fn title(self) -> &'static str {
        match self {
            Column::Process => "PROCESS",
            Column::Thread => "THREAD",
            Column::Asleep => "ASLEEP",
            Column::WaitsFor => "WAITS FOR",
            Column::At => "AT",
        }
    }

    /// Returns the columns of a table of this many processes.
    pub fn of(processes: usize) -> &'static [Column] {
        if processes > 1 { &Self::ALL } else { &Self::ALL[1..] }
    }

    /// Returns the column after this one in a table of this many processes.
    pub fn next(self, processes: usize) -> Self {
        let columns = Self::of(processes);
        let place = columns.iter().position(|it| *it == self);
        columns[place.map_or(0, |place| (place + 1) % columns.len())]
    }

    /// Those first that have slept longest, and text from A to Z.
    fn compare(self, one: &Row, other: &Row) -> Ordering {
        match self {
            Column::Asleep => Reverse(one.asleep).cmp(&Reverse(other.asleep)),
            Column::Process => one.key.0.cmp(&other.key.0),
            Column::Thread => one.thread.cmp(&other.thread),
            Column::WaitsFor => one.waits_for.cmp(&other.waits_for),
            Column::At => one.location.cmp(&other.location),
        }
    }
}

/// Prints a duration with three digits and a unit.
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        ..1e-3 => format!("{:.0} µs", seconds * 1e6),
        ..1.0 => format!("{:.0} ms", seconds * 1e3),
        ..100.0 => format!("{seconds:.1} s"),
        ..1e5 => format!("{seconds:.0} s"),
        _ => format!("{:.0} h", seconds / 3600.0),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

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
        let json = format!(r#"{{"version":1,"threads":[{}]}}"#, threads.join(","));
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

    fn names(rows: &[Row]) -> Vec<&str> {
        rows.iter().map(|row| &*row.thread).collect()
    }

    #[test]
    fn processes_share_a_table_in_the_order_of_each_column() {
        let shop = shop();
        let sorted = |column| names(&shop.rows(column, "")).join(" ");
        assert_eq!(sorted(Column::Asleep), "till teller clerk");
        assert_eq!(sorted(Column::Process), "till clerk teller");
        assert_eq!(sorted(Column::Thread), "clerk teller till");
        assert_eq!(sorted(Column::WaitsFor), "till teller clerk");
        assert_eq!(sorted(Column::At), "clerk teller till");
    }

    #[test]
    fn a_row_has_the_path_of_its_process() {
        let rows = shop().rows(Column::Asleep, "");
        assert_eq!(rows[1].process, "/run/bank");
        assert_eq!(rows[1].key, (1, "ThreadId(0)".to_owned()));
        assert_eq!(rows[1].text(Column::Asleep), "4.0 s");
        assert_eq!(rows[1].text(Column::WaitsFor), "a message at Port<Order>");
        assert_eq!(rows[1].text(Column::At), "src/teller.rs:1:2");
    }

    #[test]
    fn a_filter_looks_into_all_columns() {
        let shop = shop();
        let filtered = |filter| names(&shop.rows(Column::Asleep, filter)).join(" ");
        assert_eq!(filtered("ORDER"), "till teller");
        assert_eq!(filtered("/run/bank"), "teller");
        assert_eq!(filtered("clerk.rs"), "clerk");
        assert_eq!(filtered("till"), "till");
        assert_eq!(filtered("elsewhere"), "");
    }

    #[test]
    fn a_process_that_ends_is_gone_and_may_come_back() {
        let mut shop = shop();
        shop.update(0, Err(failure(true, "no process listens there")));
        assert!(matches!(shop.0[0].state, State::Gone));
        assert_eq!(names(&shop.rows(Column::Asleep, "")), ["teller"]);
        shop.update(0, Err(failure(true, "there is no such socket")));
        assert!(matches!(shop.0[0].state, State::Gone));
        shop.update(0, Ok(answer(&[("new", 1, "Port<u8>")])));
        assert_eq!(names(&shop.rows(Column::Asleep, "")), ["teller", "new"]);
        assert_eq!([0, 1, 2].map(|index| shop.threads(index)), [Some(1), Some(1), None]);
    }

    #[test]
    fn a_process_that_was_never_there_or_fails_says_why() {
        let mut shop = shop();
        shop.update(2, Err(failure(true, "there is no such socket")));
        assert!(matches!(&shop.0[2].state, State::Fails(why) if why == "there is no such socket"));
        shop.update(1, Err(failure(false, "it does not answer")));
        assert!(matches!(&shop.0[1].state, State::Fails(why) if why == "it does not answer"));
    }

    #[test]
    fn a_thread_is_found_as_long_as_it_sleeps() {
        let mut shop = shop();
        let key = (0, "ThreadId(1)".to_owned());
        assert_eq!(shop.find(&key).map(|(thread, _)| thread.title()), Some("clerk".to_owned()));
        shop.update(0, Ok(answer(&[("till", 6, "Port<Order>")])));
        assert!(shop.find(&key).is_none());
        assert!(shop.find(&(7, "ThreadId(1)".to_owned())).is_none());
    }

    #[test]
    fn columns_follow_each_other_in_a_circle() {
        let circle = |processes| {
            let mut column = Column::Asleep;
            [(); 5].map(|()| {
                let title = column.title();
                column = column.next(processes);
                title
            })
        };
        assert_eq!(circle(2), ["ASLEEP", "WAITS FOR", "AT", "PROCESS", "THREAD"]);
        assert_eq!(circle(1), ["ASLEEP", "WAITS FOR", "AT", "THREAD", "ASLEEP"]);
    }
}
