//! The next question before the answer.

pipes::proto! {
    squares {
        asking: send { square(i64) -> answering }
        answering: recv { result(i64) -> ! }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (client, _server) = squares::pipe();
    let client = client.square(4)?;
    let client = client.square(5)?;
    drop(client);
    Ok(())
}
