//! A protocol by hand whose message does not keep its payload, so that nothing ties the payload's lifetime to
//! the state's; the word that it needs is forbidden.
#![forbid(unsafe_code)]

use pipes::__private::{AsClient, Ring, SentBy, State};

pub enum Go {
    Take,
}

unsafe impl State for Go {
    type Sender = AsClient;
    type Memory = Ring<&'static str, 1>;
    type Payloads = &'static str;
}

impl SentBy<AsClient> for Go {}

fn main() {
    let (client, server) = unsafe { pipes::__private::pipe::<Go>() };
    let local = String::from("short-lived");
    let _ = client.finish(local.as_str(), |_| Go::Take, |_| "");
    drop(server);
}
