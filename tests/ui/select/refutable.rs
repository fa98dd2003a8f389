//! An arm gets what `recv` gives, whatever it is.

fn main() {
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select! {
        Ok(number) = port => drop(number),
    }
}
