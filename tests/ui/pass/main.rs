//! What must compile. The library may go by any name in the root of a crate, and its own be taken.

#![deny(future_incompatible)]

extern crate core as pipes;
extern crate pipes as renamed;

pub mod lints;

use crate::module::once;
use crate::renamed::Receive;

mod module {
    renamed::proto! {
        pub once { ask: send { number(u8) -> answer } answer: recv { double(u16) -> ! } }
    }
}

#[test]
fn under_another_name() {
    let (client, server) = once::pipe();
    let waiting = client.number(21).unwrap();
    let Ok(once::Ask::Number(number, server)) = server.try_recv() else { unreachable!() };
    server.double(2 * u16::from(number)).unwrap();
    let message = Receive::try_recv(once::AnyClient::from(waiting));
    assert!(matches!(message, Ok(once::ClientMessage::Answer(once::Answer::Double(42)))));
    assert_eq!(once::BOUND, renamed::Bound::Messages(1));
    assert_eq!(pipes::any::type_name::<u8>(), "u8");
}
