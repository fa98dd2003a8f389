//! Protocols that stay in their program, and what is no address.

pipes::proto! {
    local { s: send { m(u8) -> ! } }

    #[remote]
    shop { s: send { m(u8) -> ! } }
}

fn serve<P: pipes::remote::Remote>() -> &'static str {
    P::NAME
}

fn main() {
    serve::<local::Protocol>();
    let _ = local::connect(&pipes_remote::tcp("localhost:7000"));
    let _ = shop::connect("localhost:7000");
    let _ = shop::listen(&7000);
}
