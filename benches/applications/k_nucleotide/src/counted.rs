//! The result of a run: the output as text, and the tables if they still exist.

use super::due::Due;
use super::table::Table;

/// The outcome of a run.
#[derive(Debug)]
pub struct Counted {
    /// The output.
    pub text: String,
    /// The tables that the output was made from, one of each size, unless they stayed with their workers.
    pub tables: Vec<Table>,
}

impl Counted {
    /// The result of these tables, one of each size.
    pub fn of(tables: Vec<Table>) -> Counted {
        Counted { text: tables.iter().map(Table::text).collect(), tables }
    }

    /// The combined result of the tables of several workers.
    pub fn together(workers: impl IntoIterator<Item = Vec<Table>>) -> Counted {
        Counted::of(workers.into_iter().reduce(merged).unwrap_or_else(Table::all))
    }

    /// Describes what is wrong with the output, or with the number of windows in the tables, for a sequence
    /// with this many letters.
    pub fn verify(&self, due: &Due, letters: u64) -> Result<(), String> {
        due.verify(&self.text)?;
        self.verify_totals(letters)
    }

    /// Describes what is wrong with the number of windows in the tables.
    fn verify_totals(&self, letters: u64) -> Result<(), String> {
        for table in &self.tables {
            let (size, counted) = (table.size(), table.total());
            let due = (letters + 1).saturating_sub(size as u64);
            if counted != due {
                return Err(format!("{counted} windows of {size} letters were counted instead of {due}"));
            }
        }
        Ok(())
    }
}

/// Merges the tables of two workers into one set.
pub fn merged(mut ours: Vec<Table>, theirs: Vec<Table>) -> Vec<Table> {
    ours.iter_mut().zip(theirs).for_each(|(table, other)| table.merge(other));
    ours
}

#[cfg(test)]
mod tests {
    use super::super::input::Input;
    use super::super::sequential;
    use super::super::table::SIZES;
    use super::*;

    /// The result for a generated text, and its number of letters.
    fn counted(n: u64) -> (Counted, u64) {
        let input = Input::generated(n).expect("it fits into memory");
        (sequential::run(&input).expect("it can be read"), input.letters().expect("it is in order"))
    }

    #[test]
    fn chunks_and_workers_make_no_difference() {
        // The text has three chunks, and the last one is short.
        let (alone, letters) = counted(250_000);
        assert_eq!((letters, alone.verify_totals(letters)), (1_250_000, Ok(())));
        let input = Input::generated(250_000).expect("it fits into memory");
        let mut workers: Vec<_> = (0..3).map(|_| Table::all()).collect();
        for (turn, chunk) in input.chunks().expect("it can be read").enumerate() {
            let chunk = chunk.expect("it is in order");
            for which in 0..SIZES.len() {
                workers[(turn + which) % 3][which].count(&chunk);
            }
        }
        let three = Counted::together(workers);
        assert_eq!((three.verify_totals(letters), &three.text), (Ok(()), &alone.text));
    }

    #[test]
    fn a_window_that_was_not_counted_is_noticed_in_any_table() {
        for (which, size) in SIZES.into_iter().enumerate() {
            let (mut counted, letters) = counted(10);
            counted.tables[which] = Table::new(size);
            let told = counted.verify_totals(letters).expect_err("the table is empty");
            assert!(told.starts_with(&format!("0 windows of {size} letters were counted instead of")));
        }
    }
}
