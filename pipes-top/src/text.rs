//! The table as text, for a shell.

use crate::model::Processes;
use crate::rows::Column;
use crate::snapshot::Verdict;
use crate::width::width;
use std::fmt::Write;

/// Returns the table, sorted by age, each row in a line, and after it what is said of the deadlocks.
pub fn table(processes: &Processes, has_colors: bool) -> String {
    let columns = Column::of(processes.all.len());
    let rows = processes.rows(Column::Asleep, "");
    if rows.is_empty() {
        return "no thread sleeps in a channel\n".to_owned();
    }
    let titles = columns.iter().map(|it| it.title().to_owned()).collect();
    let texts = rows.iter().map(|row| columns.iter().map(|column| row.text(*column)).collect());
    let lines: Vec<Vec<String>> = [titles].into_iter().chain(texts).collect();
    let widest = |index: usize| lines.iter().map(|line| width(&line[index])).max().unwrap_or(0);
    let widths: Vec<_> = (0..columns.len()).map(widest).collect();
    let deadlocks = [None].into_iter().chain(rows.iter().map(|row| row.deadlock));
    let mut table = String::new();
    for (line, deadlock) in lines.iter().zip(deadlocks) {
        let mut text = String::new();
        for ((cell, widest), column) in line.iter().zip(&widths).zip(columns) {
            let blanks = " ".repeat(widest - width(cell));
            let _never = match column {
                Column::Asleep => write!(text, "{blanks}{cell}  "),
                _ => write!(text, "{cell}{blanks}  "),
            };
        }
        let text = text.trim_end();
        let color = deadlock.filter(|_| has_colors).map(|place| color(processes.deadlocks[place].verdict));
        let _never = match color {
            Some(color) => writeln!(table, "\u{1b}[{color}m{text}\u{1b}[0m"),
            None => writeln!(table, "{text}"),
        };
    }
    for deadlock in &processes.deadlocks {
        let _never = write!(table, "\n{}", deadlock.report);
    }
    table
}

/// Returns the code of a color of terminals: red or yellow.
fn color(verdict: Verdict) -> u8 {
    if verdict == Verdict::Certain { 31 } else { 33 }
}

#[cfg(test)]
mod tests {
    use super::table;
    use crate::deadlocks::tests::{processes, services};
    use crate::model::Processes;
    use crate::model::tests::{answer, shop};

    #[test]
    fn columns_are_as_wide_as_their_cells() {
        let wanted = "\
PROCESS    THREAD  ASLEEP  WAITS FOR                  AT
/run/shop  till     5.0 s  a message at Port<Order>   src/till.rs:1:2
/run/bank  teller   4.0 s  a message at Port<Order>   src/teller.rs:1:2
/run/shop  clerk    3.0 s  a message at Port<Return>  src/clerk.rs:1:2
";
        assert_eq!(table(&shop(), true), wanted);
    }

    #[test]
    fn one_process_needs_no_column() {
        let one = Processes::new(&["a".into()], vec![Ok(answer(&[("till", 5, "Port<u8>")]))]);
        assert_eq!(
            table(&one, true),
            "THREAD  ASLEEP  WAITS FOR              AT\ntill     5.0 s  a message at Port<u8>  src/till.rs:1:2\n"
        );
    }

    #[test]
    fn a_program_in_which_nothing_sleeps_says_so() {
        let none = Processes::new(&["a".into()], vec![Ok(answer(&[]))]);
        assert_eq!(table(&none, true), "no thread sleeps in a channel\n");
    }

    #[test]
    fn a_deadlock_comes_first_in_its_color_and_is_told_after_the_table() {
        let [mut till, bank] = services();
        let mut clerk = till["sleepers"][0].clone();
        (clerk["id"], clerk["name"], clerk["asleep_us"]) = ("clerk".into(), "出納".into(), 90_000_000.into());
        clerk["waits_for_other"] = true.into();
        till["sleepers"].as_array_mut().expect("it is a list").push(clerk);
        let suspected = processes(&[till, bank]);
        let wait = "a message at bank::Client<Answer>: the server sends `ok`";
        let wanted = format!(
            "\
PROCESS  THREAD  ASLEEP  WAITS FOR                                                                    AT
\u{1b}[33m/run/0   till    10.0 s  {wait}                     src/till.rs:1:2\u{1b}[0m
\u{1b}[33m/run/1   bank    10.0 s  {wait}                     src/bank.rs:1:2\u{1b}[0m
/run/0   出納    90.0 s  {wait}, or something else  src/till.rs:1:2

{}",
            suspected.deadlocks[0].report
        );
        assert_eq!(table(&suspected, true), wanted);
        let plain = wanted.replace("\u{1b}[33m", "").replace("\u{1b}[0m", "");
        assert_eq!(table(&suspected, false), plain);
    }
}
