//! A message that is forgotten.

pipes::proto! {
    division {
        asking: send { divide(i64, i64) -> answering }
        answering: recv { quotient(i64) -> !, by_zero -> ! }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (client, _server) = division::pipe();
    let quotient = match client.divide(1, 0)?.recv()? {
        division::Answering::Quotient(quotient) => quotient,
    };
    println!("{quotient}");
    Ok(())
}
