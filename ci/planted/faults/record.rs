//! The record of the tests that report each fault.

use crate::Result;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const HEAD: &str = "\
# Which tests report each fault of faults.toml. `ci/planted.sh faults --all` writes it. After a fault's name
# and the hash of what it is, each test target, or folder with unit tests, has the modules whose tests report
# the fault. `-` stands for tests in no module. A module with a `*` took too long. `nothing` says that no test
# reports the fault.
";
const WIDTH: usize = 110;

/// What reports a fault.
pub struct Caught {
    /// The hash of the fault.
    pub hash: String,
    /// The modules that report it, by targets.
    pub by: BTreeMap<String, Vec<String>>,
}

impl Caught {
    /// Returns `true` if a module reports the fault.
    pub fn has(&self, target: &str, module: &str) -> bool {
        self.by.get(target).is_some_and(|modules| modules.iter().any(|it| it.trim_end_matches('*') == module))
    }
}

/// What reports each fault, by its name.
pub type Record = BTreeMap<String, Caught>;

/// Reads the record; it is empty if there is no file.
pub fn read(path: &Path) -> Result<Record> {
    let mut record = Record::new();
    let text = if path.exists() { fs::read_to_string(path)? } else { String::new() };
    let (mut fault, mut target) = (String::new(), String::new());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if line.starts_with(' ') {
            let caught = record.get_mut(&fault).ok_or("the record has modules before a fault")?;
            for word in line.split_whitespace().filter(|word| *word != "nothing") {
                match word.strip_suffix(':') {
                    Some(name) => name.clone_into(&mut target),
                    None => caught.by.entry(target.clone()).or_default().push(word.to_owned()),
                }
            }
        } else if let Some((name, hash)) = line.split_once(' ') {
            name.clone_into(&mut fault);
            record.insert(fault.clone(), Caught { hash: hash.to_owned(), by: BTreeMap::new() });
        }
    }
    Ok(record)
}

/// Writes the record.
pub fn write(path: &Path, record: &Record) -> Result<()> {
    let mut text = HEAD.to_owned();
    for (name, caught) in record {
        writeln!(text, "{name} {}", caught.hash)?;
        if caught.by.is_empty() {
            text += "    nothing\n";
        }
        for (target, modules) in &caught.by {
            let mut line = format!("    {target}:");
            for module in modules {
                if line.len() + 1 + module.len() > WIDTH {
                    writeln!(text, "{line}")?;
                    line = "       ".to_owned();
                }
                line += " ";
                line += module;
            }
            writeln!(text, "{line}")?;
        }
    }
    let new = path.with_extension("new");
    fs::write(&new, text)?;
    Ok(fs::rename(new, path)?)
}
