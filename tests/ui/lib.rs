//! Programs that the compiler refuses, or accepts: the tests are in `main.rs`.
