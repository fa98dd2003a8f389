//! Scenarios of the table whose threads race: again and again, and one at a time.

use crate::race::alone;
use pipes_tests::effort;
use pipes_tests::table::flavors::{
    Bounded, Duplex, ManyReceivers, ManyReceiversBounded, OneSenderManyReceivers,
    OneSenderManyReceiversBounded, Shared, SharedBounded, Stream,
};

/// How often each scenario is run, each time with several seeds.
const TIMES: usize = if cfg!(miri) { 1 } else { effort(2) };

macro_rules! repeated {
    ($($group:ident::$scenario:ident: $($flavor:ty),*;)*) => {
        $(mod $group {
            #[test]
            fn $scenario() {
                use super::*;
                for _ in 0..TIMES {
                    $(alone(pipes_tests::table::$group::$scenario::<$flavor>);)*
                }
            }
        })*
    };
}

repeated! {
    queues::every_kind_of_receive:
        Stream, Bounded<0>, Bounded<2>, Shared, SharedBounded<0>, SharedBounded<2>, Duplex;
    limited::every_kind_of_send:
        Bounded<0>, Bounded<1>, Bounded<3>, SharedBounded<0>, SharedBounded<1>, ManyReceiversBounded<1>;
    waiting_senders::every_kind_of_send_of_several:
        SharedBounded<0>, SharedBounded<1>, SharedBounded<3>, ManyReceiversBounded<0>, ManyReceiversBounded<1>;
    cloned_senders::messages_of_several: Shared, SharedBounded<0>, SharedBounded<2>, ManyReceivers;
    cloned_receivers::messages_for_several:
        ManyReceivers, ManyReceiversBounded<0>, ManyReceiversBounded<2>, OneSenderManyReceivers,
        OneSenderManyReceiversBounded<0>, OneSenderManyReceiversBounded<1>;
    batches::every_kind_of_batch:
        Stream, Bounded<0>, Bounded<1>, Bounded<5>, Bounded<200>, Shared, SharedBounded<0>, SharedBounded<5>;
}
