//! Channels in which every receiver gets every message.

mod lagging;
mod lines;
mod positions;
mod values;
mod waits;
