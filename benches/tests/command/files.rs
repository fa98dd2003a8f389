//! Files for the tests of the command and of its companions.

use std::fs;
use std::path::Path;

/// A file that no other test writes, and that is not there yet.
pub fn fresh_file(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_file(&path).expect("the old file goes");
    }
    path.to_str().expect("the path is text").to_owned()
}
