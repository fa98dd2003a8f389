//! Breadth-first search by the rules of the Graph500 benchmark: what the programs share that search in one
//! process and in several.
//!
//! ```text
//! problem ──► kronecker, graph, components, rules, trees, figures
//!                             │
//! workers ──► steps ──────────┴──► bits
//! ```
//!
//! `graph500` (in `pipes-applications`) compares ways to search in one process. `remote-graph500` (in
//! `pipes-remote-programs`) searches with the same [`workers`], each in a process of its own.

pub mod bits;
pub mod components;
pub mod figures;
pub mod graph;
pub mod kronecker;
pub mod problem;
pub mod rules;
pub mod steps;
pub mod trees;
pub mod workers;
