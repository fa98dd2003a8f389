//! With `schema`, each payload needs a shape.

mod protocols {
    #[derive(serde::Serialize, serde::Deserialize)]
    pub struct Order {
        pub number: u64,
    }

    pipes::proto! {
        #[remote(schema)]
        pub shop { s: send { m(Order) -> ! } }
    }
}

fn main() {
    let _ = protocols::shop::connect(&pipes_remote::tcp("localhost:7000"));
}
