//! A stage fails or is cancelled while the others work, wait, or are about to wait.

use crate::support::{assert_only, payload};
use loom::thread;
use pipes::skeleton::{Cancel, Cause, from_fn, from_iter, try_from_iter};

/// The sink waits for an item that never comes. It must learn of the failure, and no thread may be left.
#[test]
fn the_source_fails() {
    loom::model(|| {
        let (sent, count) = payload();
        let failure =
            try_from_iter([Ok(sent), Err("none")]).collect().expect_err("the second item is an error");
        assert!(matches!(failure.cause(), Cause::Error(_)));
        assert!(failure.stuck().is_empty());
        assert_only(&count);
    });
}

/// The source waits for a place when the sink fails.
#[test]
fn the_sink_fails() {
    loom::model(|| {
        let (sent, count) = payload();
        let cancel = Cancel::new();
        let ended =
            from_iter([sent.clone(), sent]).hand_over(1).cancelled_by(&cancel).for_each(|_| cancel.cancel());
        assert!(ended.is_err_and(|failure| failure.stuck().is_empty()));
        assert_only(&count);
    });
}

/// Cancelled from another thread at any moment: the pipeline fails as cancelled, or all items come out.
#[test]
fn cancelled() {
    loom::model(|| {
        let (sent, count) = payload();
        let (cancel, mut item) = (Cancel::new(), Some(sent));
        let canceller = thread::spawn({
            let cancel = cancel.clone();
            move || cancel.cancel()
        });
        match from_fn(move || item.take()).cancelled_by(&cancel).collect() {
            Ok(items) => assert_eq!(items.len(), 1),
            Err(failure) => {
                assert!(matches!(failure.cause(), Cause::Cancelled) && failure.stuck().is_empty())
            }
        }
        canceller.join().unwrap();
        drop(cancel);
        assert_only(&count);
    });
}
