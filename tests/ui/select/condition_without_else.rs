//! If no condition holds there is no receiver to wait for, and something has to be done.

fn main() {
    let ((_one, mut first), (_two, mut second)) = (pipes::stream::<u64>(), pipes::stream::<u64>());
    let open = true;
    pipes::select! {
        number = first, if open => drop(number),
        number = second => drop(number),
    }
}
