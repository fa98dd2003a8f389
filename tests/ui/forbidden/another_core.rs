//! A crate that calls itself `core`: what is generated does not take the wrapper of payloads from there.
#![forbid(unsafe_code)]
extern crate self as core;

use std::rc::Rc;

// What the macro calls `::core`.
pub use std::{clone, convert, fmt, future, marker, option, primitive, result, stringify, format_args, task, time};
pub mod mem {
    pub struct ManuallyDrop<T>([usize; 4], std::marker::PhantomData<fn(T)>);
    impl<T> ManuallyDrop<T> {
        pub fn new(_: T) -> Self { loop {} }
    }
    impl<T> Clone for ManuallyDrop<T> { fn clone(&self) -> Self { *self } }
    impl<T> Copy for ManuallyDrop<T> {}
}

pipes::proto! { pub tiny { go: send { go(Rc<u8>) -> ! } } }

fn main() {
    let mine = Rc::new(7);
    let (client, server) = tiny::pipe();
    client.go(mine.clone()).unwrap();
    std::thread::spawn(move || {
        let tiny::Go::Go(theirs) = server.recv().unwrap();
        for _ in 0..1000 { drop(theirs.clone()); }
        println!("in another thread: {} {:?}", Rc::strong_count(&theirs), std::thread::current().id());
    }).join().unwrap();
    drop(mine);
}
