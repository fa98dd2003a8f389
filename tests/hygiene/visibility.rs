//! Protocols and payloads of every visibility.

struct Private(u8);

pub(crate) struct Restricted(u8);

/// A public type.
#[allow(unreachable_pub, reason = "a public payload is what is tried")]
#[derive(Debug)]
pub struct Public(u8);

pipes::proto! {
    private {
        begin: send { private(Private) -> restricted }
        restricted: recv { restricted(Restricted) -> ! }
    }

    pub(self) of_the_module { begin: send { private(Private) -> ! } }

    pub(crate) restricted { begin: send { restricted(Restricted) -> ! } }

    /// A public protocol.
    #[allow(unreachable_pub)]
    pub public {
        /// It begins here.
        begin: send {
            /// A message with a public payload.
            public(Public) -> !
        }
    }
}

mod inner {
    pub(super) struct OfTheParent(pub(super) u8);

    pipes::proto! {
        pub(super) of_the_parent<T> { begin: send { private(OfTheParent, T) -> begin, end -> ! } }

        pub(in crate::visibility) of_a_path { begin: send { private(OfTheParent, super::Private) -> ! } }
    }
}

#[test]
fn private_payloads() {
    let (client, server) = private::pipe();
    let waiting = client.private(Private(1)).expect("the server is here");
    let private::Begin::Private(Private(1), server) = server.try_recv().expect("it was sent") else {
        panic!("something else was sent");
    };
    server.restricted(Restricted(2)).expect("the client is here");
    assert!(matches!(waiting.try_recv(), Ok(private::Restricted::Restricted(Restricted(2)))));
    let (client, server) = of_the_module::pipe();
    client.private(Private(3)).expect("the server is here");
    assert!(matches!(server.try_recv(), Ok(of_the_module::Begin::Private(Private(3)))));
}

#[test]
fn visible_payloads() {
    let (client, server) = restricted::pipe();
    client.restricted(Restricted(1)).expect("the server is here");
    assert!(matches!(server.try_recv(), Ok(restricted::Begin::Restricted(Restricted(1)))));
    let (client, server) = public::pipe();
    client.public(Public(2)).expect("the server is here");
    assert!(matches!(server.try_recv(), Ok(public::Begin::Public(Public(2)))));
}

#[test]
fn payloads_of_a_parent() {
    let (client, server) = inner::of_the_parent::pipe();
    let _client = client.private(inner::OfTheParent(1), ()).expect("the server is here");
    assert!(matches!(
        server.try_recv(),
        Ok(inner::of_the_parent::Begin::Private(inner::OfTheParent(1), (), _))
    ));
    let (client, server) = inner::of_a_path::pipe();
    client.private(inner::OfTheParent(1), Private(2)).expect("the server is here");
    assert!(matches!(server.try_recv(), Ok(inner::of_a_path::Begin::Private(_, Private(2)))));
}
