//! A program that asks another one before it answers: `asks_back PATH`, twice, and `pipes-top PATH PATH`.
//!
//! It prints the address at which it can be asked. Its input is the address of the other program, and then a
//! line for each question to that. If both programs do this, a question is asked back until both wait for
//! each other. It ends when its input ends.

use pipes::inspect::serve;
use pipes_remote::{tcp, tcp_free_port};
use std::error::Error;
use std::thread::Builder;
use std::{env, io};

pipes::proto! {
    #[remote]
    pub asking {
        idle: send { ask(u32) -> asked }
        asked: recv { answer(u32) -> ! }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("usage: asks_back PATH")?;
    let _server = serve(path)?;
    let here = tcp_free_port()?;
    let mut listener = asking::listen(&here)?;
    println!("{}", here.address());

    let mut lines = io::stdin().lines();
    let there = tcp(lines.next().ok_or("there is no address")??);
    let ask = move |number| -> Result<u32, Box<dyn Error>> {
        let asking::Asked::Answer(number) = asking::connect(&there)?.ask(number)?.recv()?;
        Ok(number)
    };
    let other = ask.clone();
    Builder::new().name("service".to_owned()).spawn(move || {
        while let Ok(server) = listener.accept() {
            let Ok(asking::Idle::Ask(number, server)) = server.recv() else { continue };
            // If the other program has ended, the client gets no answer.
            let Ok(answer) = other(number + 1) else { continue };
            let _ = server.answer(answer);
        }
    })?;
    for (number, _) in (0..).zip(lines) {
        let ask = ask.clone();
        Builder::new().name("caller".to_owned()).spawn(move || ask(number).map_err(|it| it.to_string()))?;
    }
    Ok(())
}
