//! A payload needs serde's derives.

mod protocols {
    pub struct Order {
        pub number: u64,
    }

    pipes::proto! {
        #[remote]
        pub shop { s: send { m(Order) -> ! } }
    }
}

fn main() {
    let _ = protocols::shop::listen(&pipes_remote::tcp("localhost:7000"));
}
