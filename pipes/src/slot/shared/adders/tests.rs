//! Which threads get a permit to add.

use super::may_add;

/// The first answer is no, because the thread's last look may be older than the permit.
#[test]
fn a_thread_asks_once() {
    let asked = || std::thread::spawn(|| [may_add(), may_add(), may_add()]);
    for _ in 0..if cfg!(miri) { 10 } else { 100 } {
        let [first, second, third] = asked().join().expect("it does not panic");
        assert!(!first);
        assert_eq!(second, third);
    }
}
