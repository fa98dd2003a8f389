//! Panics about arguments: what they say, where they say that they are, and which public items have them.

use crate::caught;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::panic::{self, Location};
use std::path::Path;
use std::sync::Once;

thread_local! {
    /// While a panic of this thread is expected, where it was; the hook is silent then.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Asserts that the call panics, that the panic's place is the caller's line, and that its message begins
/// with `says`. Returns `item`.
#[track_caller]
pub fn panics_here(item: &'static str, says: &str, call: impl FnOnce()) -> &'static str {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
            let is_expected =
                PLACE.with_borrow_mut(|last| last.as_mut().zip(place).map(|(last, at)| *last = at));
            if is_expected.is_none() {
                before(info);
            }
        }));
    });
    PLACE.set(Some(String::new()));
    let panic = caught(call);
    let place = PLACE.take().unwrap_or_default();
    let panic = panic.unwrap_or_else(|| panic!("{item} does not panic"));
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default();
    assert!(text.starts_with(says), "{item}: {text}");
    // A long call is in one of the next lines.
    let here = Location::caller();
    let mut lines = (here.line()..here.line() + 3).map(|line| format!("{}:{line}", here.file()));
    assert!(lines.any(|line| line == place), "{item} panics at {place}, not at {here}");
    item
}

/// The items below this folder that are not private to the crate and whose documentation has a section
/// `# Panics`, as `file: name`.
pub fn documented_panics(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(inside).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).expect("the file can be read");
            let file = path.strip_prefix(folder).expect("it lies below the folder");
            let file = file.to_string_lossy().replace('\\', "/");
            found.extend(panicking(&text).map(|name| format!("{file}: {name}")));
        }
    }
    found
}

/// The names of the items of a file that have such a section.
fn panicking(text: &str) -> impl Iterator<Item = &str> {
    text.split("/// # Panics\n").skip(1).filter_map(|rest| {
        let code = |line: &&str| !line.starts_with("///") && !line.starts_with('#');
        let mut items = rest.lines().map(str::trim_start).filter(code);
        let (head, name) =
            items.find_map(|line| line.split_once("fn ").or_else(|| line.split_once("macro_rules! ")))?;
        let end = name.find(|it: char| it != '_' && !it.is_alphanumeric()).unwrap_or(name.len());
        (!head.starts_with("pub(")).then_some(&name[..end])
    })
}
