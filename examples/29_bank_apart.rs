//! 29 — The bank of 07 in two processes.
//!
//! You will see: the same sessions as in 07, but the bank is another process.
//! New here: `#[remote]`, `connect`, `listen`, and a link that says why a session has ended.
//! Before: 28_metrics. Next: 30_child_process.
//!
//! In two shells, where the second one needs the address that the first one prints:
//!
//!     cargo run --example 29_bank_apart -- bank
//!     cargo run --example 29_bank_apart -- customer 127.0.0.1:40123
//!
//! Without arguments, the customer starts the bank as a child process:
//!
//!     cargo run --example 29_bank_apart

mod bank_apart;

use bank_apart::{OrLeft, account, admit, bank, withdraw};
use pipes::remote::Cause;
use std::env::{args, current_exe};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

fn main() -> OrLeft<()> {
    match (args().nth(1).as_deref(), args().nth(2)) {
        (Some("bank"), None) => be_the_bank(),
        (Some("customer"), Some(address)) => visit(&address),
        (None, None) => {
            let mut bank = Command::new(current_exe()?).arg("bank").stdout(Stdio::piped()).spawn()?;
            let mut output = BufReader::new(bank.stdout.take().expect("it is piped"));
            let mut address = String::new();
            output.read_line(&mut address)?;
            visit(address.trim())?;
            output.lines().try_for_each(|line| line.map(|line| println!("the bank says: {line}")))?;
            bank.wait()?;
            Ok(())
        }
        _ => Err("arguments: `bank`, or `customer ADDRESS`, or none".into()),
    }
}

fn be_the_bank() -> OrLeft<()> {
    let here = pipes_remote::tcp_free_port()?;
    let mut listener = bank::listen(&here)?; // 07: `let (client, server) = bank::pipe();`
    println!("{}", here.address());
    let server = listener.accept()?; //         `for server in listener { … }` would serve any number of customers.
    println!("left in the account: {}", account(admit(server)?)?);
    listener.shutdown(Duration::from_secs(1)); // The customer's process may still wait for a last word.
    Ok(())
}

fn visit(address: &str) -> OrLeft<()> {
    let there = pipes_remote::tcp(address);
    let (client, link) = bank::connect_with_link(&there)?; // 07: `let (client, server) = bank::pipe();`

    // From here on, every line is that of 07.
    let refused = client.login("ada".into(), "guess".into())?.recv()?;
    let bank::LoginResponse::Invalid(client) = refused else { unreachable!("that is not her password") };
    println!("refused; once more");
    let admitted = client.login("ada".into(), "countess".into())?.recv()?;
    let bank::LoginResponse::Ok(client) = admitted else { unreachable!("that is her password") };
    let client = client.deposit(100)?.deposit(20)?;
    let client = withdraw(client, 50)?;
    let client = withdraw(client, 500)?;
    drop(client);

    // A send is no delivery. Before the process ends, ask whether the bank has everything.
    link.delivered(Duration::from_secs(10))?;
    assert!(matches!(link.cause(), Cause::LeftHere));
    Ok(())
}
