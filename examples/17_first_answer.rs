//! 17 — The first of several answers: who takes the traveller home?
//!
//! You will see: four evenings on which a taxi, a friend or neither answers first; the one that is too late stops looking.
//! New here: `select!` over different protocols, `timeout`, `Closing`. Before: 16_bank_of_2012. Next: 18_changing_crowd.
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
        // An arm gets what `recv()` would give. Only its own endpoint is used up: the first arm can go on to use the other.
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
    }; // Here the unused endpoint is dropped, so the one that has not answered learns that there is no need to.
    println!("home {way}");
    println!("  the firm drives: {}", firm.join().expect("the firm does not panic").is_some());
    println!("  the friend drives: {}", friend.join().expect("the friend does not panic").is_some());
    Ok(())
}

/// Offers a car for this price, if there is one, and drives if it is taken.
fn firm(price: Option<u32>, server: taxi::Server<taxi::Call>) -> Option<taxi::Deal> {
    let taxi::Call::To(_, mut offer) = server.recv().ok()?;
    if price.is_none() {
        offer.wait_closed(); // A car may come back, as long as the traveller waits for one.
    }
    offer.price(price?).ok()?.recv().ok()
}

/// Looks for the keys in `pockets` pockets, and drives.
fn friend(pockets: usize, server: lift::Server<lift::Ask>) -> Option<()> {
    let lift::Ask::AreYouDriving(mut answer) = server.recv().ok()?;
    for _pocket in 0..pockets {
        // The work takes long. Now and then it checks whether its result is still wanted.
        if answer.wait_closed_timeout(Duration::from_millis(1)) {
            return None;
        }
    }
    answer.get_in().ok()
}
