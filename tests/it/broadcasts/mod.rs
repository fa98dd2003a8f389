//! Channels in which every receiver gets every message.

mod hostile;
mod lagging;
mod lines;
mod positions;
mod requests;
mod values;
mod waits;
