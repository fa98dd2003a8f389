//! A state's parameter that has the name of a hidden item stands for it where that is meant: in the union
//! that says what may go to other threads it puts a number in the place of a counted pointer.
#![forbid(unsafe_code)]

use std::rc::Rc;

pipes::proto! {
    /// In the place of the alias for an argument.
    pub alias {
        First: send<__A0> { value(__A0) -> First<__A0>, start -> Later<Rc<u8>> }
        Later: send<T> { go(T) -> ! }
    }

    /// In the place of the union of what is sent in a state.
    pub union {
        First: send<__SentInLater> { value(__SentInLater) -> First<__SentInLater>, start -> Later }
        Later: send { go(Rc<u8>) -> ! }
    }
}

fn main() {
    let mine = Rc::new(7);

    let (client, server) = alias::pipe::<usize>();
    let _ = client.start().expect("it is there").go(mine.clone());
    std::thread::spawn(move || {
        let alias::First::Start(server) = server.recv().expect("it was sent") else { return };
        let alias::Later::Go(theirs) = server.recv().expect("it was sent");
        drop(theirs);
    });

    let (client, server) = union::pipe::<usize>();
    let _ = client.start().expect("it is there").go(mine.clone());
    std::thread::spawn(move || {
        let union::First::Start(server) = server.recv().expect("it was sent") else { return };
        let union::Later::Go(theirs) = server.recv().expect("it was sent");
        drop(theirs);
    });
    drop(mine);
}
