//! Payloads that tell where in which session they belong.

use crate::player::Player;
use crate::support::Counted;
use std::cell::Cell;

/// A payload. Both sides draw the same numbers at the same place of a session, so the receiver knows what the
/// sender made.
pub trait Payload: Sized {
    /// Makes the payload of this place.
    fn make(player: &mut Player) -> Self;

    /// Asserts that this is the payload of this place, and drops it.
    fn seen(self, player: &mut Player);
}

/// Types that can be compared, each with its value for a place's number.
macro_rules! plain {
    ($($ty:ty: |$number:ident| $value:expr;)*) => {$(
        impl Payload for $ty {
            fn make(player: &mut Player) -> Self {
                let $number = player.number();
                $value
            }

            fn seen(self, player: &mut Player) {
                assert_eq!(self, Self::make(player));
            }
        }
    )*};
}

plain! {
    u8: |number| number as u8;
    u64: |number| number;
    bool: |number| number.is_multiple_of(2);
    char: |number| char::from(number as u8);
    f64: |number| (number as u32).into();
    String: |number| number.to_string();
    &'static str: |number| ["", "a", "two words"][number as usize % 3];
    [u16; 5]: |number| [number as u16; 5];
    Cell<u64>: |number| Cell::new(number);
}

impl Payload for Counted {
    fn make(player: &mut Player) -> Self {
        player.counted()
    }

    fn seen(self, player: &mut Player) {
        assert_eq!(self.number, player.number());
    }
}

/// A payload whose size depends on `N`.
#[derive(Debug)]
pub struct Padded<const N: usize> {
    pub counted: Counted,
    pub ballast: [u8; N],
}

impl<const N: usize> Payload for Padded<N> {
    fn make(player: &mut Player) -> Self {
        let counted = player.counted();
        Padded { ballast: [counted.number as u8; N], counted }
    }

    fn seen(self, player: &mut Player) {
        assert_eq!(self.ballast, [self.counted.number as u8; N]);
        self.counted.seen(player);
    }
}

/// A payload of a large alignment.
#[derive(Debug)]
#[repr(align(128))]
pub struct Aligned(pub Counted);

impl Payload for Aligned {
    fn make(player: &mut Player) -> Self {
        Aligned(player.counted())
    }

    fn seen(self, player: &mut Player) {
        assert!((&raw const self).is_aligned());
        self.0.seen(player);
    }
}

impl<P: Payload> Payload for Box<P> {
    fn make(player: &mut Player) -> Self {
        Box::new(P::make(player))
    }

    fn seen(self, player: &mut Player) {
        (*self).seen(player);
    }
}

impl<P: Payload> Payload for Option<P> {
    fn make(player: &mut Player) -> Self {
        player.number().is_multiple_of(2).then(|| P::make(player))
    }

    fn seen(self, player: &mut Player) {
        assert_eq!(self.is_some(), player.number().is_multiple_of(2));
        if let Some(payload) = self {
            payload.seen(player);
        }
    }
}

impl<P: Payload> Payload for Vec<P> {
    fn make(player: &mut Player) -> Self {
        (0..player.number() % 4).map(|_| P::make(player)).collect()
    }

    fn seen(self, player: &mut Player) {
        assert_eq!(self.len() as u64, player.number() % 4);
        for payload in self {
            payload.seen(player);
        }
    }
}

impl<P: Payload> Payload for [P; 2] {
    fn make(player: &mut Player) -> Self {
        std::array::from_fn(|_| P::make(player))
    }

    fn seen(self, player: &mut Player) {
        for payload in self {
            payload.seen(player);
        }
    }
}

/// Tuples, which are the payloads of messages with several fields.
macro_rules! tuples {
    ($(($($name:ident),*);)*) => {$(
        impl<$($name: Payload),*> Payload for ($($name,)*) {
            #[allow(clippy::unused_unit, reason = "one of them is empty")]
            fn make(_player: &mut Player) -> Self {
                ($($name::make(_player),)*)
            }

            #[allow(non_snake_case, reason = "a type's name serves its value as well")]
            fn seen(self, _player: &mut Player) {
                let ($($name,)*) = self;
                $($name.seen(_player);)*
            }
        }
    )*};
}

tuples! {
    ();
    (A, B);
    (A, B, C);
    (A, B, C, D);
    (A, B, C, D, E);
    (A, B, C, D, E, F);
    (A, B, C, D, E, F, G);
    (A, B, C, D, E, F, G, H);
}
