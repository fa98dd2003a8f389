//! An endpoint that is thrown away closes its pipe, which is hardly meant.

#![deny(unused_must_use)]

mod protocols;

use protocols::bank;

fn fresh() -> bank::client::Login {
    bank::pipe().0
}

fn any() -> bank::AnyClient {
    fresh().into()
}

fn main() {
    fresh();
    fresh().login(String::new(), String::new());
    fresh().login(String::new(), String::new()).unwrap();
    any();
}
