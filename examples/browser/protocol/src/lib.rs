//! What the pages and the server of the auction say to each other. Both compile this.

use serde::{Deserialize, Serialize};

/// Where the server takes bidders, and where it tells the news.
pub const AUCTION: &str = "/auction";
/// See [`AUCTION`].
pub const BOARD: &str = "/board";

/// What is sold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lot {
    /// Counts from 1.
    pub number: u32,
    /// What it is.
    pub name: String,
    /// A picture of it, as a character.
    pub picture: String,
    /// The highest bid: who has made it, and how much it is.
    pub highest: Option<(String, u32)>,
}

/// What happens in the hall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum News {
    /// This is sold now, with its highest bid.
    Lot(Lot),
    /// These people are in the hall.
    Hall(Vec<String>),
    /// Someone has come.
    Came(String),
    /// Someone has left.
    Left(String),
    /// The lot is sold to this bidder for this amount.
    Sold(String, u32),
    /// No one wanted the lot.
    Unsold,
}

pipes::proto! {
    /// Someone bids.
    #[remote]
    pub auction {
        door: send { enter(String) -> welcome }
        welcome: recv { seat -> floor, taken -> door }
        floor: send { bid(u32) -> verdict, leave -> ! }
        verdict: recv { leading -> floor, too_low(u32) -> floor }
    }
}

pipes::proto! {
    /// Someone watches. In a session one side speaks at a time, so the news have a session of their own.
    #[remote]
    pub board {
        watching: recv { news(News) -> watching }
    }
}
