//! 14 — Three parties: an auctioneer and two bidders.
//!
//! You will see: bids that rise until one bidder passes, and the result for each of the two.
//! New here: more than two parties, with a session for each pair; a server that sends first.
//! Before: 13_any_state. Next: 15_bounded.
//!
//!     cargo run --example 14_auction

use auction::{Asked, Client, Out, Room, Server};
use std::collections::VecDeque;
use std::error::Error;
use std::thread;

pipes::proto! {
    /// An auction as one bidder sees it. In the state `out` no message asks for another bid.
    auction {
        room: recv {
            price(u32) -> asked,
            yours(u32) -> !,
        }
        asked: send { bid -> room, pass -> out }
        out: recv { sold(u32) -> !, unsold -> ! }
    }
}

type OrLeft<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> OrLeft<()> {
    let (ada, ada_bids) = auction::pipe();
    let (ben, ben_bids) = auction::pipe();
    let ada = thread::spawn(move || bidder(50, ada));
    let ben = thread::spawn(move || bidder(35, ben));
    auctioneer([("ada", ada_bids), ("ben", ben_bids)].into())?;
    println!("ada: {}", ada.join().expect("ada does not panic")?);
    println!("ben: {}", ben.join().expect("ben does not panic")?);
    Ok(())
}

/// Asks the bidders in turn. The protocol is about one bidder; this function determines the order among them.
fn auctioneer(mut room: VecDeque<(&str, Server<Room>)>) -> OrLeft<()> {
    let (mut price, mut leader, mut out) = (0, None, Vec::new());
    // `room` has the bidders who have neither passed nor made the highest bid.
    while let Some((name, bidder)) = room.pop_front() {
        let asked = price + 10;
        match bidder.price(asked)?.recv()? {
            Asked::Bid(bidder) => {
                println!("{name} bids {asked}");
                price = asked;
                room.extend(leader.replace((name, bidder)));
            }
            Asked::Pass(bidder) => {
                println!("{name} passes at {asked}");
                out.push(bidder);
            }
        }
    }
    let Some((name, winner)) = leader else {
        println!("unsold");
        return out.into_iter().try_for_each(|bidder| Ok(bidder.unsold()?));
    };
    println!("sold to {name}");
    winner.yours(price)?;
    out.into_iter().try_for_each(|bidder| Ok(bidder.sold(price)?))
}

/// Bids up to a limit. Returns the result in words.
fn bidder(limit: u32, mut client: Client<Room>) -> OrLeft<String> {
    loop {
        client = match client.recv()? {
            Room::Price(price, next) if price <= limit => next.bid()?,
            Room::Price(_, next) => {
                return match next.pass()?.recv()? {
                    Out::Sold(price) => Ok(format!("it went for {price}")),
                    Out::Unsold => Ok(String::from("it was not sold")),
                };
            }
            Room::Yours(price) => return Ok(format!("mine, for {price}")),
        };
    }
}
