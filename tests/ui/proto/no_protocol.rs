//! Nothing was written.

pipes::proto! {}

fn main() {}
