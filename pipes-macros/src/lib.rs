//! The protocol compiler of `pipes`.
//!
//! It has no macro yet: until it does, protocols are written by hand in the form that it will print (the example
//! `02_ping_pong_by_hand` shows that form line by line).
