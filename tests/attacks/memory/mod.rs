//! What could free twice, leak, read what is gone, or race.

mod anybody;
mod arc_wakers;
mod borrowed;
mod burials;
mod clones;
mod crowds;
mod deep;
mod failures;
mod fickle_keys;
#[cfg(not(miri))]
mod figures;
mod forgotten;
mod fuses;
mod instances;
mod layouts;
mod left;
mod lent;
mod lies;
mod moves;
mod nests;
mod owners;
mod posts;
mod receivers;
mod reentry;
mod rounds;
mod stashed;
mod tables;
mod tasks;
mod teardown;
mod tokens;
mod travel;
mod two_wakers;
