//! Bugs that happened to others where there are many ends, each as a test named after it.
//!
//! Those that are races are repeated in `tests/stress`; this module has what a few threads can show.

mod closing;
mod waiting;
