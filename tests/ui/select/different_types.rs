//! The arms are the arms of one expression.

fn main() {
    let ((_one, mut first), (_two, mut second)) = (pipes::stream::<u64>(), pipes::stream::<String>());
    let _value = pipes::select! {
        number = first => number,
        word = second => word,
    };
    let _value: u64 = pipes::select! {
        number = first => number.unwrap_or(0),
        default => "nothing",
    };
}
