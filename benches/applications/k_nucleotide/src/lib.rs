//! The windows of a sequence of letters, counted by their size: what the programs share that count in one
//! process and in several.
//!
//! ```text
//! text (options) ──► input ──► source, lines, chunk ──► letters
//!   │                  └─► fasta (the generator)
//!   └─► due (the expected output)
//! streams (our workers in threads) ──► sizes ──► counted ──► table ──► hash, letters
//! sequential ─────────────────────────────┘
//! ```
//!
//! `k-nucleotide` (in `pipes-applications`) compares ways to count in one process.
//! `remote-k-nucleotide` (in `pipes-remote-programs`) counts the same chunks in other processes.

pub mod chunk;
pub mod counted;
pub mod due;
pub mod fasta;
pub mod hash;
pub mod input;
pub mod letters;
pub mod lines;
pub mod sequential;
pub mod sizes;
pub mod source;
pub mod streams;
pub mod table;
pub mod text;
