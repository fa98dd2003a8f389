//! A receiver is named by a variable.

struct Both {
    first: pipes::Port<u64>,
    second: Vec<pipes::Port<u64>>,
}

fn main() {
    let mut both = Both { first: pipes::stream().1, second: vec![pipes::stream().1] };
    pipes::select! {
        number = both.first => drop(number),
        default => {}
    }
    pipes::select! {
        number = both.second[0] => drop(number),
        default => {}
    }
    pipes::select! {
        number = pipes::stream::<u64>().1 => drop(number),
    }
}
