//! A bank whose clients know no address of it, only its key; and it knows them by theirs.
//!
//! The README has the commands. There is no login: an account belongs to a key, and the connection has proved
//! who has it.

use bank_by_key::{ALPN, Iroh, transport};
use iroh::endpoint::presets;
use iroh::{Endpoint, EndpointAddr, EndpointId, SecretKey};
use pipes::remote::{Link, Peer};
use pipes_remote::Via;
use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};

pipes::proto! {
    /// An account. Whose it is, the connection says.
    #[remote]
    pub bank {
        account: send { deposit(u64) -> account, balance -> answer }
        answer: recv { is(u64) -> account }
    }
}

const USAGE: &str = "usage: bank-by-key serve [--local] KEYFILE
       bank-by-key ask [--local] KEYFILE ID [ADDRESS]…";

type Failed = Box<dyn Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let is_local = words.iter().any(|word| word == "--local");
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "--local").collect();
    let ended = match words[..] {
        ["serve", key] => serve(key, is_local).await,
        ["ask", key, id, ref addresses @ ..] => ask(key, is_local, id, addresses).await,
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bank-by-key: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The program's place in iroh's network. `is_local`: without relays, and without looking up addresses, both
/// of which need the internet.
async fn endpoint(key: &str, is_local: bool) -> Result<Endpoint, Failed> {
    let builder = if is_local { Endpoint::builder(presets::Minimal) } else { Endpoint::builder(presets::N0) };
    let builder = builder.secret_key(kept_in(key)?).alpns(vec![ALPN.to_vec()]);
    Ok(builder.transport_config(transport()).bind().await?)
}

/// The key in this file. The first time, it is made. Who has the file is the bank, or the client.
fn kept_in(file: &str) -> Result<SecretKey, Failed> {
    match fs::read(file) {
        Ok(bytes) => Ok(SecretKey::try_from(&bytes[..]).map_err(|error| format!("{file}: {error}"))?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let key = SecretKey::generate();
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.open(file)?.write_all(&key.to_bytes())?;
            Ok(key)
        }
        Err(error) => Err(format!("{file}: {error}").into()),
    }
}

/// What is in each account, by its owner's key.
type Accounts = Arc<Mutex<HashMap<Peer, u64>>>;

/// The bank. It prints what a client needs to find it: its key, and in a local network its addresses.
async fn serve(key: &str, is_local: bool) -> Result<(), Failed> {
    let endpoint = endpoint(key, is_local).await?;
    // At most eight sessions a key at a time.
    let here = Via::new(Iroh::new(endpoint.clone(), endpoint.id())).sessions(8);
    let mut clients = bank::listen_with_links_async(&here).await?;
    let mut found_by = endpoint.id().to_string();
    if is_local {
        endpoint.addr().ip_addrs().for_each(|address| found_by += &format!(" {address}"));
    }
    println!("{found_by}");
    let accounts = Accounts::default();
    loop {
        let (client, link) = clients.recv_async().await?;
        tokio::spawn(keep(client, link, accounts.clone()));
    }
}

/// Keeps the account of one client, until it leaves or is lost.
async fn keep(mut client: bank::Server<bank::Account>, link: Link, accounts: Accounts) {
    let owner = link.peer();
    // Returns the balance.
    let deposit = |amount| {
        let mut accounts = accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let balance = accounts.entry(owner.clone()).or_default();
        *balance = u64::saturating_add(*balance, amount);
        *balance
    };
    while let Ok(wish) = client.await {
        client = match wish {
            bank::Account::Deposit(amount, next) => {
                deposit(amount);
                next
            }
            bank::Account::Balance(next) => match next.is(deposit(0)) {
                Ok(next) => next,
                Err(_) => break,
            },
        };
    }
    println!("{owner} has {}: {}", deposit(0), link.cause());
}

/// A client.
async fn ask(key: &str, is_local: bool, id: &str, addresses: &[&str]) -> Result<(), Failed> {
    let mut server = EndpointAddr::new(id.parse::<EndpointId>()?);
    for address in addresses {
        server = server.with_ip_addr(address.parse()?);
    }
    let endpoint = endpoint(key, is_local).await?;
    let ended = deposit_lines(Iroh::new(endpoint.clone(), server), endpoint.id()).await;
    // Tells the bank that the connection is over. Otherwise the bank would notice its silence.
    endpoint.close().await;
    ended
}

/// Deposits each line that is read, and prints the balance.
async fn deposit_lines(server: Iroh, own: EndpointId) -> Result<(), Failed> {
    // It may take a while until a way is found.
    let there = Via::new(server).handshake(Duration::from_secs(20));
    let (mut client, link) = bank::connect_with_link_async(&there).await?;
    println!("{own}");
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let bank::Answer::Is(balance, next) = client.deposit(line.trim().parse()?)?.balance()?.await?;
        println!("{balance}");
        client = next;
    }
    drop(client);
    // Waits until the bank knows that this was the last line.
    link.delivered_async().await?;
    Ok(())
}
