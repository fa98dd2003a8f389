//! Two threads share one right to add to a word. Each holder sees all additions of the holder before.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;
use pipes::__private::Rights;

#[test]
fn the_next_holder_sees_what_was_added() {
    loom::model(|| {
        let shared = Arc::new((Rights::none_given(), AtomicUsize::new(0)));
        let add = |shared: Arc<(Rights, AtomicUsize)>| {
            move || {
                let (rights, word) = &*shared;
                let given = rights.give(1);
                if given {
                    let seen = word.load(Ordering::Relaxed);
                    assert_eq!(
                        word.fetch_add(1, Ordering::Relaxed),
                        seen,
                        "no other thread may add meanwhile"
                    );
                    rights.take_back();
                }
                usize::from(given)
            }
        };
        let other = thread::spawn(add(shared.clone()));
        let own = add(shared.clone())();
        let other = other.join().expect("it does not panic");
        assert!(own + other > 0, "one of them was first");
        assert_eq!(shared.1.load(Ordering::Relaxed), own + other);
    });
}
