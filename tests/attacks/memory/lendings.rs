//! Protocols whose payloads are generic associated types, with constant arguments and types from macro
//! tokens, declared by macros that other macros call. What is sent must come out, over-aligned values and
//! values without a size must be dropped once, and an endpoint must be `Send` exactly if its payloads are.

use pipes_tests::{Counted, Tally, watched};
use std::borrow::Cow;
use std::marker::PhantomData;
use std::rc::Rc;
use std::thread;

/// Lends a value for a lifetime.
pub trait Lends {
    type Lent<'a, const N: usize>: Sized
    where
        Self: 'a;
    type Next: Lends<Next = Self>;
}

pub struct Wide;
pub struct Words;
pub struct Stays;

#[repr(align(1024))]
pub struct Loan<'a, const N: usize>(
    Option<&'a Counted>,
    [u8; N],
    #[expect(dead_code, reason = "it is there to be dropped")] Option<Counted>,
);

impl<const N: usize> Drop for Loan<'_, N> {
    fn drop(&mut self) {
        // It looks at the borrowed value.
        assert!(self.0.is_none_or(|lent| lent.number == 7));
        assert!(self.1.iter().all(|&byte| byte == N as u8));
    }
}

impl Lends for Wide {
    type Lent<'a, const N: usize> = Loan<'a, N>;
    type Next = Words;
}

impl Lends for Words {
    type Lent<'a, const N: usize> = (Cow<'a, str>, [u64; N]);
    type Next = Wide;
}

impl Lends for Stays {
    type Lent<'a, const N: usize> = Rc<[&'a u8; N]>;
    type Next = Stays;
}

macro_rules! declare {
    ($(#[$meta:meta])* $name:ident <$life:lifetime, $lends:ident: $bound:path> $first:ident => $second:ident, $then:ty, [$($more:tt)*]) => {
        pipes::proto! {
            $(#[$meta])*
            pub $name<$life> {
                $first: send<$lends: $bound + $life> {
                    lend(<$lends as Lends>::Lent<$life, 3>) -> $second<<$lends as Lends>::Next>,
                    both(<$lends as Lends>::Lent<$life, 0>, $then) -> $first<$lends>,
                    over -> !
                }
                $second: recv<$lends: $bound + $life> {
                    lend(<$lends as Lends>::Lent<$life, 5>, ()) -> Third<$lends>,
                    nothing -> Third<$lends>,
                    $($more)*
                }
                Third: send<$lends: $bound + $life> {
                    again(<$lends as Lends>::Lent<$life, 1>) -> $second<$lends>,
                    over -> !
                }
            }
        }
    };
}

macro_rules! declare_twice {
    ($($name:ident $then:ty;)*) => { $(declare! { $name<'a, L: Lends> First => Second, $then, [end($then, [$then; 2]) -> !] })* };
}

declare_twice! {
    empty [Nothing; 0];
    small Option<Box<Counted>>;
}

/// Without a size, but over-aligned.
#[repr(align(512))]
pub struct Nothing;

fn loan<'a, const N: usize>(lent: &'a Counted, tally: &Tally) -> Loan<'a, N> {
    Loan(Some(lent), [N as u8; N], Some(tally.make(N as u64)))
}

fn words<const N: usize>() -> (Cow<'static, str>, [u64; N]) {
    (Cow::Owned("words".to_owned()), [N as u64; N])
}

/// One side leaves before some step.
fn session(tally: &Tally, leaves: u32, leaver: bool) {
    let lent = tally.make(7);
    let boxed = || Some(Box::new(tally.make(9)));
    thread::scope(|scope| {
        let (client, server) = small::pipe::<Wide>();
        let lent = &lent;
        scope.spawn(move || {
            let mut left = if leaver { leaves } else { 100 };
            let mut goes = || {
                left = left.saturating_sub(1);
                left == 0
            };
            let mut server = server;
            let mut second = loop {
                if goes() {
                    return None;
                }
                match server.recv().ok()? {
                    small::First::Both(loan, also, next) => {
                        assert_eq!(std::ptr::from_ref(&loan).addr() % 1024, 0);
                        drop((also, loan));
                        server = next;
                    }
                    small::First::Lend(_loan, next) => break next,
                    small::First::Over => return None,
                }
            };
            loop {
                if goes() {
                    return None;
                }
                let third = second.lend(words(), ()).ok()?;
                if goes() {
                    return None;
                }
                match third.recv().ok()? {
                    small::Third::Again((text, [one]), next) => {
                        assert_eq!((&*text, one), ("words", 1));
                        second = next;
                    }
                    small::Third::Over => return Some(()),
                }
            }
        });
        let mut left = if leaver { 100 } else { leaves };
        let mut goes = || {
            left = left.saturating_sub(1);
            left == 0
        };
        let steps = || -> Option<()> {
            let mut client = client;
            for _ in 0..3 {
                client = client.both(loan(lent, tally), boxed()).ok()?.both(loan(lent, tally), None).ok()?;
                if goes() {
                    return None;
                }
            }
            let mut asking = client.lend(loan(lent, tally)).ok()?;
            for _ in 0..3 {
                if goes() {
                    return None;
                }
                let small::Second::Lend((text, fives), (), next) = asking.recv().ok()? else { return None };
                assert_eq!((&*text, fives), ("words", [5; 5]));
                if goes() {
                    return None;
                }
                asking = next.again(words()).ok()?;
            }
            None
        };
        let _ = steps();
    });
    drop(lent);
    tally.assert_all_gone();
}

#[test]
fn what_is_lent_comes_and_goes() {
    watched(|| {
        for leaves in 0..14 {
            session(&Tally::new(), leaves, false);
            session(&Tally::new(), leaves, true);
        }
        // Unread payloads without a size, dropped by either side.
        for server_first in [false, true] {
            let (client, server) = empty::pipe::<Words>();
            let client = client.both((Cow::Borrowed("a"), []), []).expect("it is there");
            let client = client.lend((Cow::Owned("b".to_owned()), [1; 3])).expect("it is there");
            if server_first {
                drop(server);
                drop(client);
            } else {
                drop(client);
                drop(server);
            }
        }
    });
}

/// `MAY` is true if `T` is `Send`: then the inherent constant hides the one of the trait.
struct Travels<T>(PhantomData<T>);

trait Remains {
    const MAY: bool = false;
}

impl<T> Remains for Travels<T> {}

impl<T: Send> Travels<T> {
    const MAY: bool = true;
}

#[test]
fn only_what_may_travel_does() {
    let may = [
        Travels::<small::Client<small::First<'static, Wide>>>::MAY,
        Travels::<small::Server<small::Second<'static, Words>>>::MAY,
        Travels::<small::Client<small::First<'static, Stays>>>::MAY,
        Travels::<empty::Server<empty::Second<'static, Stays>>>::MAY,
        Travels::<empty::AnyServer<'static, Stays>>::MAY,
    ];
    assert_eq!(may, [true, true, false, false, false]);
}
