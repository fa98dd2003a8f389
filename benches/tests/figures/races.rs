//! The races: the rows of `rows.txt`, and the file of each.

use serde_json::Value;

use crate::read;

/// Where the files are.
pub const FOLDER: &str = "benches/figures";

/// A line of `rows.txt`.
#[derive(Debug)]
pub struct Row {
    tables: Vec<String>,
    command: String,
}

/// A race, as it was run.
#[derive(Debug)]
pub struct Race {
    row: Row,
    /// The first line of the file: the day, the processor, the compiler and the commit.
    head: Value,
    /// A line for each contender.
    contenders: Vec<Value>,
}

/// Returns the rows, in their order.
pub fn rows() -> Vec<Row> {
    let text = read(&format!("{FOLDER}/rows.txt"));
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let (tables, command) = line.split_once(' ').expect("a row has tables and a command");
        Row { tables: tables.split(',').map(str::to_owned).collect(), command: command.to_owned() }
    })
    .collect()
}

/// Returns all races, in the order of the rows. Panics if a file is missing, or is that of another command.
pub fn all() -> Vec<Race> {
    rows().into_iter().map(Race::read).collect()
}

impl Row {
    /// Returns the name of the file, which is that of `ci/figures.sh`.
    pub fn file(&self) -> String {
        let is_kept = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
        let words: Vec<_> =
            self.command.split(|letter| !is_kept(letter)).filter(|word| !word.is_empty()).collect();
        format!("{}.json", words.join("-"))
    }
}

impl Race {
    fn read(row: Row) -> Race {
        let file = row.file();
        let text = read(&format!("{FOLDER}/{file}"));
        let parsed = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut lines = text.lines().map(parsed);
        let head: Value = lines.next().unwrap_or_else(|| panic!("{file} is empty"));
        assert_eq!(head["command"], row.command, "{file} is that of another command");
        let race = Race { row, head, contenders: lines.collect() };
        assert!(race.contenders.len() > 1, "{file} has no contenders");
        race.contenders.iter().for_each(|contender| race.check(contender));
        race
    }

    /// Panics if a line is not of this race.
    fn check(&self, contender: &Value) {
        let file = self.row.file();
        assert_eq!(contender["verified"], true, "{file} has a result that was not verified");
        let program = contender["program"].as_str().expect("a line has a program");
        let wanted = self.row.command.split(' ').next().expect("a row has a program");
        // With `--processes`, a program runs the one between processes.
        assert_eq!(
            program.strip_prefix("remote-").unwrap_or(program),
            wanted.strip_prefix("remote-").unwrap_or(wanted)
        );
        let number = |name: &str| contender[name].as_f64().unwrap_or_else(|| panic!("{file} has no {name}"));
        let is_about = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-6;
        assert!(
            is_about(number("ns_per_op"), number("median_seconds") * 1e9 / number("ops")),
            "{file} was edited"
        );
        for (option, value) in self.options() {
            let said = match option {
                "repeat" => &contender["repeat"],
                "on" | "over" | "messages" | "rounds" | "capacity" | "batch" | "work" | "shape" | "scale"
                | "size" => &contender["params"][option],
                _ => continue,
            };
            let said = said.as_str().map_or_else(|| said.to_string(), str::to_owned);
            assert_eq!(said, value, "{file} is of another --{option}");
        }
    }

    /// Returns the options with a value.
    fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let words: Vec<_> = self.row.command.split(' ').collect();
        let pairs: Vec<_> = words.windows(2).map(|pair| (pair[0], pair[1])).collect();
        pairs.into_iter().filter_map(|(option, value)| Some((option.strip_prefix("--")?, value)))
    }

    /// Returns the names of the tables in which the race stands.
    pub fn tables(&self) -> &[String] {
        &self.row.tables
    }

    /// Returns `true` if the race stands in this table.
    pub fn is_in(&self, table: &str) -> bool {
        self.row.tables.iter().any(|name| name == table)
    }

    /// Returns the command without the number of rounds, the choice of contenders and the name of a chart.
    pub fn command(&self) -> String {
        let mut shown = Vec::new();
        let mut words = self.row.command.split(' ');
        while let Some(word) = words.next() {
            if matches!(word, "--repeat" | "--contenders" | "--plot") {
                words.next();
            } else {
                shown.push(word);
            }
        }
        shown.join(" ")
    }

    /// Returns a value of the first line.
    pub fn head(&self, name: &str) -> &str {
        self.head[name].as_str().unwrap_or_else(|| panic!("{} has no {name}", self.row.file()))
    }

    /// Returns the lines of the contenders.
    pub fn contenders(&self) -> &[Value] {
        &self.contenders
    }
}

#[test]
fn a_command_has_a_file_and_a_short_form() {
    let command = "ring --on tasks2 --contenders pipes,kanal --messages 10 --repeat 9".to_owned();
    let row = Row { tables: vec!["a".to_owned(), "b".to_owned()], command };
    assert_eq!(row.file(), "ring-on-tasks2-contenders-pipes-kanal-messages-10-repeat-9.json");
    let race = Race { row, head: Value::Null, contenders: Vec::new() };
    assert_eq!(race.command(), "ring --on tasks2 --messages 10");
    assert!(race.is_in("b") && !race.is_in("c"));
}
