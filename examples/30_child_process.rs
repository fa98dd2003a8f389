//! 30 — A session over the standard input and output of a child process.
//!
//! You will see: a child that adds numbers, and what its parent learns when the child is killed.
//! New here: `over`, a session over any stream; `Cause`; what a broken session means.
//! Before: 29_bank_apart. Next: 31_farm_apart.
//!
//!     cargo run --example 30_child_process

use adder::{Adding, Sum};
use pipes::remote::Cause;
use std::error::Error;
use std::process::Stdio;
use std::{env, io};
use tokio::io::join;
use tokio::process::{Child, Command};

pipes::proto! {
    #[remote]
    adder {
        adding: send { add(u32) -> adding, total -> sum }
        sum: recv { sum(u32) -> adding }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    if env::args().nth(1).as_deref() == Some("child") {
        return add();
    }
    let mut child = start()?;
    let (output, input) = child.stdout.take().zip(child.stdin.take()).expect("both are piped");
    // What the child writes is what its parent reads.
    let (client, link) = adder::connect_with_link(&pipes_remote::over(join(output, input)))?;

    let Sum::Sum(sum, client) = client.add(20)?.add(22)?.total()?.recv()?;
    println!("the child says {sum}");

    child.start_kill()?;
    // A send that succeeds is taken over by the link. It need not arrive.
    if let Ok(Ok(asked)) = client.add(1).map(|client| client.total()) {
        assert!(asked.recv().is_err(), "it was killed");
    }
    // Only the link knows why: no last frame, so this was not the child's wish.
    assert!(matches!(link.cause(), Cause::Broken(_)), "{link:?}");
    println!("the child is gone, and has not said goodbye");
    Ok(())
}

/// Starts this program as a child. Its streams are tokio's, which need a runtime.
fn start() -> io::Result<Child> {
    let _runtime = pipes_remote::background()?.enter();
    let mut command = Command::new(env::current_exe()?);
    command.arg("child").stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn()
}

/// The child: what it prints would be taken for messages, so it prints nothing.
fn add() -> Result<(), Box<dyn Error>> {
    let mut listener = adder::listen(&pipes_remote::over(join(tokio::io::stdin(), tokio::io::stdout())))?;
    let (mut server, mut sum) = (listener.accept()?, 0);
    while let Ok(message) = server.recv() {
        server = match message {
            Adding::Add(number, next) => {
                sum += number;
                next
            }
            Adding::Total(next) => next.sum(sum)?,
        };
    }
    Ok(())
}
