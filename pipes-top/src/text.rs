//! The table as text, for a shell.

use crate::model::{Column, Processes};
use std::fmt::Write;

/// Returns the table, sorted by age, each row in a line.
pub fn table(processes: &Processes) -> String {
    let columns = Column::of(processes.0.len());
    let rows = processes.rows(Column::Asleep, "");
    if rows.is_empty() {
        return "no thread sleeps in a channel\n".to_owned();
    }
    let titles = columns.iter().map(|it| it.title().to_owned()).collect();
    let texts = rows.iter().map(|row| columns.iter().map(|column| row.text(*column)).collect());
    let lines: Vec<Vec<String>> = [titles].into_iter().chain(texts).collect();
    let width = |index: usize| lines.iter().map(|line| line[index].chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..columns.len()).map(width).collect();
    let mut table = String::new();
    for line in &lines {
        let mut text = String::new();
        for ((cell, width), column) in line.iter().zip(&widths).zip(columns) {
            let _never = match column {
                Column::Asleep => write!(text, "{cell:>width$}  "),
                _ => write!(text, "{cell:width$}  "),
            };
        }
        table.push_str(text.trim_end());
        table.push('\n');
    }
    table
}

#[cfg(test)]
mod tests {
    use super::table;
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
        assert_eq!(table(&shop()), wanted);
    }

    #[test]
    fn one_process_needs_no_column() {
        let one = Processes::new(&["a".into()], vec![Ok(answer(&[("till", 5, "Port<u8>")]))]);
        assert_eq!(
            table(&one),
            "THREAD  ASLEEP  WAITS FOR              AT\ntill     5.0 s  a message at Port<u8>  src/till.rs:1:2\n"
        );
    }

    #[test]
    fn a_program_in_which_nothing_sleeps_says_so() {
        let none = Processes::new(&["a".into()], vec![Ok(answer(&[]))]);
        assert_eq!(table(&none), "no thread sleeps in a channel\n");
    }
}
