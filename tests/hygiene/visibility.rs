//! Protocols and payloads of every visibility.

struct Private(u8);

pub(crate) struct Restricted(u8);

/// A public type.
#[allow(unreachable_pub, reason = "a public payload is what is tried")]
#[derive(Debug)]
pub struct Public(u8);

pipes::proto! {
    #[remote]
    private {
        begin: send { private(Private) -> restricted }
        restricted: recv { restricted(Restricted) -> ! }
    }

    #[remote]
    pub(self) of_the_module { begin: send { private(Private) -> ! } }

    #[remote]
    pub(crate) restricted { begin: send { restricted(Restricted) -> ! } }

    /// A public protocol.
    #[allow(unreachable_pub)]
    #[remote]
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
        #[remote]
        pub(super) of_the_parent<T> { begin: send { private(OfTheParent, T) -> begin, end -> ! } }

        #[remote]
        pub(in crate::visibility) of_a_path { begin: send { private(OfTheParent, super::Private) -> ! } }
    }
}

#[test]
fn payloads_that_are_not_visible_everywhere() {
    let (client, server) = private::pipe();
    let waiting = client.private(Private(1)).unwrap();
    take!(server, private::Begin::Private(Private(1), server));
    server.restricted(Restricted(2)).unwrap();
    take!(waiting, private::Restricted::Restricted(Restricted(2)));
    of_the_module::pipe().0.private(Private(3)).unwrap();
    restricted::pipe().0.restricted(Restricted(1)).unwrap();
    let (client, server) = public::pipe();
    client.public(Public(2)).unwrap();
    take!(server, public::Begin::Public(Public(2)));
    drop(inner::of_the_parent::pipe().0.private(inner::OfTheParent(1), ()).unwrap());
    let (client, server) = inner::of_a_path::pipe();
    client.private(inner::OfTheParent(1), Private(2)).unwrap();
    take!(server, inner::of_a_path::Begin::Private(inner::OfTheParent(1), Private(2)));
}
