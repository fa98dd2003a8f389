//! The end of a program in which the library is broken.

use std::fmt::Debug;

/// Aborts the process, because a slot was found in a state that its table calls impossible. Going on could
/// mean using freed memory.
#[cold]
pub(super) fn impossible(found: impl Debug) -> ! {
    eprintln!("pipes: a slot was found {found:?} where that cannot be; this is a defect of the library");
    std::process::abort()
}
