//! Protocols by hand that break promises, in a crate that forbids `unsafe`.

#![forbid(unsafe_code)]

/// A pipe of a protocol that is the user's own, without the protocol's endpoints: it would take any payload.
mod foreign_payload {
    use std::rc::Rc;

    pipes::proto! {
        tiny { go: send { go(u64) -> ! } }
    }

    fn run() {
        let (client, server) = pipes::__private::pipe::<tiny::Go>();
        let foreign = Rc::new(7_u8);
        drop(client.finish(foreign, |payload| tiny::Go::Go(u64::from(*payload)), |_| loop {}));
        std::thread::spawn(move || drop(server));
    }
}

/// Code that stands inside a protocol, in the length of an array that is a payload: it can name the private
/// field of an endpoint, and would send what the protocol does not know of.
mod inside_a_payload {
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

    fn run() {
        let (client, server) = tiny::pipe();
        tiny::Client::smuggle(client, Rc::new(7));
        std::thread::spawn(move || drop(server));
    }
}

/// A protocol by hand whose message does not keep its payload, so that nothing ties the payload's lifetime to
/// the state's; the word that it needs is forbidden.
mod payload_not_kept {
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

    fn run() {
        let (client, server) = unsafe { pipes::__private::pipe::<Go>() };
        let local = String::from("short-lived");
        let _ = client.finish(local.as_str(), |_| Go::Take, |_| "");
        drop(server);
    }
}

/// A protocol by hand that says nothing of its payloads, and so would let one go to another thread that must
/// not.
mod payloads_nothing {
    use pipes::__private::{AsClient, Ring, SentBy, State};
    use std::rc::Rc;

    pub enum Go {
        Take(Rc<u8>),
    }

    impl State for Go {
        type Sender = AsClient;
        type Memory = Ring<Rc<u8>, 1>;
        type Payloads = ();
    }

    impl SentBy<AsClient> for Go {}
}

fn main() {}
