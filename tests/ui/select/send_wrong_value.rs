//! A value of another type than that of the stream, and a pattern that does not match every result.

fn main() {
    let (mut chan, _port) = pipes::sync_stream::<u64>(1);
    pipes::select! {
        sent = chan.send("one") => drop(sent),
    }
    pipes::select! {
        Ok(()) = chan.send(1) => {}
    }
}
