//! Protocols between programs.

/// Arguments that `remote` does not have, or not twice.
mod remote_argument {
    pipes::proto! {
        #[remote(secret)]
        unknown { s: send { m -> ! } }
        #[remote(schema = true)]
        with_a_value { s: send { m -> ! } }
        #[remote(version(2))]
        with_a_list { s: send { m -> ! } }
        #[remote(version = 1, schema, version = 2)]
        twice { s: send { m -> ! } }
    }
}

/// Versions that are no numbers.
mod remote_version {
    pipes::proto! {
        #[remote(version = "two")]
        word { s: send { m -> ! } }
        #[remote(version = -1)]
        negative { s: send { m -> ! } }
        #[remote(version = 4294967296)]
        large { s: send { m -> ! } }
    }
}

/// Borrowed data cannot travel between programs.
mod remote_lifetime {
    pipes::proto! {
        #[remote]
        lending<'a> { s: send { look(&'a str) -> ! } }
    }
}

/// A parameter of a state, for which each step chooses a type.
mod remote_parameter {
    pipes::proto! {
        #[remote]
        growing {
            start: send { first -> open<u8>, second -> open<u16> }
            open: send<T> { item(T) -> ! }
        }
    }
}

/// A parameter of states that no session reaches.
mod remote_unreached {
    pipes::proto! {
        #[remote]
        half<T> {
            open: send { number(u8) -> ! }
            #[allow(deprecated)]
            lost: send { item(T) -> ! }
        }
    }
}

/// A stranger could announce any number of elements that take no bytes.
mod remote_weightless {
    pipes::proto! {
        #[remote]
        crowd {
            s: send { names(Vec<String>) -> s, present(Vec<()>) -> !, seats(Option<Box<[((), [u8; 0])]>>) -> ! }
        }
    }
}

fn main() {}
