//! Two threads share one permit to add to a word. Each holder sees all additions of the holder before.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;
use pipes::__private::Semaphore;

#[test]
fn the_next_holder_sees_what_was_added() {
    loom::model(|| {
        let shared = Arc::new((Semaphore::new(), AtomicUsize::new(0)));
        let add = |shared: Arc<(Semaphore, AtomicUsize)>| {
            move || {
                let (semaphore, word) = &*shared;
                let given = semaphore.try_acquire(1);
                if given {
                    let seen = word.load(Ordering::Relaxed);
                    assert_eq!(
                        word.fetch_add(1, Ordering::Relaxed),
                        seen,
                        "no other thread may add meanwhile"
                    );
                    semaphore.release();
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
