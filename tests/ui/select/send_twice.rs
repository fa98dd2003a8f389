//! A chan is in two arms, in its own value, and with a value of another type.

fn main() {
    let (mut chan, _port) = pipes::sync_stream(1);
    pipes::select! {
        sent = chan.send(1) => drop(sent),
        again = chan.send(2) => drop(again),
    }
    pipes::select! {
        sent = chan.send(chan.capacity().unwrap_or(0)) => drop(sent),
    }
}
