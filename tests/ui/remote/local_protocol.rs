//! A protocol without `#[remote]` stays in its program.

mod protocols {
    pipes::proto! {
        pub local { s: send { m(u8) -> ! } }
    }
}

fn serve<P: pipes::Remote>() -> &'static str {
    P::NAME
}

fn main() {
    serve::<protocols::local::Protocol>();
    let _ = protocols::local::connect(&pipes_remote::tcp("localhost:7000"));
}
