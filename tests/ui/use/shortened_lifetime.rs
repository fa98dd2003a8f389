//! An endpoint of long-lived payloads is not one of short-lived ones: its peer would read what is gone.

pipes::proto! {
    words<'a> {
        go: send { word(&'a str) -> go, last(&'a str) -> ! }
    }
}

fn shorten<'a>(client: words::Client<words::Go<'static>>) -> words::Client<words::Go<'a>> {
    client
}

fn main() {
    let (client, server) = words::pipe::<'static>();
    let text = String::from("short");
    drop(shorten(client).last(&text));
    drop(text);
    drop(server.recv());
}
