//! `Self` in a protocol's `where` clause is another type in each generated item, and so may be what the bound
//! takes `T::Out` from: a counted pointer where the message is sent and received, a number in the union that
//! says what may go to other threads.
#![forbid(unsafe_code)]

use std::rc::Rc;

pub struct InMessages;
pub struct InUnions;

pub trait Payload<Where> {
    type Out;
}

impl<T> Payload<InMessages> for T {
    type Out = Rc<u8>;
}

impl<T> Payload<InUnions> for T {
    type Out = usize;
}

pub trait Place {
    type Is;
}

macro_rules! places {
    ($($ty:ident is $place:ident,)*) => {
        $(impl<T> Place for tiny::$ty<T> {
            type Is = $place;
        })*
    };
}

places! {
    Later is InMessages, Client is InMessages, Server is InMessages, AnyClient is InMessages, AnyServer is InMessages,
    ClientMessage is InMessages, ServerMessage is InMessages, ReceivingServer is InMessages,
    ServerReceived is InMessages, __SentInLater is InUnions, __PayloadsFromLater is InUnions,
}

pipes::proto! {
    pub tiny where T: Payload<<Self as Place>::Is> {
        first: send { start -> Later<u8> }
        Later: send<T> { go(T::Out) -> ! }
    }
}

fn main() {
    let (client, server) = tiny::pipe();
    let mine = Rc::new(7);
    let _ = client.start().expect("it is there").go(mine.clone());
    let tiny::First::Start(server) = server.recv().expect("it was sent");
    std::thread::spawn(move || {
        let tiny::Later::Go(theirs) = server.recv().expect("it was sent");
        drop(theirs);
    });
    drop(mine);
}
