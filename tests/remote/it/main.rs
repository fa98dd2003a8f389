//! Protocols between programs, seen from outside.

mod addresses;
mod basics;
mod causes;
mod cuts;
mod destructors;
mod drained;
mod drivers;
mod eager;
mod eager_attacks;
mod eager_servers;
mod eager_sockets;
mod encoding;
mod faults;
#[cfg(unix)]
mod fork;
mod handshake;
mod identities;
mod killed;
mod listeners;
mod peers;
mod quic;
mod races;
mod runtimes;
mod secure;
mod secure_attacks;
mod secure_blocked;
mod secure_idle;
mod shared;
mod silence;
mod sizes;
mod streams;
mod window;
