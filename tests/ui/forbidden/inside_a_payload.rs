//! Code that stands inside a protocol, in the length of an array that is a payload: it can name the private
//! field of an endpoint, and would send what the protocol does not know of.
#![forbid(unsafe_code)]
#![allow(non_local_definitions)]

use std::rc::Rc;
use tiny::Go;

pipes::proto! {
    tiny {
        go: send {
            go([usize; {
                type _Once = Go;
                impl tiny::Client<tiny::Go> {
                    pub fn smuggle(client: tiny::Client<tiny::Go>, foreign: Rc<u8>) {
                        drop(client.0.finish(foreign, |_| tiny::Go::Go([0]), |_| loop {}));
                    }
                }
                1
            }]) -> !
        }
    }
}

fn main() {
    let (client, server) = tiny::pipe();
    tiny::Client::smuggle(client, Rc::new(7));
    std::thread::spawn(move || drop(server));
}
