//! Versions that are no numbers.

pipes::proto! {
    #[remote(version = "two")]
    word {
        s: send { m -> ! }
    }
    #[remote(version = -1)]
    negative {
        s: send { m -> ! }
    }
    #[remote(version = 4294967296)]
    large {
        s: send { m -> ! }
    }
}

fn main() {
    let _ = word::pipe();
}
