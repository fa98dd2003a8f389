//! Which arm runs when several receivers are ready.

use futures::executor::block_on;
use pipes::{Port, select, select_async, select2, shared_sync_stream, stream, sync_stream};
use pipes_tests::watched;
use std::time::Duration;

const SELECTS: usize = 10_000;

/// A port with this many messages.
fn filled(count: usize) -> (pipes::Chan<usize>, Port<usize>) {
    let (mut chan, port) = stream();
    (0..count).for_each(|number| chan.send(number).expect("the port is here"));
    (chan, port)
}

/// Two receivers that are always ready are chosen about equally often.
#[test]
fn two_that_are_always_ready() {
    watched(|| {
        let ((_one, mut first), (_two, mut second)) = (filled(SELECTS), filled(SELECTS));
        let mut chosen = [0; 2];
        for _ in 0..SELECTS {
            select! {
                _ = first => chosen[0] += 1,
                _ = second => chosen[1] += 1,
            }
        }
        assert!(chosen.iter().all(|count| *count >= 4_000), "{chosen:?}");
        assert_eq!(chosen.iter().sum::<usize>(), SELECTS);
    });
}

#[test]
fn with_default_and_with_timeout() {
    watched(|| {
        let ((_one, mut first), (_two, mut second)) = (filled(SELECTS), filled(SELECTS));
        let mut chosen = [0; 2];
        for number in 0..SELECTS {
            if number % 2 == 0 {
                select! {
                    _ = first => chosen[0] += 1,
                    _ = second => chosen[1] += 1,
                    default => panic!("both are ready"),
                }
            } else {
                select! {
                    _ = first => chosen[0] += 1,
                    _ = second => chosen[1] += 1,
                    timeout(Duration::ZERO) => panic!("both are ready"),
                }
            }
        }
        assert!(chosen.iter().all(|count| *count >= 4_000), "{chosen:?}");
    });
}

/// A closed receiver is always ready, and does not starve the others either.
#[test]
fn beside_a_closed_one() {
    watched(|| {
        let (_chan, mut port) = filled(SELECTS);
        let (_, mut closed) = stream::<usize>();
        let mut chosen = [0; 2];
        for _ in 0..SELECTS {
            select! {
                message = port => chosen[0] += usize::from(message.is_ok()),
                message = closed => chosen[1] += usize::from(message.is_err()),
            }
        }
        assert!(chosen.iter().all(|count| *count >= 4_000), "{chosen:?}");
    });
}

#[test]
fn the_functions() {
    watched(|| {
        let ((_one, mut first), (_two, mut second)) = (filled(SELECTS), filled(SELECTS));
        let mut chosen = [0; 2];
        for _ in 0..SELECTS / 2 {
            chosen[pipes::select(vec![&mut first, &mut second]).0] += 1;
        }
        for _ in 0..SELECTS / 2 {
            chosen[usize::from(select2(&mut first, &mut second).is_right())] += 1;
        }
        assert!(chosen.iter().all(|count| *count >= 4_000), "{chosen:?}");
    });
}

#[test]
fn in_tasks() {
    watched(|| {
        block_on(async {
            let ((_one, mut first), (_two, mut second)) = (filled(SELECTS), filled(SELECTS));
            let mut chosen = [0; 2];
            for _ in 0..SELECTS {
                select_async! {
                    _ = first => chosen[0] += 1,
                    _ = second => chosen[1] += 1,
                }
            }
            assert!(chosen.iter().all(|count| *count >= 4_000), "{chosen:?}");
        });
    });
}

/// Those that are ready are chosen equally often. The limit is ten standard deviations, which chance alone
/// does not exceed.
fn assert_even(chosen: &[usize], is_ready: &[bool]) {
    let ready = is_ready.iter().filter(|is_ready| **is_ready).count() as f64;
    let selections = chosen.iter().sum::<usize>() as f64;
    let (share, deviation) = (selections / ready, (selections * (ready - 1.0)).sqrt() / ready);
    for (chosen, is_ready) in chosen.iter().zip(is_ready) {
        let expected = if *is_ready { share } else { 0.0 };
        assert!((*chosen as f64 - expected).abs() <= 10.0 * deviation, "{chosen:?} of {is_ready:?}");
    }
}

/// Which of five are ready: each two, and each three.
fn patterns() -> impl Iterator<Item = [bool; 5]> {
    let all = (0..32)
        .step_by(if cfg!(miri) { 5 } else { 1 })
        .map(|bits: u32| std::array::from_fn(|arm| bits >> arm & 1 == 1));
    all.filter(|pattern: &[bool; 5]| (2..=3).contains(&pattern.iter().filter(|is_ready| **is_ready).count()))
}

/// A port that is always ready, because its sender has left, or that never is.
fn port(is_ready: bool) -> (Option<pipes::Chan<u64>>, Port<u64>) {
    let (chan, port) = stream();
    (Some(chan).filter(|_| !is_ready), port)
}

fn both<A, B>(pairs: [(A, B); 5]) -> (Vec<A>, [B; 5]) {
    let (left, right): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    (left, right.try_into().unwrap_or_else(|_| panic!("there are five")))
}

/// Wherever idle arms stand, they take nothing from those that are ready, and add nothing to them.
#[test]
fn even_beside_idle_arms() {
    watched(|| {
        for pattern in patterns() {
            let (_chans, [mut a, mut b, mut c, mut d, mut e]) = both(pattern.map(port));
            let mut chosen = [0; 5];
            for number in 0..SELECTS {
                let arm = match number % 3 {
                    0 => select! { _ = a => 0, _ = b => 1, _ = c => 2, _ = d => 3, _ = e => 4 },
                    1 => select! {
                        _ = a => 0, _ = b => 1, _ = c => 2, _ = d => 3, _ = e => 4,
                        default => panic!("some are ready"),
                    },
                    _ => select! {
                        _ = a => 0, _ = b => 1, _ = c => 2, _ = d => 3, _ = e => 4,
                        timeout(Duration::ZERO) => panic!("some are ready"),
                    },
                };
                chosen[arm] += 1;
            }
            assert_even(&chosen, &pattern);
        }
    });
}

#[test]
fn even_beside_arms_whose_condition_is_false() {
    watched(|| {
        for pattern in patterns() {
            let (_, [mut a, mut b, mut c, mut d, mut e]) = both([true; 5].map(port));
            let mut chosen = [0; 5];
            for _ in 0..SELECTS {
                let arm = select! {
                    _ = a, if pattern[0] => 0,
                    _ = b, if pattern[1] => 1,
                    _ = c, if pattern[2] => 2,
                    _ = d, if pattern[3] => 3,
                    _ = e, if pattern[4] => 4,
                    else => panic!("some are true"),
                };
                chosen[arm] += 1;
            }
            assert_even(&chosen, &pattern);
        }
    });
}

#[test]
fn even_in_tasks() {
    watched(|| {
        for pattern in patterns() {
            let (_chans, [mut a, mut b, mut c, mut d, mut e]) = both(pattern.map(port));
            let mut chosen = [0; 5];
            block_on(async {
                for number in 0..SELECTS {
                    let arm = match number % 2 {
                        0 => select_async! { _ = a => 0, _ = b => 1, _ = c => 2, _ = d => 3, _ = e => 4 },
                        _ => select_async! {
                            _ = a => 0, _ = b => 1, _ = c => 2, _ = d => 3, _ = e => 4,
                            default => panic!("some are ready"),
                        },
                    };
                    chosen[arm] += 1;
                }
            });
            assert_even(&chosen, &pattern);
        }
    });
}

/// Arms that send, into streams that are full or whose port has left.
#[test]
fn even_among_arms_that_send() {
    watched(|| {
        for pattern in patterns() {
            let single = |is_open: bool| {
                let (mut chan, port) = sync_stream(1);
                chan.send(0).expect("there is room");
                (Some(port).filter(|_| is_open), chan)
            };
            let many = |is_open: bool| {
                let (chan, port) = shared_sync_stream(1);
                chan.send(0).expect("there is room");
                (Some(port).filter(|_| is_open), chan)
            };
            let ((_a, mut a), (_b, mut b)) = (single(!pattern[0]), many(!pattern[1]));
            let ((_c, mut c), (_d, mut d)) = (single(!pattern[2]), many(!pattern[3]));
            let (_e, mut e) = port(pattern[4]);
            let mut chosen = [0; 5];
            for _ in 0..SELECTS {
                let arm = select! {
                    _ = a.send(1) => 0,
                    _ = b.send(1) => 1,
                    _ = c.send(1) => 2,
                    _ = d.send(1) => 3,
                    _ = e => 4,
                };
                chosen[arm] += 1;
            }
            assert_even(&chosen, &pattern);
        }
    });
}

/// The function, also with many receivers.
#[test]
fn even_in_a_list() {
    watched(|| {
        let many = (0..100).map(|index| [3, 4, 98].contains(&index)).collect();
        for pattern in patterns().map(Vec::from).chain([many]) {
            let (_chans, mut ports): (Vec<_>, Vec<_>) = pattern.iter().map(|it| port(*it)).unzip();
            let mut chosen = vec![0; pattern.len()];
            for _ in 0..SELECTS {
                chosen[select(ports.iter_mut().collect()).0] += 1;
            }
            assert_even(&chosen, &pattern);
        }
    });
}
