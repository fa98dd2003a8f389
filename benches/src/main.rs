//! The benchmark command.
fn main() {}
