//! The copy of the tree.

use crate::fault::Fault;
use crate::{Places, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What is not copied.
const LEFT_OUT: [&str; 2] = ["target", ".git"];
/// The module that `splice` adds to each package.
const MODULE: &str = "planted_fault.rs";

/// Makes a copy of a folder. Files that are the same already are left alone, so that they are not compiled
/// again.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if !from.join(entry.file_name()).exists() && entry.file_name() != MODULE {
            let path = entry.path();
            if entry.file_type()?.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (name, path) = (entry.file_name(), entry.path());
        if LEFT_OUT.iter().any(|left_out| name == *left_out) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy(&path, &to.join(name))?;
        } else if !has_faults(&path) {
            write(&to.join(name), &fs::read(&path)?)?;
        }
    }
    Ok(())
}

/// Returns `true` if the file may get faults. `splice` writes these files.
fn has_faults(path: &Path) -> bool {
    let is_source = path.extension().is_some_and(|extension| extension == "rs");
    is_source && path.components().any(|part| part.as_os_str() == "src")
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).ok().as_deref() != Some(bytes) {
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// Writes all sources to the copy, with the faults.
pub fn splice(places: &Places, faults: &[Fault]) -> Result<()> {
    let root = places.faults.ancestors().nth(3).expect("it is ci/planted/faults.toml");
    let mut files: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut packages: BTreeMap<&str, ()> = BTreeMap::new();
    for (number, fault) in faults.iter().enumerate() {
        files.entry(&fault.file).or_default().push(number);
        let package = fault.file.split_once("/src/").ok_or(format!("{}: not in a package", fault.name))?.0;
        packages.insert(package, ());
    }
    let module = module(places, faults);
    let declared: Vec<String> = packages.keys().map(|package| format!("{package}/src/lib.rs")).collect();
    for package in packages.keys() {
        write(&places.copy.join(package).join("src").join(MODULE), module.as_bytes())?;
    }
    sources(root, root, &mut |path: &str| {
        let mut text = fs::read_to_string(root.join(path))?;
        let numbers = files.remove(path).unwrap_or_default();
        let placed = numbers.iter().map(|&number| Ok((faults[number].place(&text, number)?, number)));
        let mut placed = placed.collect::<Result<Vec<_>>>()?;
        placed.sort_by_key(|((place, _), _)| place.start);
        for pair in placed.windows(2) {
            if pair[0].0.0.end > pair[1].0.0.start {
                let names = [pair[0].1, pair[1].1].map(|number| faults[number].name.as_str());
                return Err(format!("{path}: these overlap: {}", names.join(", ")).into());
            }
        }
        for ((place, new), _) in placed.into_iter().rev() {
            text.replace_range(place, &new);
        }
        if declared.iter().any(|lib| lib == path) {
            text += "\nmod planted_fault;\n";
        }
        write(&places.copy.join(path), text.as_bytes())
    })?;
    match files.keys().next() {
        None => Ok(()),
        Some(file) => Err(format!("{file} is not there").into()),
    }
}

/// Calls `each` with the path of each source, from the root.
fn sources(root: &Path, folder: &Path, each: &mut impl FnMut(&str) -> Result<()>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if LEFT_OUT.iter().any(|left_out| entry.file_name() == *left_out) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            sources(root, &path, each)?;
        } else if has_faults(&path) {
            each(path.strip_prefix(root)?.to_str().ok_or("a path is not text")?)?;
        }
    }
    Ok(())
}

/// The module that says which fault is switched on. It must not allocate, because some tests count that. So
/// it reads the environment from a file, which only Linux has.
fn module(places: &Places, faults: &[Fault]) -> String {
    let names: Vec<&str> = faults.iter().map(|fault| fault.name.as_str()).collect();
    include_str!("planted_fault.rs.txt")
        .replace("EXECUTED_FILE", &format!("{:?}", places.executed))
        .replace("ALL_NAMES", &format!("[&str; {}] = {names:?}", names.len()))
}
