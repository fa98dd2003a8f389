//! Which arm runs when several receivers are ready.

use pipes::{Port, select, select2, stream};
use pipes_tests::watched;

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
                    timeout(std::time::Duration::ZERO) => panic!("both are ready"),
                }
            }
        }
        assert!(chosen.iter().all(|count| *count >= 4_000), "{chosen:?}");
    });
}

/// Among several, one that is never ready takes nothing from the others, wherever it stands.
#[test]
fn several_with_an_idle_one() {
    watched(|| {
        let ((_one, mut a), (_two, mut b), (_three, mut c)) =
            (filled(SELECTS), filled(SELECTS), filled(SELECTS));
        let (_silent, mut idle) = stream::<usize>();
        let mut chosen = [0; 3];
        for _ in 0..SELECTS {
            select! {
                _ = a => chosen[0] += 1,
                _ = idle => panic!("nobody sent"),
                _ = b => chosen[1] += 1,
                _ = c => chosen[2] += 1,
            }
        }
        // The receiver behind the idle one has its share as well, and none starves.
        assert!(chosen.iter().all(|count| *count >= 2_000), "{chosen:?}");
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
        futures::executor::block_on(async {
            let ((_one, mut first), (_two, mut second)) = (filled(SELECTS), filled(SELECTS));
            let mut chosen = [0; 2];
            for _ in 0..SELECTS {
                pipes::select_async! {
                    _ = first => chosen[0] += 1,
                    _ = second => chosen[1] += 1,
                }
            }
            assert!(chosen.iter().all(|count| *count >= 4_000), "{chosen:?}");
        });
    });
}
