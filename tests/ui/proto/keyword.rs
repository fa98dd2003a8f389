//! A keyword as a name is reported with the raw identifier that can be one; the rest is understood.

pipes::proto! {
    type {
        match: send {
            move(u8) -> r#match,
            r#fn(self: u8, in: u8) -> loop,
            Self -> super
        }
        loop: recv { crate -> match }
        super: recv { end -> ! }
    }

    struct bank {
        s: send { m -> ! }
    }
}

fn main() {
    let (client, _server) = r#type::pipe();
    let _ = client.r#move(1);
}
