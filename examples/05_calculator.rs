//! 05 — A calculator: failures are messages too.
//!
//! You will see: results, and two questions that have none. The session goes on after these.
//! New here: failures as messages, `?` and `SessionError` for others, named fields.
//! Before: 04_choice. Next: 06_closing.
//!
//!     cargo run --example 05_calculator

use calculator::{Answer, Client, Question, Server};
use pipes::SessionError;
use std::thread;

pipes::proto! {
    calculator {
        question: send {
            negate(i64) -> answer,
            add(left: i64, right: i64) -> answer,
            subtract(left: i64, right: i64) -> answer,
            multiply(left: i64, right: i64) -> answer,
            divide(dividend: i64, divisor: i64) -> answer, // The method's parameters have these names.
            switch_off -> !,
        }
        // A question without a result gets an answer as well: it is an ordinary step.
        answer: recv {
            result(i64) -> question,
            division_by_zero -> question,
            overflow -> question,
        }
    }
}

/// An error here means that the other side has left. That is not in the protocol: it may happen in any state.
type OrLeft<T> = Result<T, SessionError>;

fn main() -> OrLeft<()> {
    let (client, server) = calculator::pipe();
    let calculating = thread::spawn(move || calculate(server));

    let client = show("6 * 7", client.multiply(6, 7)?)?;
    let client = show("-(42)", client.negate(42)?)?;
    let client = show("1 / 0", client.divide(1, 0)?)?;
    let client = show("2 + 2", client.add(2, 2)?)?;
    let client = show("-2 - i64::MAX", client.subtract(-2, i64::MAX)?)?;
    let client = show("84 / 2", client.divide(84, 2)?)?;
    client.switch_off()?;
    calculating.join().expect("the calculator does not panic")
}

/// Prints the answer to a question, and returns the endpoint for the next question.
fn show(question: &str, waiting: Client<Answer>) -> OrLeft<Client<Question>> {
    let (answer, next) = match waiting.recv()? {
        Answer::Result(result, next) => (format!("= {result}"), next),
        Answer::DivisionByZero(next) => (String::from("has no result: division by zero"), next),
        Answer::Overflow(next) => (String::from("has no result in 64 bits"), next),
    };
    println!("{question} {answer}");
    Ok(next)
}

/// Answers questions until it is switched off.
fn calculate(mut server: Server<Question>) -> OrLeft<()> {
    loop {
        let (result, next) = match server.recv()? {
            Question::Negate(n, next) => (n.checked_neg(), next),
            Question::Add(left, right, next) => (left.checked_add(right), next),
            Question::Subtract(left, right, next) => (left.checked_sub(right), next),
            Question::Multiply(left, right, next) => (left.checked_mul(right), next),
            Question::Divide(_, 0, next) => {
                server = next.division_by_zero()?;
                continue;
            }
            Question::Divide(dividend, divisor, next) => (dividend.checked_div(divisor), next),
            Question::SwitchOff => return Ok(()),
        };
        server = match result {
            Some(result) => next.result(result)?,
            None => next.overflow()?,
        };
    }
}
