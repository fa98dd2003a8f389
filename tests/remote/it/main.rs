//! Protocols between programs, seen from outside.

mod addresses;
mod basics;
mod causes;
mod cuts;
#[cfg(unix)]
mod denied;
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
mod late_calls;
mod listeners;
mod names;
mod panics;
mod peers;
mod quic;
mod races;
mod runtimes;
mod secure;
mod secure_attacks;
mod secure_blocked;
mod secure_idle;
mod shapes;
mod shared;
mod silence;
mod sizes;
mod slow;
mod stopped;
mod streams;
mod unix_files;
mod unix_room;
mod window;
