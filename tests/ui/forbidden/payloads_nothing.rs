//! A protocol by hand that says nothing of its payloads, and so would let one go to another thread that must
//! not.
#![forbid(unsafe_code)]

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

fn main() {}
