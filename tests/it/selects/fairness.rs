//! Which arm runs when several are ready: each equally often.

use futures::executor::block_on;
use pipes::{Chan, Port, select, select_async, select2, shared_sync_stream, stream, sync_stream};
use pipes_tests::{test_in, watched};
use std::time::Duration;

const SELECTS: usize = 10_000;

/// Those that are ready are chosen equally often. The limit is ten standard deviations, which chance alone
/// does not exceed.
pub fn assert_even(chosen: &[usize], is_ready: &[bool]) {
    let ready = is_ready.iter().filter(|is_ready| **is_ready).count() as f64;
    let selections = chosen.iter().sum::<usize>() as f64;
    let (share, deviation) = (selections / ready, (selections * (ready - 1.0)).sqrt() / ready);
    for (chosen, is_ready) in chosen.iter().zip(is_ready) {
        let expected = if *is_ready { share } else { 0.0 };
        assert!((*chosen as f64 - expected).abs() <= 10.0 * deviation, "{chosen:?} of {is_ready:?}");
    }
}

/// Which of five are ready: each two, and each three.
pub fn patterns() -> impl Iterator<Item = [bool; 5]> {
    let all = (0..32)
        .step_by(if cfg!(miri) { 5 } else { 1 })
        .map(|bits: u32| std::array::from_fn(|arm| bits >> arm & 1 == 1));
    all.filter(|pattern: &[bool; 5]| (2..=3).contains(&pattern.iter().filter(|is_ready| **is_ready).count()))
}

/// A port that is always ready, because its sender has left, or that never is.
pub fn port(is_ready: bool) -> (Option<Chan<u64>>, Port<u64>) {
    let (chan, port) = stream();
    (Some(chan).filter(|_| !is_ready), port)
}

/// Five ports, of which those are ready that the pattern says, and the chans of the others.
pub fn ports(pattern: [bool; 5]) -> (Vec<Option<Chan<u64>>>, [Port<u64>; 5]) {
    let (chans, ports): (Vec<_>, Vec<_>) = pattern.map(port).into_iter().unzip();
    (chans, ports.try_into().expect("there are five"))
}

/// Messages are as good as a close: neither starves the other, in a selection or in the functions.
#[test_in(watched)]
fn beside_a_closed_one() {
    let (mut chan, mut port) = stream();
    (0..2 * SELECTS).for_each(|number| chan.send(number).expect("the port is here"));
    let (_, mut closed) = stream::<usize>();
    let (mut chosen, mut of_functions) = ([0; 2], [0; 2]);
    for number in 0..SELECTS {
        select! {
            message = port => chosen[0] += usize::from(message.is_ok()),
            message = closed => chosen[1] += usize::from(message.is_err()),
        }
        of_functions[match number % 2 {
            0 => select(vec![&mut port, &mut closed]).0,
            _ => usize::from(select2(&mut port, &mut closed).is_right()),
        }] += 1;
    }
    assert_eq!(chosen.iter().sum::<usize>(), SELECTS);
    assert_even(&chosen, &[true; 2]);
    assert_even(&of_functions, &[true; 2]);
}

/// Wherever idle arms stand, they take nothing from those that are ready, and add nothing to them; nor do
/// arms whose condition is false.
#[test]
fn even_beside_idle_arms() {
    async fn selections(pattern: [bool; 5]) {
        let (_chans, [mut a, mut b, mut c, mut d, mut e]) = ports(pattern);
        let (_, [mut v, mut w, mut x, mut y, mut z]) = ports([true; 5]);
        let (mut chosen, mut by_conditions) = ([0; 5], [0; 5]);
        for number in 0..2 * SELECTS {
            chosen[match number % 4 {
                0 => select! { _ = a => 0, _ = b => 1, _ = c => 2, _ = d => 3, _ = e => 4 },
                1 => select! {
                    _ = a => 0, _ = b => 1, _ = c => 2, _ = d => 3, _ = e => 4,
                    default => panic!("some are ready"),
                },
                2 => select! {
                    _ = a => 0, _ = b => 1, _ = c => 2, _ = d => 3, _ = e => 4,
                    timeout(Duration::ZERO) => panic!("some are ready"),
                },
                _ => select_async! { _ = a => 0, _ = b => 1, _ = c => 2, _ = d => 3, _ = e => 4 },
            }] += 1;
            by_conditions[select! {
                _ = v, if pattern[0] => 0,
                _ = w, if pattern[1] => 1,
                _ = x, if pattern[2] => 2,
                _ = y, if pattern[3] => 3,
                _ = z, if pattern[4] => 4,
                else => panic!("some are true"),
            }] += 1;
        }
        assert_even(&chosen, &pattern);
        assert_even(&by_conditions, &pattern);
    }
    watched(|| patterns().for_each(|pattern| block_on(selections(pattern))));
}

/// Arms that send, into streams that are full or whose port has left.
#[test_in(watched)]
fn even_among_arms_that_send() {
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
            chosen[select! {
                _ = a.send(1) => 0,
                _ = b.send(1) => 1,
                _ = c.send(1) => 2,
                _ = d.send(1) => 3,
                _ = e => 4,
            }] += 1;
        }
        assert_even(&chosen, &pattern);
    }
}

/// The function, also with many receivers.
#[test_in(watched)]
fn even_in_a_list() {
    let many = (0..100).map(|index| [3, 4, 98].contains(&index)).collect();
    for pattern in patterns().map(Vec::from).chain([many]) {
        let (_chans, mut ports): (Vec<_>, Vec<_>) = pattern.iter().map(|it| port(*it)).unzip();
        let mut chosen = vec![0; pattern.len()];
        for _ in 0..SELECTS {
            chosen[select(ports.iter_mut().collect()).0] += 1;
        }
        assert_even(&chosen, &pattern);
    }
}
