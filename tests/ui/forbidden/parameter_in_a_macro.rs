//! A macro in a bound that names a parameter of the state: where that is not there, in the alias for an
//! argument, it names another type.
#![forbid(unsafe_code)]
use std::rc::Rc;

pub struct X;
macro_rules! x { () => { X }; }

pub struct InMessages;
pub trait Payload<Where> { type Out; }
impl<T> Payload<InMessages> for T { type Out = Rc<u8>; }
impl<T> Payload<X> for T { type Out = usize; }

pipes::proto! {
    pub tiny {
        First: send<X, T: Payload<x!()>> { other(X, T) -> !, start -> Later<T::Out> }
        Later: send<U> { go(U) -> ! }
    }
}

fn main() {
    let mine = Rc::new(7);
    let (client, server) = tiny::pipe::<InMessages, u8>();
    client.start().unwrap().go(mine.clone()).unwrap();
    std::thread::spawn(move || {
        let tiny::First::Start(server) = server.recv().unwrap() else { return };
        let tiny::Later::Go(theirs) = server.recv().unwrap();
        println!("in another thread: {} {:?}", Rc::strong_count(&theirs), std::thread::current().id());
    }).join().unwrap();
    drop(mine);
}
