//! A chan is named by a variable.

struct Relay {
    chan: pipes::Chan<u64>,
    chans: Vec<pipes::SharedChan<u64>>,
}

impl Relay {
    fn relay(&mut self) {
        pipes::select! {
            sent = self.chan.send(1) => drop(sent),
            default => {}
        }
        pipes::select! {
            sent = self.chans[0].send(1), if true => drop(sent),
            else => {}
        }
    }
}

fn main() {
    let (chan, _port) = pipes::sync_stream(1);
    Relay { chan, chans: Vec::new() }.relay();
}
