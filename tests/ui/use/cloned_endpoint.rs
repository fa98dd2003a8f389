//! There is one endpoint of each side.

mod protocols;

use protocols::bank;

fn main() {
    let (client, _server) = bank::pipe();
    let _second = client.clone();
    let _third = bank::AnyClient::from(client).clone();
}
