//! Races, repeated very often.

mod bounded;
mod closed;
mod race;
mod races;
mod rings;
mod runs;
mod selects;
mod sets;
mod shared;
mod shared_bounded;
mod shared_ports;
mod shared_room;
mod wakers;
