//! The only call in an arm is `send`, with one value.

fn main() {
    let (mut chan, mut port) = pipes::sync_stream::<u64>(1);
    pipes::select! { sent = chan.send() => drop(sent) }
    pipes::select! { sent = chan.send(1, 2) => drop(sent) }
    pipes::select! { sent = chan.try_send(1) => drop(sent) }
    pipes::select! { sent = chan.send_async(1), if true => drop(sent), else => {} }
    pipes::select! { number = port.recv() => drop(number) }
}
