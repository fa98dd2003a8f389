//! The server of an auction between web pages: the page, its files and the sessions, on one port.

mod house;
mod web;

pub use house::{House, Seat};
pub use web::app;
