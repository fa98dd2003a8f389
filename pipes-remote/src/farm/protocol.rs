//! The protocol between a farm and its workers.

use super::item::Item;

pipes::proto! {
    /// A session works on one item at a time. A worker has several sessions, so that its next item is there
    /// when it is done with one.
    #[remote]
    pub(super) work<T: Send, U: Send> {
        idle: recv {
            /// Work on this.
            item(Item<T>) -> busy,
            /// There are no more items.
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
