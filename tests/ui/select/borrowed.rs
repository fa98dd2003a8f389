//! A receiver that is borrowed already is a variable like others: it has to be `mut`.

fn wait(port: &mut pipes::Port<u64>) {
    pipes::select! {
        number = port => drop(number),
        default => {}
    }
}

fn main() {
    wait(&mut pipes::stream().1);
}
