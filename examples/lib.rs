//! The course: complete programs, to be read in the order of `README.md`.
