//! The table of platforms in `README.md`. Its rows are those that the scripts in `ci/` have written.

use crate::source::root;
use std::{env, fs};

const BEGIN: &str = "<!-- platforms -->\n";
const END: &str = "<!-- end of platforms -->\n";
const HEAD: &str = "| platform | how | tests that passed | by, when, commit |\n|---|---|---|---|\n";

/// The README with the rows of this record between its marks, or what is wrong.
fn replaced(readme: &str, record: &str) -> Result<String, String> {
    let rows: Vec<_> = record.lines().filter(|line| !line.starts_with('#')).collect();
    if let Some(row) = rows.iter().find(|row| row.matches('|').count() != 5) {
        return Err(format!("a row of the record has not four columns: {row}"));
    }
    let (before, rest) = readme.split_once(BEGIN).ok_or("there is no mark where the table begins")?;
    let (_, after) = rest.split_once(END).ok_or("there is no mark where the table ends")?;
    Ok(format!("{before}{BEGIN}{HEAD}{}\n{END}{after}", rows.join("\n")))
}

/// With `BLESS=1` it is written anew.
#[test]
fn the_readme_has_the_platforms_of_the_record() {
    let (page, record) = (root().join("README.md"), root().join("ci/platforms.txt"));
    let [readme, record] = [&page, &record].map(|file| fs::read_to_string(file).expect("it is there"));
    let now = replaced(&readme, &record).expect("the table can be made");
    if env::var_os("BLESS").is_some() {
        fs::write(page, now).expect("the README can be written");
    } else {
        assert_eq!(readme, now, "`BLESS=1 cargo test -p pipes-tests --test layers platforms` writes it");
    }
}

#[test]
fn the_table_of_platforms_is_made_of_the_record() {
    let page = |rows: &str| format!("before\n{BEGIN}{rows}{END}after\n");
    let row = "| a | b | c | d |";
    let made = replaced(&page("old\n"), &format!("# a comment\n{row}\n{row}\n"));
    assert_eq!(made, Ok(page(&format!("{HEAD}{row}\n{row}\n"))));
    assert!(replaced(&page(""), "| a | b | c |\n").is_err());
    assert!(replaced("before\nafter\n", row).is_err());
}
