//! Protocols in function bodies, and in other places where items are allowed.

struct Outer(u8);

#[test]
fn a_protocol_in_a_function() {
    pipes::proto! {
        local<T> { begin: send { value(T, Outer) -> begin, end -> ! } }
    }
    let (client, server) = local::pipe();
    let _client = client.value("text", Outer(1)).expect("the server is here");
    assert!(matches!(server.try_recv(), Ok(local::Begin::Value("text", Outer(1), _))));
}

#[test]
fn a_protocol_in_a_block_in_a_closure() {
    let run = || {
        pipes::proto! { local { begin: send { value(super::bodies::Outer) -> begin, end -> ! } } }
        let (client, server) = local::pipe();
        let _client = client.value(Outer(2)).expect("the server is here");
        match server.try_recv() {
            Ok(local::Begin::Value(Outer(number), _)) => number,
            Ok(local::Begin::End) | Err(_) => 0,
        }
    };
    assert_eq!(run(), 2);
}

/// A protocol of that name in another function.
#[test]
fn a_protocol_of_the_same_name() {
    pipes::proto! { local { begin: recv { value(Outer) -> ! } } }
    let (client, server) = local::pipe();
    server.value(Outer(3)).expect("the client is here");
    assert!(matches!(client.try_recv(), Ok(local::Begin::Value(Outer(3)))));
}

struct Machine;

impl Machine {
    fn run(&self) -> u8 {
        pipes::proto! { local { begin: send { value(u8) -> ! } } }
        let (client, server) = local::pipe();
        client.value(4).expect("the server is here");
        match server.try_recv() {
            Ok(local::Begin::Value(number)) => number,
            Err(_) => 0,
        }
    }
}

#[test]
fn a_protocol_in_a_method() {
    assert_eq!(Machine.run(), 4);
}
