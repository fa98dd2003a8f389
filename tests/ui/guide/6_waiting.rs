//! A task that waits where it is its turn to send.

pipes::proto! {
    echo {
        calling: send { call(String) -> listening }
        listening: recv { echo(String) -> ! }
    }
}

async fn wait(client: echo::client::Calling) {
    let _ = client.await;
}

fn main() {}
