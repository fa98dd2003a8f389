//! The probe: how long a word takes from one processor to another and back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::placement::Reading;
use crate::executor::two_threads;

/// A near word takes about 50 ns there and back, a far one 380 ns: this is between them, at about the same
/// factor from both.
const NEAR: Duration = Duration::from_nanos(150);
/// No word takes longer between two processors, even if they share no cache. Two threads that share a
/// processor take milliseconds, as each spins until the scheduler takes the processor away from it.
const FAR: Duration = Duration::from_micros(2);

/// Round trips in a burst. A burst is short (15 µs near, 120 µs far), so most bursts are not interrupted.
const TRIPS: u64 = 300;
const BURSTS: u64 = 3;

/// After this time both threads give up. A probe takes a tenth of it where both run at once. On a busy
/// machine they may begin on the same processor, from which the scheduler takes some milliseconds to move one
/// of them; with twice the time, no more probes succeeded.
const LIMIT: Duration = Duration::from_millis(5);
/// Loads between two readings of the clock, which take longer than a load.
const LOADS: u32 = 1024;

/// Reads the placement. Whether the two threads are on two processors is decided by the scheduler, and shows
/// in the time.
pub fn probe() -> Reading {
    bounced().map_or(Reading::Disturbed, reading)
}

/// What the time of a round trip says.
fn reading(trip: Duration) -> Reading {
    match trip {
        trip if trip < NEAR => Reading::Near,
        trip if trip < FAR => Reading::Far,
        _ => Reading::Disturbed,
    }
}

/// The time of a round trip in the shortest burst, as an interruption only makes a burst longer; nothing if
/// one of the threads did not run.
fn bounced() -> Option<Duration> {
    let word = Arc::new(AtomicU64::new(0));
    let echo = Arc::clone(&word);
    let deadline = Instant::now() + LIMIT;
    two_threads(move || ask(&word, deadline), move || answer(&echo, deadline)).ok()?.0
}

/// Sends odd numbers, and waits for the even ones that follow them.
fn ask(word: &AtomicU64, deadline: Instant) -> Option<Duration> {
    let trip = |number: u64| {
        // ORDERING: the word carries nothing but itself, here and in `answer` and `wait_for`.
        word.store(2 * number + 1, Relaxed);
        wait_for(word, 2 * number + 2, deadline)
    };
    // Before the first burst, the other thread has to start.
    trip(0)?;
    let mut shortest = None;
    for burst in 0..BURSTS {
        let first = 1 + burst * TRIPS;
        let begun = Instant::now();
        (first..first + TRIPS).try_for_each(trip)?;
        let time = begun.elapsed() / TRIPS as u32;
        shortest = Some(shortest.map_or(time, |other: Duration| other.min(time)));
    }
    shortest
}

/// Waits for odd numbers, and sends the even ones that follow them.
fn answer(word: &AtomicU64, deadline: Instant) {
    for number in 0..=BURSTS * TRIPS {
        if wait_for(word, 2 * number + 1, deadline).is_none() {
            break;
        }
        word.store(2 * number + 2, Relaxed);
    }
}

/// Waits until the word has this value; nothing if it does not have it by then. It spins without the hint
/// that it does, which on some processors takes longer than the round trip.
#[inline]
fn wait_for(word: &AtomicU64, value: u64, deadline: Instant) -> Option<()> {
    let mut loads = 0_u32;
    while word.load(Relaxed) != value {
        loads += 1;
        if loads.is_multiple_of(LOADS) && Instant::now() > deadline {
            return None;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_near_or_far_or_says_nothing() {
        let of = |nanoseconds| reading(Duration::from_nanos(nanoseconds));
        assert_eq!([20, 47, 149].map(of), [Reading::Near; 3]);
        assert_eq!([150, 380, 1999].map(of), [Reading::Far; 3]);
        assert_eq!([2000, 4_000_000].map(of), [Reading::Disturbed; 2]);
    }

    /// Both sides end, whatever the processors do, and a time is that of all trips.
    #[test]
    fn both_sides_count_the_same_trips() {
        let word = Arc::new(AtomicU64::new(0));
        let (one, other) = (Arc::clone(&word), Arc::clone(&word));
        let deadline = Instant::now() + LIMIT;
        let both = two_threads(move || ask(&one, deadline), move || answer(&other, deadline));
        let (asked, ()) = both.expect("a thread starts");
        let all = 2 * (BURSTS * TRIPS + 1);
        assert!(asked.is_none() || word.load(Relaxed) == all, "{asked:?} {word:?}");
    }

    #[test]
    fn a_word_that_does_not_come_is_given_up() {
        assert_eq!(ask(&AtomicU64::new(0), Instant::now()), None);
    }
}
