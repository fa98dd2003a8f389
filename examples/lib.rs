//! The course: complete programs, which are best read in the order of `README.md`.

/// The snippets of the project's front page, compiled and run with the doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct FrontPage;
