//! The tests of the successor of the 2012 pipes: `std::rt::comm` and `std::select`, May to August 2013.

mod megapipe;
mod oneshot_one_thread;
mod oneshot_two_threads;
mod select;
mod shared_chan;
mod shared_port;
mod streams;
