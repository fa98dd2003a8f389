//! A loop that does not keep the next endpoint.

pipes::proto! {
    sum {
        adding: send { add(u64) -> adding, finish -> answering }
        answering: recv { total(u64) -> ! }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (client, _server) = sum::pipe();
    for number in [3, 4, 5] {
        client.add(number)?;
    }
    Ok(())
}
