//! What no program reaches unless the library is broken.

use std::fmt::Debug;

/// Ends the process: a slot was found in a state that its table calls impossible. To go on would mean to use
/// freed memory.
#[cold]
pub(super) fn impossible(found: impl Debug) -> ! {
    eprintln!("pipes: a slot was found {found:?} where that cannot be; this is a defect of the library");
    std::process::abort()
}
