//! Protocols in function bodies, in macros, and under another name of the library.

use super::meet;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
struct Outer(u8);

#[test]
fn in_a_function() {
    pipes::proto! {
        #[remote]
        local<T> { begin: send { value(T, Outer) -> begin, end -> ! } }
    }
    let via = pipes_remote::memory();
    let mut listener = local::listen(&via).unwrap();
    let client = local::connect(&via).unwrap();
    let _client = client.value(String::from("text"), Outer(1)).unwrap();
    let server: local::Server<local::Begin<String>> = listener.accept().unwrap();
    assert!(matches!(server.recv(), Ok(local::Begin::Value(text, Outer(1), _)) if text == "text"));
}

/// A user's macro that writes a protocol with names and a payload from the call.
macro_rules! written {
    ($name:ident, $message:ident, $payload:ty) => {
        pipes::proto! {
            #[remote]
            $name {
                start: send { $message($payload) -> start, turn($payload, u8) -> answer }
                answer: recv { done -> ! }
            }
        }
    };
}

written!(counts, codec, Vec<u32>);
written!(texts, ticket, String);

#[test]
fn in_a_macro_of_the_users() {
    let ((client, _), (server, _)) = meet::<counts::Protocol>();
    let client = client.codec(vec![1]).unwrap().turn(vec![2], 3).unwrap();
    let Ok(counts::Start::Codec(one, server)) = server.recv() else { panic!("it was sent") };
    let Ok(counts::Start::Turn(two, 3, server)) = server.recv() else { panic!("it was sent") };
    assert_eq!((one, two), (vec![1], vec![2]));
    server.done().unwrap();
    assert!(matches!(client.recv(), Ok(counts::Answer::Done)));
    drop(meet::<texts::Protocol>());
}

mod under_another_name {
    use pipes as library;

    library::proto! {
        #[remote]
        pub(super) renamed { begin: send { value(u8) -> begin, end -> ! } }
    }
}

#[test]
fn under_another_name_of_the_library() {
    let ((client, _), (server, _)) = meet::<under_another_name::renamed::Protocol>();
    client.end().unwrap();
    assert!(matches!(server.recv(), Ok(under_another_name::renamed::Begin::End)));
}
