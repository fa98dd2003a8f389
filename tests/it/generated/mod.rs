//! The code that `proto!` generates, as programs use it.

mod any;
mod bounds;
mod delegation;
mod drops;
mod endings;
mod parameters;
mod payloads;
mod printing;
mod receiving;
mod sides;
mod states;
mod traits;
mod walk;
