//! Races, repeated very often.

mod broadcasts;
mod race;
mod races;
mod rings;
mod scenarios;
mod selects;
mod sets;
mod shared;
mod shared_bounded;
mod shared_ports;
mod shared_room;
mod snapshots;
