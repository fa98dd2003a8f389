//! Where the processors were during the rounds of a race: near each other, or far apart.
//!
//! The processors of a virtual machine may be near each other, so that a word goes from one to the other in
//! tens of nanoseconds, or far apart, which takes several times as long. The host may move them at any time.
//! A time that was measured near says nothing about one that was measured far, so a round in which the
//! placement has changed is repeated.

use serde::Serialize;

use crate::failure::Failure;

/// What one probe has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The processors are near each other.
    Near,
    /// They are far apart.
    Far,
    /// The two threads did not run at the same time, or were interrupted.
    Disturbed,
}

/// What all probes of a round say together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placement {
    Near,
    Far,
    /// It has changed.
    Mixed,
    /// It may have changed: a probe was disturbed.
    Unknown,
}

/// The readings of a round.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    near: bool,
    far: bool,
    disturbed: bool,
}

impl Seen {
    fn note(&mut self, reading: Reading) {
        match reading {
            Reading::Near => self.near = true,
            Reading::Far => self.far = true,
            Reading::Disturbed => self.disturbed = true,
        }
    }

    fn placement(self) -> Placement {
        match self {
            Seen { disturbed: true, .. } => Placement::Unknown,
            Seen { near: true, far: true, .. } => Placement::Mixed,
            Seen { far: true, .. } => Placement::Far,
            Seen { .. } => Placement::Near,
        }
    }
}

/// The numbers of rounds with each placement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Placements {
    /// Rounds in which all probes read near.
    near: u64,
    /// Rounds in which all probes read far.
    far: u64,
    /// Rounds in which the placement changed, and which were kept.
    mixed: u64,
    /// Rounds in which a probe was disturbed.
    unknown: u64,
    /// Attempts that were dropped because the placement changed.
    repeated: u64,
}

/// A round is begun anew at most this many times, and then kept even if the placement changes.
const MOST_REPEATS: u64 = 3;

impl Placements {
    fn kept(&self) -> u64 {
        self.near + self.far + self.mixed + self.unknown
    }

    fn note(&mut self, placement: Placement) {
        match placement {
            Placement::Near => self.near += 1,
            Placement::Far => self.far += 1,
            Placement::Mixed => self.mixed += 1,
            Placement::Unknown => self.unknown += 1,
        }
    }

    /// These rounds and those.
    pub fn and(self, other: Placements) -> Placements {
        Placements {
            near: self.near + other.near,
            far: self.far + other.far,
            mixed: self.mixed + other.mixed,
            unknown: self.unknown + other.unknown,
            repeated: self.repeated + other.repeated,
        }
    }

    /// Runs each lane once, in this order, with a probe before the first run and after each, until one is
    /// disturbed. A round begins anew when the placement changes, but in a race not more often than it has
    /// `rounds`, so that no race takes more than about twice as long. Returns the results of the lanes, and
    /// the number of runs dropped.
    pub fn round<R>(
        &mut self,
        order: &[usize],
        rounds: u64,
        mut probe: impl FnMut() -> Reading,
        mut run: impl FnMut(usize) -> Result<R, Failure>,
    ) -> Result<(Vec<R>, u64), Failure> {
        let last = (self.repeated + MOST_REPEATS).min(rounds);
        let mut dropped = 0;
        'attempt: loop {
            let (mut seen, mut results) = (Seen::default(), Vec::with_capacity(order.len()));
            seen.note(probe());
            for &lane in order {
                results.push(run(lane)?);
                // On a busy machine, where most probes are disturbed, each takes as long as many runs do.
                if !seen.disturbed {
                    seen.note(probe());
                }
                if seen.placement() == Placement::Mixed && self.repeated < last {
                    self.repeated += 1;
                    dropped += results.len() as u64;
                    continue 'attempt;
                }
            }
            self.note(seen.placement());
            return Ok((results, dropped));
        }
    }

    /// The placement in words: `near`, or `near in 6 rounds, far in 3`.
    pub fn words(&self) -> String {
        let parts =
            [("near", self.near), ("far", self.far), ("mixed", self.mixed), ("unknown", self.unknown)];
        let mut words = String::new();
        for (name, rounds) in parts.into_iter().filter(|(_, rounds)| *rounds > 0) {
            words += &match rounds {
                all if all == self.kept() => name.to_owned(),
                1 if words.is_empty() => format!("{name} in 1 round"),
                some if words.is_empty() => format!("{name} in {some} rounds"),
                some => format!(", {name} in {some}"),
            };
        }
        match self.repeated {
            0 => words,
            repeated => format!("{words} ({repeated} repeated)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reading::{Disturbed, Far, Near};
    use super::*;

    /// A race of rounds of these lanes, with a probe that finds these, one after another, and then the last
    /// of them for ever. Returns the lanes that ran, and the placements.
    fn raced(order: &[usize], rounds: u64, readings: &[Reading]) -> (Vec<usize>, Placements) {
        let mut readings = readings.iter();
        let mut last = Disturbed;
        let (mut ran, mut placements, mut all_dropped) = (Vec::new(), Placements::default(), 0);
        for _ in 0..rounds {
            let probe = || {
                last = readings.next().copied().unwrap_or(last);
                last
            };
            let run = |lane| {
                ran.push(lane);
                Ok(lane)
            };
            let (results, dropped) = placements.round(order, rounds, probe, run).expect("no run fails");
            assert_eq!(results, order);
            all_dropped += dropped;
        }
        assert_eq!(ran.len() as u64, rounds * order.len() as u64 + all_dropped);
        assert_eq!(placements.kept(), rounds);
        (ran, placements)
    }

    #[test]
    fn a_round_without_a_change_is_kept() {
        let (ran, placements) = raced(&[1, 0], 1, &[Near]);
        assert_eq!((ran, placements), (vec![1, 0], Placements { near: 1, ..Placements::default() }));
        // A change between two rounds is none.
        let (ran, placements) = raced(&[0, 1], 2, &[Near, Near, Near, Far]);
        assert_eq!(ran, [0, 1, 0, 1]);
        assert_eq!(placements, Placements { near: 1, far: 1, ..Placements::default() });
    }

    #[test]
    fn a_change_begins_the_round_anew() {
        let (ran, placements) = raced(&[0, 1, 2], 1, &[Near, Near, Far]);
        assert_eq!(ran, [0, 1, 0, 1, 2]);
        assert_eq!(placements, Placements { far: 1, repeated: 1, ..Placements::default() });
    }

    #[test]
    fn a_round_that_always_changes_is_kept_as_mixed() {
        let readings: Vec<_> = [Near, Far].into_iter().cycle().take(100).collect();
        let (ran, placements) = raced(&[0, 1], 9, &readings);
        // Three attempts of one run each, and a whole round: so do the first three rounds; then no repeats
        // are left.
        assert_eq!(placements, Placements { mixed: 9, repeated: 9, ..Placements::default() });
        assert_eq!(ran[..10], [0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
        assert_eq!(ran.len(), 9 + 18);
    }

    #[test]
    fn a_race_of_one_round_repeats_it_once() {
        let readings: Vec<_> = [Near, Far].into_iter().cycle().take(10).collect();
        let (ran, placements) = raced(&[0, 1], 1, &readings);
        assert_eq!((ran, placements.repeated, placements.mixed), (vec![0, 0, 1], 1, 1));
    }

    #[test]
    fn a_disturbed_probe_ends_the_probes_of_its_round() {
        let unknown = Placements { unknown: 1, ..Placements::default() };
        for readings in [&[Disturbed, Near, Far][..], &[Near, Disturbed, Far], &[Far, Far, Disturbed]] {
            assert_eq!(raced(&[0, 1], 1, readings), (vec![0, 1], unknown));
        }
        // The next round takes the next reading.
        let (_, placements) = raced(&[0, 1], 2, &[Near, Disturbed, Far]);
        assert_eq!(placements, Placements { far: 1, ..unknown });
    }

    #[test]
    fn a_failed_run_ends_the_round() {
        let failed = Placements::default().round(
            &[0, 1],
            1,
            || Near,
            |lane| match lane {
                0 => Ok(()),
                _ => Err(Failure::Run("it failed".to_owned())),
            },
        );
        assert!(matches!(failed, Err(Failure::Run(_))));
    }

    #[test]
    fn the_words_say_how_many() {
        let all = Placements { far: 9, ..Placements::default() };
        assert_eq!(all.words(), "far");
        let some = Placements { near: 6, far: 2, mixed: 1, unknown: 0, repeated: 4 };
        assert_eq!(some.words(), "near in 6 rounds, far in 2, mixed in 1 (4 repeated)");
        let one = Placements { far: 1, unknown: 2, ..Placements::default() };
        assert_eq!(one.words(), "far in 1 round, unknown in 2");
        assert_eq!(all.and(some).words(), "near in 6 rounds, far in 11, mixed in 1 (4 repeated)");
    }
}
