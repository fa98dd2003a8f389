//! What is neither an endpoint nor a port nor a set.

fn main() {
    let (mut chan, mut port) = pipes::stream::<u64>();
    let mut number = 5;
    pipes::select! {
        message = port => drop(message),
        message = chan => drop(message),
        message = number => drop(message),
    }
}
