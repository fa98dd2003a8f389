//! A program that stands still, to be looked at: `stands_still PATH`, and `pipes-top PATH` elsewhere.
//!
//! The till waits for the bank, the bank for more gold of the vault, and the vault for another order of the
//! bank. It prints a line when the last two are seen as a deadlock, and ends when its input ends.

use pipes::inspect::{deadlocks, serve};
use pipes::stream;
use std::error::Error;
use std::thread::{self, Builder};
use std::{env, io};

pipes::proto! {
    bank {
        login: send { login(String) -> answer }
        answer: recv { ok -> !, refused -> login }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args_os().nth(1).ok_or("usage: stands_still PATH")?;
    let _server = serve(path)?;

    let (client, server) = bank::pipe();
    let (mut orders, mut at_vault) = stream::<u32>();
    let (mut gold, mut at_bank) = stream::<String>();
    Builder::new().name("till".to_owned()).spawn(|| {
        let client = client.login("Ada".to_owned()).expect("the bank is there");
        drop(client.recv());
    })?;
    Builder::new().name("bank".to_owned()).spawn(move || {
        let bank::Login::Login(_, server) = server.recv().expect("the till is there");
        orders.send(1).expect("the vault is there");
        at_bank.recv().expect("the vault is there");
        drop((at_bank.recv(), server));
    })?;
    Builder::new().name("vault".to_owned()).spawn(move || {
        at_vault.recv().expect("the bank is there");
        gold.send("a bar".to_owned()).expect("the bank is there");
        drop((at_vault.recv(), gold));
    })?;

    while !deadlocks().iter().any(|it| it.sleepers.len() == 2) {
        thread::yield_now();
    }
    println!("it stands still");
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(())
}
