//! A stage hands its items over through one place, and ends.

use crate::support::{assert_only, payload};
use pipes::skeleton::from_iter;

#[test]
fn one_place() {
    loom::model(|| {
        let (sent, count) = payload();
        let items = from_iter([sent.clone(), sent]).hand_over(1).collect().expect("nothing fails");
        assert_eq!(items.len(), 2);
        drop(items);
        assert_only(&count);
    });
}

/// The caller drops the iterator. That ends the source, which waits for a place or is about to.
#[test]
fn nobody_asks_for_more() {
    loom::model(|| {
        let (sent, count) = payload();
        let mut items = from_iter([sent.clone(), sent]).hand_over(1).into_iter();
        assert!(items.next().is_some_and(|item| item.is_ok()));
        drop(items);
        assert_only(&count);
    });
}
