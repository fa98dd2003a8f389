//! The README's wrong step: the client does not wait for the answer.

pipes::proto! {
    game {
        guessing: send { guess(u32) -> answer }
        answer: recv { wrong -> guessing, right -> ! }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (client, _server) = game::pipe();
    client.guess(1)?.guess(2)?;
    Ok(())
}
