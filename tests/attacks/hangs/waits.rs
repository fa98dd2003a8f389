//! What several attacks use: destructors that wait, and items that come in another order.

use pipes::oneshot;
use pipes_skeleton::Pipeline;
use std::sync::mpsc::Receiver;

/// Its destructor waits until the sender is dropped.
pub(super) struct Waits(pub(super) Receiver<()>);

impl Drop for Waits {
    fn drop(&mut self) {
        assert!(self.0.recv().is_err(), "nothing is sent");
    }
}

/// An async stage for 8 items at a time that lets the first item go after the second one. Where the order is
/// restored, the second item is therefore there as soon as the first one is.
pub(super) fn second_first<T: Send + 'static>(items: Pipeline<T>) -> Pipeline<T> {
    let (go, goes) = oneshot();
    let (mut go, mut goes) = (Some(go), Some(goes));
    let mut count = 0;
    items.concurrent(8, move |item| {
        count += 1;
        let waits_for = if count == 1 { goes.take() } else { None };
        // The second item has gone when the third one is begun.
        if count == 3
            && let Some(go) = go.take()
        {
            go.send(()).expect("the first one waits");
        }
        async move {
            if let Some(goes) = waits_for {
                goes.await.expect("the third one comes");
            }
            item
        }
    })
}
