//! The auction house: who is in the hall, what is sold, and for how much.

use auction_protocol::{Lot, News};
use pipes::{LaggingChan, LaggingPort, broadcast_lagging};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// A board that falls behind by more than this many news gets the whole state again.
const NEWS: usize = 64;

const LOTS: [(&str, &str); 5] = [
    ("🎻", "A violin without strings"),
    ("🕰️", "A clock that is right twice a day"),
    ("🗺️", "A map of an island that is not there"),
    ("🫖", "A teapot that has seen three kings"),
    ("🔭", "A telescope for one star"),
];

/// A clone is the same house.
#[derive(Clone)]
pub struct House(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    news: LaggingChan<News>,
    /// How long a lot waits for another bid.
    patience: Duration,
}

struct State {
    hall: Vec<String>,
    lot: Lot,
    /// When the lot is sold, unless there is another bid.
    end: Instant,
}

/// Someone in the hall, who leaves it when this is dropped.
pub struct Seat {
    house: House,
    name: String,
}

fn lot(number: u32) -> Lot {
    let (picture, name) = LOTS[(number as usize - 1) % LOTS.len()];
    Lot { number, name: name.to_owned(), picture: picture.to_owned(), highest: None }
}

impl House {
    /// Opens a house, in which a lot waits so long for another bid.
    pub fn new(patience: Duration) -> Self {
        let state = State { hall: Vec::new(), lot: lot(1), end: Instant::now() + patience };
        let (news, _) = broadcast_lagging(NEWS);
        House(Arc::new(Shared { state: Mutex::new(state), news, patience }))
    }

    /// Locks the state. Nothing panics while it holds the lock.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells all boards. The caller holds the lock, so the news are in order.
    fn tell(&self, news: News) {
        // Without a board, the news are for no one.
        let _ = self.0.news.send(news);
    }

    /// Gives a seat to someone. Returns `None` if the name is empty, too long or taken.
    pub fn enter(&self, name: &str) -> Option<Seat> {
        let name = name.trim();
        let mut state = self.state();
        if name.is_empty() || name.chars().count() > 20 || state.hall.iter().any(|it| it == name) {
            return None;
        }
        state.hall.push(name.to_owned());
        self.tell(News::Came(name.to_owned()));
        Some(Seat { house: self.clone(), name: name.to_owned() })
    }

    /// Returns the state of the hall, and what happens from then on.
    pub fn watch(&self) -> ([News; 2], LaggingPort<News>) {
        let state = self.state();
        (state.news(), self.0.news.subscribe())
    }

    /// Returns the state of the hall.
    pub fn news(&self) -> [News; 2] {
        self.state().news()
    }

    /// Sells one lot after the other, for ever.
    pub async fn sell(self) {
        loop {
            let end = self.state().end;
            sleep_until(end).await;
            let mut state = self.state();
            // There may have been another bid in the meantime.
            if state.end <= Instant::now() {
                self.tell(match state.lot.highest.take() {
                    Some((who, amount)) => News::Sold(who, amount),
                    None => News::Unsold,
                });
                state.lot = lot(state.lot.number + 1);
                state.end = Instant::now() + self.0.patience;
                self.tell(News::Lot(state.lot.clone()));
            }
        }
    }
}

impl State {
    fn news(&self) -> [News; 2] {
        [News::Lot(self.lot.clone()), News::Hall(self.hall.clone())]
    }
}

impl Seat {
    /// Bids for the lot.
    ///
    /// # Errors
    ///
    /// Another bid is as high or higher. Contains the least bid that would lead.
    pub fn bid(&self, amount: u32) -> Result<(), u32> {
        let mut state = self.house.state();
        let least = state.lot.highest.as_ref().map_or(1, |(_, highest)| highest.saturating_add(1));
        if amount < least {
            return Err(least);
        }
        state.lot.highest = Some((self.name.clone(), amount));
        state.end = Instant::now() + self.house.0.patience;
        self.house.tell(News::Lot(state.lot.clone()));
        Ok(())
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.house.state();
        state.hall.retain(|it| *it != self.name);
        self.house.tell(News::Left(self.name.clone()));
    }
}
