//! Interleaved rounds: a warm-up of each contender, then rounds of all of them in a changing order. Every
//! result is verified. Where several processors are used, a round is repeated if their placement changes.

use std::thread::available_parallelism;
use std::time::Duration;

use super::choose::Lane;
use super::probe::probe;
use super::{AnyProgram, Placements, Progress, Times, Track};
use crate::failure::Failure;

/// The number of timed rounds when `--repeat` is not given: as many as fit into this time, within these
/// limits.
const BUDGET: Duration = Duration::from_secs(12);
const FEWEST: u64 = 3;
const MOST: u64 = 9;

/// The results of a race.
pub struct Raced<'p> {
    /// Each contender's times, fastest median first.
    pub times: Vec<Times>,
    /// Timed rounds.
    pub rounds: u64,
    /// Where the processors were; nothing if only one is used.
    pub placements: Option<Placements>,
    /// The setting that all contenders ran with, and the last outcome.
    pub track: Box<dyn Track + 'p>,
}

/// Runs a race: makes the setting, and runs the lanes in turn.
pub fn race<'p>(
    program: &'p dyn AnyProgram,
    lanes: &[Lane],
    repeat: Option<u64>,
    progress: &Progress,
) -> Result<Raced<'p>, Failure> {
    let mut track = program
        .track()
        .map_err(|error| Failure::io(&format!("{} could not be made ready", program.name()), &error))?;
    let once = |track: &mut dyn Track, &(name, candidate): &Lane| {
        progress.next(name);
        let failure = |failed| Failure::Run(format!("{}: contender `{name}` {failed}", program.name()));
        track.run(candidate).map_err(failure)
    };

    let mut warm_up = Duration::ZERO;
    for lane in lanes {
        warm_up += once(&mut *track, lane)?;
    }
    let rounds = repeat.unwrap_or_else(|| rounds_within_budget(warm_up));
    let mut expected = (rounds + 1) * lanes.len() as u64;
    progress.expect(expected);

    let has_placement =
        program.is_threaded() && available_parallelism().is_ok_and(|processors| processors.get() > 1);
    let mut placements = has_placement.then(Placements::default);
    let mut runs = vec![Vec::with_capacity(rounds as usize); lanes.len()];
    for round in 0..rounds as usize {
        let order: Vec<_> = order(lanes.len(), round).collect();
        let mut run = |which: usize| {
            let time = once(&mut *track, &lanes[which])?;
            Ok((time.as_secs_f64(), track.figures()))
        };
        let results = if let Some(placements) = &mut placements {
            let (results, dropped) = placements.round(&order, rounds, probe, run)?;
            expected += dropped;
            progress.expect(expected);
            results
        } else {
            order.iter().map(|which| run(*which)).collect::<Result<_, Failure>>()?
        };
        order.into_iter().zip(results).for_each(|(which, result)| runs[which].push(result));
    }
    let mut times: Vec<_> = lanes.iter().zip(runs).map(|(lane, runs)| Times::new(lane.0, runs)).collect();
    times.sort_by(|one, other| one.median().total_cmp(&other.median()));
    Ok(Raced { times, rounds, placements, track })
}

/// The order of `lanes` lanes in a round. What a run leaves behind affects the next one: caches, the clock of
/// the cores, threads that have not gone to sleep yet. So no lane always follows the same one: over as many
/// rounds as there are lanes, or twice as many if their number is odd, every lane follows every other one
/// equally often within a round; with fewer rounds, as equally as possible.
///
/// E. J. Williams, Experimental designs balanced for the estimation of residual effects of treatments (1949).
fn order(lanes: usize, round: usize) -> impl Iterator<Item = usize> {
    let is_odd = lanes % 2 == 1;
    let (shift, is_backwards) = if is_odd { (round / 2, round % 2 == 1) } else { (round, false) };
    (0..lanes).map(move |place| {
        let place = if is_backwards { lanes - 1 - place } else { place };
        // 0, 1, and then alternately from both ends: the last lane, 2, the last but one, 3, ...
        let first = if place % 2 == 1 { place.div_ceil(2) } else { lanes - place / 2 };
        (first + shift) % lanes
    })
}

/// The number of rounds that fit into the budget after a warm-up, which takes as long as a round.
fn rounds_within_budget(round: Duration) -> u64 {
    let fitting = BUDGET.as_secs_f64() / round.as_secs_f64().max(f64::MIN_POSITIVE);
    (fitting as u64).saturating_sub(1).clamp(FEWEST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each lane has followed each other one within a round.
    fn followed(lanes: usize, rounds: usize) -> Vec<Vec<usize>> {
        let mut followed = vec![vec![0; lanes]; lanes];
        for round in 0..rounds {
            let order: Vec<_> = order(lanes, round).collect();
            let mut all = order.clone();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..lanes), "everybody runs once: {order:?}");
            order.windows(2).for_each(|pair| followed[pair[1]][pair[0]] += 1);
        }
        followed
    }

    #[test]
    fn nobody_always_has_the_same_one_in_front() {
        for lanes in 1..14 {
            let rounds = if lanes % 2 == 0 { lanes } else { 2 * lanes };
            for (one, row) in followed(lanes, rounds).into_iter().enumerate() {
                let due = |other| if one == other { 0 } else { rounds / lanes };
                assert!(row.iter().enumerate().all(|(other, times)| *times == due(other)), "{one}: {row:?}");
            }
        }
        // With fewer rounds, no lane follows the same one more than twice.
        for (lanes, rounds) in [(3, 3), (5, 5), (7, 7), (9, 9), (13, 9)] {
            for row in followed(lanes, rounds) {
                assert!(row.iter().all(|times| *times <= 2), "{row:?}");
                assert!(row.iter().filter(|times| **times > 0).count() >= lanes.min(rounds) - 3, "{row:?}");
            }
        }
    }

    #[test]
    fn rounds_follow_the_length_of_one() {
        assert_eq!(rounds_within_budget(Duration::ZERO), MOST);
        assert_eq!(rounds_within_budget(Duration::from_millis(1)), MOST);
        assert_eq!(rounds_within_budget(Duration::from_secs(2)), 5);
        assert_eq!(rounds_within_budget(Duration::from_secs(60)), FEWEST);
    }
}
