//! The rows of the table: what stands in them, and in which order.

use crate::links::Place;
use crate::model::{Key, Process, Processes};
use crate::snapshot::Sleeper;
use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::time::Duration;

impl Processes {
    /// Returns the rows that pass the filter: those first that are in a deadlock, each of these together; and
    /// in the order of a column.
    pub fn rows(&self, order: Column, filter: &str) -> Vec<Row> {
        let mut deadlocks: HashMap<Place, usize> = HashMap::new();
        for (index, deadlock) in self.deadlocks.iter().enumerate() {
            for place in &deadlock.members {
                deadlocks.entry(*place).or_insert(index);
            }
        }
        let mut rows = Vec::new();
        for (index, process) in self.all.iter().enumerate() {
            let sleepers = process.snapshot().map_or(&[][..], |it| &it.sleepers);
            rows.extend(sleepers.iter().enumerate().map(|(place, sleeper)| {
                Row::new(index, process, sleeper, deadlocks.get(&(index, place)).copied())
            }));
        }
        rows.retain(|row| row.passes(filter));
        // Stable: rows that are equal stay in the order of the processes, and there in that of age.
        rows.sort_by(|one, other| {
            let deadlock = |row: &Row| row.deadlock.unwrap_or(usize::MAX);
            deadlock(one).cmp(&deadlock(other)).then_with(|| order.compare(one, other))
        });
        rows
    }
}

/// A thread or a task as a row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub key: Key,
    /// Its place in [`Processes::deadlocks`].
    pub deadlock: Option<usize>,
    pub process: String,
    pub thread: String,
    pub asleep: Duration,
    pub waits_for: String,
    pub location: String,
}

impl Row {
    fn new(index: usize, process: &Process, thread: &Sleeper, deadlock: Option<usize>) -> Self {
        Row {
            key: (index, thread.id.to_string()),
            deadlock,
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
    use crate::model::tests::{answer, shop};
    use crate::snapshot::Verdict;
    use serde_json::json;

    pub fn names(rows: &[Row]) -> Vec<&str> {
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

    #[test]
    fn what_is_in_a_deadlock_comes_first_in_any_order() {
        let mut shop =
            answer(&[("a", 5, "Port<u8>"), ("b", 4, "Port<u8>"), ("c", 3, "Port<u8>"), ("d", 2, "Port<u8>")]);
        let deadlock = |verdict, sleepers: &[usize]| {
            let json = json!({"verdict": verdict, "sleepers": sleepers, "report": ""});
            serde_json::from_value(json).expect("it is a deadlock")
        };
        shop.snapshot.deadlocks = vec![deadlock("suspected", &[1]), deadlock("certain", &[0, 3])];
        let shop = Processes::new(&["shop".into()], vec![Ok(shop)]);
        assert_eq!(names(&shop.rows(Column::Asleep, "")), ["a", "d", "b", "c"]);
        shop.rows(Column::Thread, "")
            .iter()
            .for_each(|row| assert_eq!(row.deadlock.is_none(), row.thread == "c"));
        assert_eq!(shop.in_deadlocks(Verdict::Certain).as_deref(), Some("2 threads wait for each other"));
        assert_eq!(
            shop.in_deadlocks(Verdict::Suspected).as_deref(),
            Some("1 thread seems to wait for itself")
        );
        assert_eq!(shop.in_deadlocks(Verdict::Standing), None);
    }
}
