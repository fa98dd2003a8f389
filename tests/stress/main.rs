//! Races, run very many times.
#![cfg(not(pipes_loom))]

mod race;
mod races;
mod rings;
mod wakers;
