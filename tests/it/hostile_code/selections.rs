//! Selections whose arms, conditions and limits panic, or drop or use the other receivers. Each message is
//! dropped once; if no receiver is dropped, each is received once.

use pipes::{Chan, Port, PortSet, select, select_async, stream, sync_stream};
use pipes_tests::{Counted, DropCounter, Rng, WakeCounter, caught, effort, spawn, watched};
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll};
use std::time::Duration;

struct Receivers {
    one: Port<Counted>,
    other: Port<Counted>,
    set: PortSet<Port<Counted>>,
}

/// What a selection does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    ReceivesElsewhere,
    ConditionPanics(u64),
    ArmPanics,
    LimitPanics,
    WantsNothing,
    /// The receivers of the other arms are dropped, with their messages.
    DropsTheOthers,
}

impl Does {
    fn random(random: &mut Rng, drops: bool) -> Does {
        match random.u64(..if drops { 9 } else { 8 }) {
            0 => Does::ReceivesElsewhere,
            number @ 1..=3 => Does::ConditionPanics(number),
            4 => Does::ArmPanics,
            5 => Does::LimitPanics,
            6 | 7 => Does::WantsNothing,
            _ => Does::DropsTheOthers,
        }
    }

    /// A condition of this number.
    fn wants(self, number: u64) -> bool {
        assert!(self != Does::ConditionPanics(number), "a condition");
        self != Does::WantsNothing
    }

    fn limit(self) -> Duration {
        assert!(self != Does::LimitPanics, "a limit");
        Duration::from_micros(20)
    }
}

/// Counts a message, and panics with it if the arm does that.
fn got(message: Option<Counted>, does: Does, came: &mut u64) {
    *came += u64::from(message.is_some());
    if does == Does::ArmPanics {
        std::panic::panic_any(message);
    }
}

macro_rules! turn {
    ($select:ident, $all:ident, $does:ident, $came:ident, $limit:expr) => {{
        let Receivers { one, other, set } = $all;
        let (mut first, mut second, mut third) = (one, other, set);
        $select! {
            message = first, if $does.wants(1) => {
                if $does == Does::DropsTheOthers {
                    *second = stream().1;
                    *third = PortSet::new();
                }
                if $does == Does::ReceivesElsewhere {
                    got(second.try_recv().ok(), $does, $came);
                    got(third.try_recv().ok().and_then(|(_, message)| message.ok()), $does, $came);
                }
                got(message.ok(), $does, $came);
            }
            message = second, if $does.wants(2) => {
                let Ok(message) = message else { return };
                got(Some(message), $does, $came);
                if $does == Does::DropsTheOthers {
                    drop(std::mem::replace(first, sync_stream(0).1));
                }
            }
            turn = third, if !third.is_empty() && $does.wants(3) => {
                let (key, message) = turn.expect("it is not empty");
                if $does == Does::ReceivesElsewhere && let Some(mut port) = third.remove(&key) {
                    got(port.try_recv().ok(), $does, $came);
                    third.insert(port);
                }
                got(message.ok(), $does, $came);
            }
            timeout($limit) => {}
            else => assert!($does == Does::WantsNothing),
        }
    }};
}

fn in_a_thread(all: &mut Receivers, does: Does, came: &mut u64) {
    turn!(select, all, does, came, does.limit());
}

async fn in_a_task(all: &mut Receivers, does: Does, came: &mut u64) {
    turn!(select_async, all, does, came, {
        let (_, mut polls) = (does.limit(), 3);
        poll_fn(move |cx| {
            polls -= 1;
            cx.waker().wake_by_ref();
            if polls == 0 { Poll::Ready(()) } else { Poll::Pending }
        })
    });
}

fn program(seed: u64) {
    let (mut random, drops) = (Rng::with_seed(seed), DropCounter::new());
    let drops_all = random.bool();
    let mut threads = Vec::new();
    let mut port = || {
        let (mut chan, port): (Chan<Counted>, _) = match random.u64(..4) {
            0 => stream(),
            room => sync_stream(room as usize - 1),
        };
        let (source, count) = (drops.clone(), random.u64(..if cfg!(miri) { 6 } else { 20 }));
        threads.push(spawn(move || (0..count).filter(|&it| chan.send(source.make(it)).is_ok()).count()));
        port
    };
    let mut all = Receivers { one: port(), other: port(), set: [port(), port()].into_iter().collect() };
    let mut came = 0;
    for _ in 0..if cfg!(miri) { 12 } else { 40 } {
        let does = Does::random(&mut random, drops_all);
        let _on_purpose = if random.bool() {
            caught(|| in_a_thread(&mut all, does, &mut came))
        } else {
            caught(|| {
                let (mut task, (_wakes, waker)) =
                    (pin!(in_a_task(&mut all, does, &mut came)), WakeCounter::new());
                // It may be dropped before it is done.
                (0..random.u64(..5)).any(|_| task.as_mut().poll(&mut Context::from_waker(&waker)).is_ready());
            })
        };
    }
    if drops_all {
        drop(all);
        threads.into_iter().for_each(|thread| drop(thread.join()));
    } else {
        let Receivers { one, other, mut set } = all;
        set.extend([one, other]);
        came += set.messages().count() as u64;
        let sent: usize = threads.into_iter().map(|thread| thread.join().expect("it only sends")).sum();
        assert_eq!(came, sent as u64, "seed {seed}");
    }
    drops.assert_all_dropped();
}

#[test]
fn what_arms_conditions_and_limits_do() {
    watched(|| (0..effort(if cfg!(miri) { 30 } else { 400 }) as u64).for_each(program));
}
