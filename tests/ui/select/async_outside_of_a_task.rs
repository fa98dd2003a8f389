//! Only a task can await.

fn main() {
    let (_chan, mut port) = pipes::stream::<u64>();
    pipes::select_async! {
        number = port => drop(number),
    }
}
