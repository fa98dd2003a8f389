//! To wait for room leaves a mark in a chan.

fn main() {
    let (chan, _port) = pipes::sync_stream(1);
    let (shared, _other) = pipes::shared_sync_stream(1);
    pipes::select! {
        sent = chan.send(1) => drop(sent),
        sent = shared.send(2) => drop(sent),
    }
}
