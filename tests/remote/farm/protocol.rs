//! What a farm and its workers say to each other, written once more. So these tests can have workers that
//! break the rules, and the protocol cannot change unnoticed: workers of other versions would be refused.

use serde::{Deserialize, Serialize};

/// An item on its way to a worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Item<T>(T);

impl<T> Item<T> {
    pub fn into_inner(self) -> T {
        self.0
    }
}

pipes::proto! {
    #[remote]
    pub work<T: Send, U: Send> {
        idle: recv {
            item(Item<T>) -> busy,
            enough -> !
        }
        busy: send {
            done(U) -> idle,
            failed(String) -> idle
        }
    }
}
