//! The results as comma-separated values (RFC 4180).

use std::path::Path;

use serde_json::{Map, Value};

use super::Report;
use crate::failure::Failure;
use crate::files::Part;

/// A table whose columns grow as rows need them.
#[derive(Debug, Default)]
pub struct Csv {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Csv {
    /// A row for each contender of each race.
    pub fn of<'a>(races: impl IntoIterator<Item = &'a Report>) -> Csv {
        let mut csv = Csv::default();
        for report in races {
            for times in &report.times {
                csv.rows.push(Vec::new());
                csv.add("program", report.program);
                csv.add_all("", report.params.as_object());
                csv.add("contender", times.contender);
                csv.add("ops", report.ops);
                csv.add("repeat", report.rounds);
                let figures = [
                    ("median_seconds", Some(times.median())),
                    ("min_seconds", Some(times.min())),
                    ("max_seconds", Some(times.max())),
                    ("mean_seconds", Some(times.mean())),
                    ("deviation_seconds", times.deviation()),
                    ("confidence_seconds", times.confidence()),
                    ("ops_per_second", Some(report.ops as f64 / times.median())),
                ];
                figures.into_iter().for_each(|(name, value)| csv.add(name, value));
                let placements = serde_json::to_value(report.placements).unwrap_or_default();
                csv.add_all("placements.", placements.as_object());
                csv.add_all("", Some(times.figures()));
            }
        }
        csv
    }

    /// Adds a field to the last row.
    fn add(&mut self, column: &str, value: impl Into<Value>) {
        let text = match value.into() {
            Value::Null => String::new(),
            Value::String(text) => text,
            other => other.to_string(),
        };
        let place = self.columns.iter().position(|name| name == column).unwrap_or_else(|| {
            self.columns.push(column.to_owned());
            self.columns.len() - 1
        });
        if let Some(row) = self.rows.last_mut() {
            row.resize(row.len().max(place + 1), String::new());
            row[place] = text;
        }
    }

    /// Adds all of these; what is inside of an object has the object's name in front.
    fn add_all(&mut self, before: &str, values: Option<&Map<String, Value>>) {
        for (name, value) in values.into_iter().flatten() {
            match value {
                Value::Object(inner) => self.add_all(&format!("{before}{name}."), Some(inner)),
                // Blocks of text are for people.
                Value::String(text) if text.contains('\n') => {}
                value => self.add(&format!("{before}{name}"), value.clone()),
            }
        }
    }

    /// The text of the file.
    fn text(&self) -> String {
        let width = self.columns.len();
        let line = |cells: &[String]| {
            let mut cells: Vec<_> = cells.iter().map(|cell| quoted(cell)).collect();
            cells.resize(width, String::new());
            cells.join(",") + "\n"
        };
        line(&self.columns) + &self.rows.iter().map(|row| line(row)).collect::<String>()
    }

    /// Checks that a file can be written. To be called before a race.
    pub fn prepare(path: &Path) -> Result<(), Failure> {
        Part::beside(path).map(drop).map_err(|error| Failure::io("no table", &error))
    }

    /// Writes the file.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let written = Part::beside(path).and_then(|mut part| {
            part.write(self.text().as_bytes())?;
            part.keep()
        });
        written.map_err(|error| Failure::io("no table", &error))
    }
}

/// A field, in quotation marks if it needs them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_all_columns_and_fields_are_quoted() {
        let mut csv = Csv::default();
        csv.rows.push(Vec::new());
        csv.add("name", "a \"b\", c");
        csv.rows.push(Vec::new());
        csv.add("name", "d");
        csv.add("n", 3);
        let stages = serde_json::json!({ "stages": { "one": { "p50": 1.5 } }, "text": "a\nb", "no": null });
        csv.add_all("", stages.as_object());
        let due = "name,n,stages.one.p50,no\n\"a \"\"b\"\", c\",,,\nd,3,1.5,\n";
        assert_eq!(csv.text(), due);
    }
}
