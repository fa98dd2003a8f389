//! Without a receiver there is nothing to wait for.

fn main() {
    pipes::select! {}
}
