//! Bugs that happened to others where there are many ends, each as a test named after it.
//!
//! Like the other traps, those that are races run very often among the races; here is what a few threads can show.

mod closing;
mod waiting;
