//! Two replicas share the items of one source. With the source and the sink there are four threads, so only
//! one preemption can be explored. `tests/skeleton/farms.rs` explores more at random.

use crate::support::{assert_only, payload};
use loom::model::Builder;
use pipes::skeleton::from_iter;

#[test]
fn two_replicas() {
    let mut few = Builder::new();
    few.preemption_bound = Some(1);
    few.check(|| {
        let (sent, count) = payload();
        let items = from_iter([sent.clone(), sent]).window(2).parallel(2, |item| item).collect();
        assert_eq!(items.expect("nothing fails").len(), 2);
        assert_only(&count);
    });
}
