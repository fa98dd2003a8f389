//! The lines that were printed in a run of the race, for comparison.

use std::fmt;

/// The lines of an output.
#[derive(PartialEq, Eq)]
pub struct Lines(Vec<Vec<u8>>);

impl Lines {
    /// The lines of this output, in its order if that matters.
    pub fn of(output: &[u8], in_order: bool) -> Lines {
        let mut lines: Vec<_> = output.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        if !in_order {
            lines.sort_unstable();
        }
        Lines(lines)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Describes how these differ from the expected ones.
    pub fn verify(&self, due: &Lines) -> Result<(), String> {
        if self == due {
            return Ok(());
        }
        let differ = self.0.iter().zip(&due.0).position(|(one, other)| one != other);
        let place = differ.unwrap_or(self.0.len().min(due.0.len()));
        let line = |lines: &Lines| match lines.0.get(place) {
            Some(line) => format!("`{}`", String::from_utf8_lossy(line).trim_end()),
            None => "the end".to_owned(),
        };
        Err(format!(
            "{} lines were printed instead of {}; {} comes where {} is due",
            self.0.len(),
            due.0.len(),
            line(self),
            line(due)
        ))
    }
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} lines", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn the_first_difference_is_told() {
        let due = Lines::of(b"a:1\nb:2\n", false);
        assert_eq!(Lines::of(b"b:2\na:1\n", false).verify(&due), Ok(()));
        let told = |output: &[u8]| Lines::of(output, false).verify(&due).expect_err("they differ");
        assert_eq!(told(b""), "0 lines were printed instead of 2; the end comes where `a:1` is due");
        assert!(told(b"a:1\na:1\nb:2\n").contains("`a:1` comes where `b:2` is due"));
        assert!(told(b"a:1\nb:2\nc:3\n").contains("`c:3` comes where the end is due"));
        let wrong = Lines::of(b"b:2\na:1\n", true).verify(&Lines::of(b"a:1\nb:2\n", true));
        assert!(wrong.is_err_and(|told| told.contains("`b:2` comes where `a:1` is due")));
    }
}
