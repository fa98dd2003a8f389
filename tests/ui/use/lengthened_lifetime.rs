//! An endpoint of short-lived payloads is not one of long-lived ones: it would read what is gone.

pipes::proto! {
    words<'a> {
        go: send { word(&'a str) -> go, last(&'a str) -> ! }
    }
}

fn lengthen<'a>(server: words::Server<words::Go<'a>>) -> words::Server<words::Go<'static>> {
    server
}

fn main() {
    drop(lengthen(words::pipe().1).recv());
}
