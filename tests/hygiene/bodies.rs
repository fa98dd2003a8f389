//! Protocols in function bodies, and in other places where items are allowed.

struct Outer(u8);

#[test]
fn a_protocol_in_a_function() {
    pipes::proto! {
        #[remote]
        local<T> { begin: send { value(T, Outer) -> begin, end -> ! } }
    }
    let (client, server) = local::pipe();
    let _client = client.value("text", Outer(1)).unwrap();
    take!(server, local::Begin::Value("text", Outer(1), _));
}

/// A protocol of that name in a closure in another function, with a path to the module around it.
#[test]
fn a_protocol_of_the_same_name() {
    let run = || {
        pipes::proto! { local { begin: recv { value(super::bodies::Outer) -> ! } } }
        let (client, server) = local::pipe();
        server.value(Outer(3)).unwrap();
        take!(client, local::Begin::Value(Outer(number)));
        number
    };
    assert_eq!(run(), 3);
}
