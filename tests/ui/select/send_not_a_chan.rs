//! What cannot send, or not here.

fn main() {
    let (mut once, mut port) = pipes::oneshot::<u64>();
    pipes::select! {
        sent = once.send(1) => drop(sent),
        sent = port.send(2) => drop(sent),
    }
}
