//! A payload of another type, and one of another length.

mod protocols;

use protocols::bank;

fn main() {
    let _ = bank::pipe().0.login("user", String::new());
    let _ = bank::pipe().0.login(String::new());
}
