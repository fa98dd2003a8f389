//! What a farm and its workers say to each other.

use super::item::Item;

pipes::proto! {
    /// A worker works on one item at a time. It has several of these sessions, so that its next item is there
    /// when it is done with one.
    #[remote]
    pub(super) work<T: Send, U: Send> {
        idle: recv {
            /// Work on this.
            item(Item<T>) -> busy,
            /// There is nothing more to do.
            enough -> !
        }
        busy: send {
            /// The result.
            done(U) -> idle,
            /// The work has failed, and would fail again.
            failed(String) -> idle
        }
    }
}
