//! What could free twice, leak, read what is gone, or race.

mod borrowed;
mod burials;
mod clones;
mod crowds;
mod forgotten;
mod instances;
mod layouts;
mod moves;
mod owners;
mod receivers;
mod reentry;
mod teardown;
mod tokens;
