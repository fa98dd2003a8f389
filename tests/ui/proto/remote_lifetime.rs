//! Borrowed data cannot travel between programs.

pipes::proto! {
    #[remote]
    lending<'a> {
        s: send { look(&'a str) -> ! }
    }
}

fn main() {
    let _ = lending::pipe();
}
