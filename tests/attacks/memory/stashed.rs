//! Parts of pipelines are stashed away, exchanged with those of other pipelines, and run where they do not
//! belong. That must be refused, and the values that they own must be dropped once.

use pipes_skeleton::{BuildError, Cause, Failure, Pipeline, from_iter, merge, posted};
use pipes_tests::{Counted, Tally, watched};
use std::mem::swap;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;

type Items = Pipeline<Counted>;

fn items(tally: &Tally) -> Items {
    let tally = tally.clone();
    from_iter((0..5).map(move |number| tally.make(number)))
}

/// Adds a stage that owns a value.
fn stage(items: Items, tally: &Tally) -> Items {
    let owned = Arc::new(tally.make(99));
    items.parallel(2, move |item| {
        assert_eq!(owned.number, 99);
        item
    })
}

#[track_caller]
fn assert_not_a_part<T>(result: Result<T, Failure>) {
    let Err(failure) = result else { panic!("it has run") };
    assert!(matches!(failure.cause(), Cause::Build(BuildError::NotAPart)), "{failure}");
}

/// A share is taken out of its farm, whose replica is given another source; then the share is run.
#[test]
fn shares_that_are_taken_away() {
    watched(|| {
        let tally = Tally::new();
        let mut stash = Vec::new();
        let farm = items(&tally).farm(2, |share| {
            stash.push(stage(share, &tally));
            stage(items(&tally), &tally)
        });
        assert_not_a_part(stage(farm, &tally).collect());
        let round = items(&tally).feedback(|share| {
            stash.push(share);
            items(&tally).sequential(Break)
        });
        assert_not_a_part(round.collect());
        let run = posted(|share: Items| {
            stash.push(share);
            items(&tally)
        });
        assert_not_a_part(run.map(drop));
        // The share of `posted` is a source like others, to which nothing is posted.
        assert!(stash.pop().expect("it is there").collect().expect("it ends").is_empty());
        assert_not_a_part(merge([items(&tally), stash.pop().expect("it is there")]).collect());
        for share in stash {
            assert_not_a_part(stage(share, &tally).collect());
        }
        tally.assert_all_gone();
    });
}

/// The share of an inner farm takes the place of the outer farm's share, and the reverse.
#[test]
fn shares_that_are_exchanged() {
    watched(|| {
        for which in 0..4 {
            let tally = Tally::new();
            let mut inner = None;
            let outer = items(&tally).farm(2, |mut share| {
                let mut other = None;
                let farm = items(&tally).farm(2, |mut its| {
                    if which % 2 == 0 || other.is_none() {
                        swap(&mut its, &mut share);
                    }
                    other = Some(());
                    stage(its, &tally)
                });
                inner = Some(inner.take().map_or(farm, |before| merge([before])));
                stage(share, &tally)
            });
            let outer = if which < 2 { outer } else { outer.in_order() };
            assert_not_a_part(outer.collect());
            assert_not_a_part(inner.expect("it was made").collect());
            tally.assert_all_gone();
        }
    });
}

/// A share of a farm goes into a loop within that farm, and the loop's share into the farm.
#[test]
fn rounds_and_farms_that_exchange() {
    watched(|| {
        let tally = Tally::new();
        let farm = items(&tally).farm(2, |share| {
            let mut stash = None;
            let round = share.feedback(|again| {
                stash = Some(again);
                items(&tally)
                    .parallel(2, |item: Counted| if item.number > 3 { Break(item) } else { Continue(item) })
            });
            drop(round);
            stage(stash.expect("it was given"), &tally)
        });
        assert_not_a_part(farm.collect());
        tally.assert_all_gone();
    });
}
