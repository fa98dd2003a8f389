//! Arguments that `remote` does not have, or not twice.

pipes::proto! {
    #[remote(secret)]
    unknown {
        s: send { m -> ! }
    }
    #[remote(schema = true)]
    with_a_value {
        s: send { m -> ! }
    }
    #[remote(version(2))]
    with_a_list {
        s: send { m -> ! }
    }
    #[remote(version = 1, schema, version = 2)]
    twice {
        s: send { m -> ! }
    }
}

fn main() {
    let _ = unknown::pipe();
}
