//! Behaviour of slots, endpoints, oneshots and streams, tested through the public interface.

mod acceptance;
mod auto_traits;
mod closed;
mod closed_hostile;
mod closing;
mod closing_peers;
mod drops;
mod duplex;
mod eventuals;
mod generated;
mod hostile;
mod many_traps;
mod parking;
mod runs;
mod selects;
mod services;
mod sets;
mod shared_ports;
mod shared_ports_hostile;
mod sizes;
mod stages;
mod streams;
mod table;
mod traps;
mod verbs;
mod waiting;
