//! The expected output: known answers, or those of a simple and slow program.

use std::collections::BTreeMap;
use std::fmt::Write;

use md5::{Digest, Md5};

use super::table::SIZES;

/// What is known about the expected output.
#[derive(Debug, PartialEq, Eq)]
pub enum Due {
    /// The whole output.
    Text(String),
    /// Its MD5, for an input with a published answer.
    Md5(&'static str),
}

/// The output for the shortest input of the game.
const THOUSAND: &str = "\
T 31.520\nA 29.600\nC 19.480\nG 19.400\n\n\
AT 9.922\nTT 9.602\nTA 9.402\nAA 8.402\nGA 6.321\nTC 6.301\nTG 6.201\nGT 6.041\n\
CT 5.961\nAG 5.841\nCA 5.461\nAC 5.441\nCC 4.041\nCG 4.021\nGC 3.701\nGG 3.341\n\n\
54\tGGT\n24\tGGTA\n4\tGGTATT\n0\tGGTATTTTAATT\n0\tGGTATTTTAATTTATAGT\n";

impl Due {
    /// The answer for the generated text of this size, if it is known.
    pub fn known(n: u64) -> Option<Due> {
        match n {
            1_000 => Some(Due::Text(THOUSAND.to_owned())),
            250_000 => Some(Due::Md5("0d65ee5e08fda82ad57d28b91b3c62c7")),
            25_000_000 => Some(Due::Md5("f02cc90543a73d26a3bbf306227194b6")),
            _ => None,
        }
    }

    /// The answer for this text, whose sequence THREE is valid.
    pub fn counted(text: &[u8]) -> Due {
        let letters = letters(text);
        let mut due = String::new();
        for size in [1, 2] {
            due += &percentages(&letters, size);
        }
        for asked in SIZES[2..].iter().map(|size| &"GGTATTTTAATTTATAGT"[..*size]) {
            let count = letters.windows(asked.len()).filter(|window| *window == asked.as_bytes()).count();
            // Writing to a `String` cannot fail.
            let _ = writeln!(due, "{count}\t{asked}");
        }
        Due::Text(due)
    }

    /// Describes how this output differs from the expected one.
    pub fn verify(&self, text: &str) -> Result<(), String> {
        match self {
            Due::Md5(digits) => {
                let came = md5(text.as_bytes());
                if came == *digits {
                    return Ok(());
                }
                let bytes = text.len();
                Err(format!("{bytes} bytes with the MD5 {came} came out, where the MD5 {digits} was due"))
            }
            Due::Text(due) => {
                let lines = text.split('\n').map(Some).chain([None]);
                let due = due.split('\n').map(Some).chain([None]);
                match (1..).zip(lines.zip(due)).find(|(_, (line, due))| line != due) {
                    None => Ok(()),
                    Some((number, (line, due))) => Err(format!(
                        "line {number} is `{}` instead of `{}`",
                        line.unwrap_or("missing"),
                        due.unwrap_or("missing")
                    )),
                }
            }
        }
    }
}

/// The MD5 of these bytes in the usual notation.
pub(crate) fn md5(bytes: &[u8]) -> String {
    format!("{:032x}", u128::from_be_bytes(Md5::digest(bytes).into()))
}

/// All letters of sequence THREE, in upper case.
fn letters(text: &[u8]) -> Vec<u8> {
    let lines = text.split(|byte| *byte == b'\n');
    let is_three = |line: &&[u8]| line.split(u8::is_ascii_whitespace).next() == Some(b">THREE");
    let three = lines.skip_while(|line| !is_three(line)).skip(1);
    let mut letters: Vec<u8> = three.take_while(|line| !line.starts_with(b">")).flatten().copied().collect();
    letters.retain(|letter| *letter != b'\r');
    letters.make_ascii_uppercase();
    letters
}

fn percentages(letters: &[u8], size: usize) -> String {
    let mut counts: BTreeMap<&[u8], u32> = BTreeMap::new();
    letters.windows(size).for_each(|window| *counts.entry(window).or_default() += 1);
    let mut windows: Vec<_> = counts.into_iter().collect();
    // The sort is stable: equally frequent windows stay in alphabetical order.
    windows.sort_by_key(|(_, count)| u32::MAX - count);
    let total = letters.windows(size).count() as f64;
    let line = |(window, count): (&[u8], u32)| {
        format!("{} {:.3}\n", String::from_utf8_lossy(window), 100.0 * f64::from(count) / total)
    };
    windows.into_iter().map(line).collect::<String>() + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::input::Input;
    use super::*;

    #[test]
    fn the_simple_program_knows_what_is_known() {
        for n in [1_000, 250_000] {
            let input = Input::generated(n).expect("it fits into memory");
            let Due::Text(counted) = Due::counted(&input.text().expect("it is there")) else {
                unreachable!("`counted` gives a text")
            };
            assert_eq!(Due::known(n).expect("it is known").verify(&counted), Ok(()));
            assert_eq!(
                md5(counted.as_bytes()),
                ["3b6fac2ed835eefc452a69a1ca4fa677", "0d65ee5e08fda82ad57d28b91b3c62c7"]
                    [usize::from(n > 1_000)]
            );
        }
    }

    #[test]
    fn another_output_is_told() {
        let due = Due::known(1_000).expect("it is known");
        assert_eq!(due.verify(THOUSAND), Ok(()));
        let told = due.verify(&THOUSAND.replace("54\t", "55\t"));
        assert_eq!(told, Err("line 23 is `55\tGGT` instead of `54\tGGT`".to_owned()));
        due.verify(&THOUSAND[..THOUSAND.len() - 1]).expect_err("the end of the last line is missing");
        due.verify(&format!("{THOUSAND}\n")).expect_err("there is a line too many");
        let told = Due::Md5("0d65ee5e08fda82ad57d28b91b3c62c7").verify(THOUSAND);
        assert!(told.is_err_and(|told| told.contains("3b6fac2ed835eefc452a69a1ca4fa677")));
    }
}
