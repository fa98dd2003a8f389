//! A sending endpoint cannot be awaited.

mod protocols;

use protocols::bank;

async fn wait(client: bank::client::Login) {
    let _ = client.await;
}

fn main() {
    drop(wait(bank::pipe().0));
}
