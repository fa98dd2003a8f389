//! A macro in a constant that is passed on: where the parameter that it names is not there, it names another
//! constant.
#![forbid(unsafe_code)]
use std::rc::Rc;
pub const N: usize = 1;
macro_rules! n { () => { N }; }
pub struct Two<const M: usize>;
pub trait Sel { type Out; }
impl Sel for Two<0> { type Out = Rc<u8>; }
impl Sel for Two<1> { type Out = usize; }
pipes::proto! {
    pub tiny where Two<M>: Sel, Two<N>: Sel {
        First: send<const N: usize> { other([u8; N]) -> !, start -> Later<{ n!() }> }
        Later: send<const M: usize> { go(<Two<M> as Sel>::Out) -> ! }
    }
}
fn main() {
    let mine = Rc::new(7);
    let (client, server) = tiny::pipe::<0>();
    client.start().unwrap().go(mine.clone()).unwrap();
    std::thread::spawn(move || {
        let tiny::First::Start(server) = server.recv().unwrap() else { return };
        let tiny::Later::Go(theirs) = server.recv().unwrap();
        println!("in another thread: {} {:?}", Rc::strong_count(&theirs), std::thread::current().id());
    }).join().unwrap();
    drop(mine);
}
