//! What is sent must outlive both ends.

pipes::proto! {
    words<'a> {
        go: send { word(&'a str) -> go }
    }
}

fn main() {
    let (client, server) = words::pipe();
    {
        let text = String::from("short");
        drop(client.word(&text));
    }
    drop(server.recv());
}
