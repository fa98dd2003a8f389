//! 17 — The first of several answers: who takes the traveller home?
//!
//! You will see: four evenings; a taxi, a friend or neither answers first, and the late one stops working.
//! New here: `select!` and its `timeout`, `Closing`. Before: 16_bank_of_2012. Next: 18_changing_crowd.
//!
//!     cargo run --example 17_first_answer

use pipes::Closing;
use std::error::Error;
use std::thread;
use std::time::Duration;

pipes::proto! {
    taxi {
        call: send { to(&'static str) -> offer }
        offer: recv { price(u32) -> deal }
        deal: send { agreed -> ! }
    }
    lift {
        ask: send { are_you_driving -> answer }
        answer: recv { get_in -> ! }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (long, short) = (Duration::from_secs(86_400), Duration::from_millis(10));
    evening(Some(12), usize::MAX, long)?;
    evening(None, 3, long)?;
    evening(Some(90), 3, long)?;
    evening(None, usize::MAX, short)
}

/// The traveller asks both a firm and a friend, and waits for the first answer, but not forever.
fn evening(price: Option<u32>, pockets: usize, patience: Duration) -> Result<(), Box<dyn Error>> {
    let (call, called) = taxi::pipe();
    let firm = thread::spawn(move || firm(price, called));
    let (ask, asked) = lift::pipe();
    let friend = thread::spawn(move || friend(pockets, asked));

    let way = {
        let (mut offer, mut answer) = (call.to("Main Street")?, ask.are_you_driving()?);
        // An arm gets the result of `recv()`. It consumes only its own endpoint; it can still use the other.
        pipes::select! {
            offered = offer => match offered? {
                taxi::Offer::Price(price, deal) if price <= 50 => {
                    deal.agreed()?;
                    format!("by taxi, for {price}")
                }
                taxi::Offer::Price(..) => answer.recv().map(|lift::Answer::GetIn| "with a friend".to_string())?,
            },
            answered = answer => answered.map(|lift::Answer::GetIn| "with a friend".to_string())?,
            timeout(patience) => "on foot".to_string(),
        }
    }; // Here the unused endpoint is dropped. So the other side learns that no answer is needed.
    println!("home {way}");
    println!("  the firm drives: {}", firm.join().expect("the firm does not panic").is_some());
    println!("  the friend drives: {}", friend.join().expect("the friend does not panic").is_some());
    Ok(())
}

/// Offers a car for this price, if there is a car, and drives if the traveller agrees.
fn firm(price: Option<u32>, server: taxi::Server<taxi::Call>) -> Option<taxi::Deal> {
    let taxi::Call::To(_, mut offer) = server.recv().ok()?;
    if price.is_none() {
        offer.wait_closed(); // There is no car: waits until the traveller has left.
    }
    offer.price(price?).ok()?.recv().ok()
}

/// Looks for the keys in `pockets` pockets, and drives.
fn friend(pockets: usize, server: lift::Server<lift::Ask>) -> Option<()> {
    let lift::Ask::AreYouDriving(mut answer) = server.recv().ok()?;
    for _pocket in 0..pockets {
        // Long work. For each pocket it checks whether the traveller still wants the result.
        if answer.wait_closed_timeout(Duration::from_millis(1)) {
            return None;
        }
    }
    answer.get_in().ok()
}
