//! What could free twice, leak, read what is gone, or race.

mod arc_wakers;
mod borrowed;
mod burials;
mod clones;
mod crowds;
mod failures;
mod fickle_keys;
mod forgotten;
mod fuses;
mod instances;
mod layouts;
mod left;
mod lies;
mod moves;
mod owners;
mod posts;
mod receivers;
mod reentry;
mod rounds;
mod tables;
mod tasks;
mod teardown;
mod tokens;
mod travel;
mod two_wakers;
