//! Protocols between programs, seen from outside.

mod addresses;
mod causes;
#[cfg(target_os = "linux")]
mod closed_ports;
mod cuts;
mod delivered;
#[cfg(unix)]
mod denied;
mod drivers;
mod eager;
mod eager_servers;
mod encoding;
#[cfg(not(windows))]
mod ending_threads;
#[cfg(unix)]
mod fork;
mod handshake;
mod hygiene;
mod identities;
mod late_calls;
mod listeners;
mod names;
mod panics;
mod peers;
mod quic;
mod races;
mod refused;
mod runtimes;
mod secure;
mod shapes;
mod shared;
mod silence;
#[cfg(target_os = "linux")]
mod silent_addresses;
mod sizes;
mod slow;
#[cfg(unix)]
mod stopped;
mod streams;
mod table;
#[cfg(unix)]
mod unix_files;
#[cfg(unix)]
mod unix_room;
mod window;
mod ws;

#[cfg(unix)]
use pipes_remote_tests::children::{role, wait_for_ever};

/// Only for other processes; a run without a role has nothing to do.
#[cfg(unix)]
#[test]
fn as_another_process() {
    let Some((role, place)) = role() else { return };
    match role.as_str() {
        "receives" => stopped::receives(&place),
        "descriptors" => denied::without_descriptors(),
        "disk" => denied::without_room(&place),
        "waits" => wait_for_ever(),
        "forks" => fork::forks(),
        "socket" => unix_files::serves(&place),
        "moves" => unix_files::moves(&place),
        _ => panic!("an unknown role: {role}"),
    }
}
