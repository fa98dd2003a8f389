//! 12 — Delegation: an endpoint as a payload.
//!
//! You will see: answers to customers who asked the front desk, from experts whom they never contacted.
//! New here: sending an endpoint in the middle of its session.
//! Before: 11_borrowed_payload. Next: 13_any_state.
//!
//!     cargo run --example 12_delegation

use pipes::Port;
use std::thread;

pipes::proto! {
    /// The session between a customer and a member of the staff.
    support {
        asking: send { question(String) -> waiting }
        waiting: recv { answer(String) -> ! }
    }

    /// The session between the front desk and an expert.
    referral {
        next: send {
            // The payload is an endpoint in the state `waiting`: the only thing that the expert can do is
            // answer.
            customer(support::server::Waiting, String) -> next,
        }
    }
}

fn main() {
    let (mut door, entrance) = pipes::stream();
    let (billing, bills) = referral::pipe();
    let (repairs, faults) = referral::pipe();
    let staff = [
        thread::spawn(move || desk(entrance, billing, repairs)),
        thread::spawn(move || expert("billing", bills)),
        thread::spawn(move || expert("repairs", faults)),
    ];

    for question in ["My bill is wrong.", "My lamp does not glow.", "Whom is this bill for?"] {
        let (customer, server) = support::pipe();
        door.send(server).expect("the desk is staffed until the door closes");
        let waiting = customer.question(question.into()).expect("the staff is there");
        let support::Waiting::Answer(answer) = waiting.recv().expect("the staff answers");
        println!("{answer}");
    }

    drop(door); // The desk sees this close and leaves. The experts see that and leave as well.
    for member in staff {
        member.join().expect("no member of the staff panics");
    }
}

/// Receives a customer's question, and passes the session on to an expert who knows the answer.
fn desk(
    entrance: Port<support::Server<support::Asking>>,
    mut billing: referral::Client<referral::Next>,
    mut repairs: referral::Client<referral::Next>,
) {
    const STAYS: &str = "an expert stays as long as the desk";
    for server in entrance {
        let Ok(support::Asking::Question(question, customer)) = server.recv() else { continue };
        if question.contains("bill") {
            billing = billing.customer(customer, question).expect(STAYS);
        } else {
            repairs = repairs.customer(customer, question).expect(STAYS);
        }
    }
}

/// Answers the customers whom the desk passes on.
fn expert(department: &str, mut desk: referral::Server<referral::Next>) {
    while let Ok(referral::Next::Customer(customer, question, next)) = desk.recv() {
        let answer = format!("{department} will look into \"{question}\"");
        customer.answer(answer).expect("the customer waits");
        desk = next;
    }
}
