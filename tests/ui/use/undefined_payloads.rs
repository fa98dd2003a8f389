//! A type that is not there: as a payload, in an argument, in a bound, in the function around the protocol.

pipes::proto! {
    payload {
        s: send { m(Missing) -> s2 }
        s2: recv { n -> s }
    }
    argument {
        s: send<T> { m(T) -> s<Missing> }
    }
    bound<T: Missing> {
        s: send { m(T) -> s }
    }
}

fn main() {
    struct Local;
    pipes::proto! {
        of_a_function { s: send { m(Local) -> s } }
    }
    let _ = of_a_function::pipe();
}
