//! Numbers to be tried one after another: `n`, `a:b` or `a:step:b`.

use std::str::FromStr;

use serde::{Serialize, Serializer};

/// The most numbers of a sweep; more are probably a typing error.
const MOST: u64 = 100;

/// One number, or several for a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Steps(Vec<u64>);

impl Steps {
    /// A single number.
    pub fn one(number: u64) -> Steps {
        Steps(vec![number])
    }

    /// All numbers, in the order in which they are tried.
    pub fn all(&self) -> &[u64] {
        &self.0
    }

    /// The first number: the only one, unless there is a sweep.
    pub fn first(&self) -> u64 {
        self.0[0]
    }

    /// A parser of numbers from one to this limit.
    pub fn up_to(most: u64) -> impl Fn(&str) -> Result<Steps, String> + Clone {
        move |text| {
            let steps: Steps = text.parse()?;
            match steps.0.iter().find(|number| !(1..=most).contains(*number)) {
                Some(number) => Err(format!("{number} is not in 1..={most}")),
                None => Ok(steps),
            }
        }
    }
}

impl FromStr for Steps {
    type Err = String;

    fn from_str(text: &str) -> Result<Steps, String> {
        let number = |text: &str| {
            text.parse::<u64>().map_err(|_| format!("`{text}` is no number; say n, a:b or a:step:b"))
        };
        let numbers: Vec<_> = text.split(':').map(number).collect::<Result<_, _>>()?;
        let (from, step, to) = match numbers[..] {
            [one] => return Ok(Steps::one(one)),
            [from, to] => (from, 1, to),
            [from, step, to] => (from, step, to),
            _ => return Err("say n, a:b or a:step:b".to_owned()),
        };
        if step == 0 {
            return Err("a step of 0 goes nowhere".to_owned());
        }
        let count = (from.abs_diff(to) / step).saturating_add(1);
        if count > MOST {
            return Err(format!("these are {count} numbers, more than {MOST}"));
        }
        let at = |index| if from <= to { from + index * step } else { from - index * step };
        Ok(Steps((0..count).map(at).collect()))
    }
}

impl Serialize for Steps {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.first().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_up_or_down() {
        let all = |text: &str| text.parse::<Steps>().map(|steps| steps.0);
        assert_eq!(all("3"), Ok(vec![3]));
        assert_eq!(all("1:4"), Ok(vec![1, 2, 3, 4]));
        assert_eq!(all("1:4:10"), Ok(vec![1, 5, 9]));
        assert_eq!(all("3:1"), Ok(vec![3, 2, 1]));
        assert_eq!(all("9:4:1"), Ok(vec![9, 5, 1]));
        assert_eq!(all("2:2"), Ok(vec![2]));
        assert_eq!(all("18446744073709551615:18446744073709551615"), Ok(vec![u64::MAX]));
    }

    #[test]
    fn sweeps_that_make_no_sense_are_refused() {
        for (text, said) in [
            ("", "no number"),
            ("1:", "no number"),
            ("1:0:4", "goes nowhere"),
            ("1:2:3:4", "a:step:b"),
            ("-1", "no number"),
            ("1:101", "101 numbers"),
            ("0:18446744073709551615", "more than 100"),
        ] {
            let told = text.parse::<Steps>().expect_err(text);
            assert!(told.contains(said), "{text}: {told}");
        }
        assert_eq!(Steps::up_to(256)("0:3"), Err("0 is not in 1..=256".to_owned()));
        assert_eq!(Steps::up_to(256)("250:257"), Err("257 is not in 1..=256".to_owned()));
    }
}
