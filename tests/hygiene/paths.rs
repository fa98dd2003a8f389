//! Paths relative to the module that the protocol is written in.
#![allow(clippy::multiple_bound_locations, reason = "both locations are tried")]

pub(crate) trait Measured {
    fn measure(&self) -> u8;
}

struct Here(u8);

impl Measured for Here {
    fn measure(&self) -> u8 {
        self.0
    }
}

mod deep {
    pub(super) struct There(pub(super) u8);

    pub(super) mod deeper {
        use super::There as Renamed;

        pub(in super::super) struct Inside(pub(in super::super) u8);

        pipes::proto! {
            pub(in super::super) paths<T: super::super::Measured, U>
            where
                U: self::super::super::Measured,
                T: crate::paths::Measured,
            {
                relative: send {
                    own(self::Inside, Inside) -> relative,
                    outer(super::There, super::super::Here) -> relative,
                    whole(crate::paths::Here, ::std::string::String, Renamed) -> answer,
                    in_arguments(Vec<self::Inside>, Option<(super::There, [super::super::Here; 1])>) -> inside
                }
                answer: recv { parameters(T, U) -> relative }
                // A state with the name of a type that must be imported by the same path.
                inside: recv {
                    inside(self::Inside, Inside, Vec<self::Inside>) -> relative,
                    outside(super::There) -> passing<super::There, 2>
                }
                passing<V, const N: usize>: send {
                    passed([V; N]) -> passing<Box<super::super::Here>, 2>,
                    end -> !
                }
            }
        }
    }
}

use deep::deeper::{Inside, paths};

#[test]
fn paths_mean_what_they_mean_where_the_protocol_is() {
    let (client, server) = paths::pipe::<Here, Here>();
    let client = client.own(Inside(1), Inside(2)).unwrap();
    take!(server, paths::Relative::Own(Inside(1), Inside(2), server));
    let client = client.outer(deep::There(3), Here(4)).unwrap();
    take!(server, paths::Relative::Outer(deep::There(3), Here(4), server));
    let client = client.whole(Here(5), String::new(), deep::There(6)).unwrap();
    take!(server, paths::Relative::Whole(Here(5), _, _, server));
    let server = server.parameters(Here(7), Here(8)).unwrap();
    take!(client, paths::Answer::Parameters(first, second, client));
    assert_eq!((first.measure(), second.measure()), (7, 8));
    let client = client.in_arguments(Vec::new(), None).unwrap();
    take!(server, paths::Relative::InArguments(_, _, server));
    let server = server.outside(deep::There(9)).unwrap();
    take!(client, paths::Inside::Outside(deep::There(9), client));
    client.passed([deep::There(1), deep::There(2)]).unwrap().end().unwrap();
    take!(server, paths::Passing::Passed([deep::There(1), deep::There(2)], _));
}
