//! Mutual TLS: a server and a client that know each other by the fingerprints of their certificates.
//!
//! Without arguments the program plays all of this by itself, in a temporary folder. By hand it takes four
//! commands, where `RUN` is `cargo run -p session-pipes-remote --features tls --example mutual_tls --`:
//!
//! ```text
//! RUN identity server.pem                        # on the server's machine; prints a fingerprint
//! RUN identity client.pem                        # on the client's machine; prints another one
//! RUN serve server.pem FINGERPRINT 0.0.0.0:7000  # with that of the client; ends with its input (Ctrl-D)
//! RUN visit client.pem FINGERPRINT HOST:7000     # with that of the server
//! ```
//!
//! An identity is a secret key with its certificate. Only its owner may read the file, and it stays there. A
//! fingerprint is no secret: carry it to the other machine, on a way that you trust.

use pipes::{RecvError, SessionError, oneshot, remote::Link, select};
use pipes_remote::security::{Identity, Security, Trust};
use pipes_remote::{AcceptError, ConnectError, Refusal, tls, tls_free_port};
use std::env::{args, current_exe, temp_dir};
use std::error::Error;
use std::io::{BufRead, BufReader, read_to_string, stdin};
use std::process::{Command, Stdio, id};
use std::{fs, path::Path, thread, time::Duration};

pipes::proto! {
    /// A post office.
    #[remote]
    pub post {
        desk: send { letter(String) -> receipt, leave -> ! }
        receipt: recv { received(usize) -> desk }
    }
}

type Failed = Box<dyn Error + Send + Sync>;

/// The longest wait for what is under way at the end.
const AT_THE_END: Duration = Duration::from_secs(10);

fn main() -> Result<(), Failed> {
    let words: Vec<String> = args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["identity", file] => println!("{}", Identity::kept_in(file)?.fingerprint()),
        ["serve", file, client] => serve(file, client, None)?,
        ["serve", file, client, address] => serve(file, client, Some(address))?,
        ["visit", file, server, address] => visit(file, server, address)?,
        [] => {
            let folder = temp_dir().join(format!("mutual-tls-{}", id()));
            fs::create_dir(&folder)?;
            let played = play(&folder);
            fs::remove_dir_all(&folder)?;
            played?;
        }
        _ => return Err("the arguments are explained at the beginning of the program".into()),
    }
    Ok(())
}

/// The server shows its certificate, and trusts that of one client. `Trust::fingerprints` trusts several.
fn serve(file: &str, client: &str, address: Option<&str>) -> Result<(), Failed> {
    let client = Trust::fingerprint(client.parse()?);
    let security = Security::new().identity(&Identity::read(file)?).clients(client);
    let here = match address {
        Some(address) => tls(address, security),
        None => tls_free_port(security)?,
    };
    // A stranger ends in the handshake, so the listener does not see it. This function does.
    let here = here.on_refused(|_, why| match why {
        AcceptError::Untrusted { theirs, .. } => println!("refused: a stranger with {theirs}"),
        why => println!("no session: {why}"),
    });
    let mut listener = post::listen_with_links(&here)?;
    println!("{}", here.address());
    let (stop, mut stopping) = oneshot();
    thread::spawn(move || stop.send(read_to_string(stdin())));
    let closed = loop {
        select! {
            client = listener => match client {
                Ok((server, link)) => drop(thread::spawn(move || receive(server, &link))),
                Err(RecvError) => break 0,
            },
            // Takes no more clients, and waits for the sessions under way. Those that do not end are closed.
            _ = stopping => break listener.shutdown(AT_THE_END),
        }
    };
    println!("stopped, and {closed} sessions had to be closed");
    Ok(())
}

/// The server's end of a session. An error ends only this session.
fn receive(mut server: post::Server<post::Desk>, link: &Link) -> Result<(), SessionError> {
    // The client has proved that this certificate is its own. It can be the key of a table of clients.
    let Some(who) = link.peer().certificate() else { return Ok(()) };
    let mut letters = 0;
    while let post::Desk::Letter(text, receipt) = server.recv()? {
        letters += 1;
        println!("a letter of {who}: {text}");
        server = receipt.received(letters)?;
    }
    Ok(())
}

/// The client shows its certificate, and trusts that of one server.
fn visit(file: &str, server: &str, address: &str) -> Result<(), Failed> {
    let server = Trust::fingerprint(server.parse()?);
    let security = Security::new().identity(&Identity::read(file)?).servers(server);
    let connected = post::connect_with_link(&tls(address, security));
    let (client, link) = connected.map_err(|error| match error {
        // Against these two it does not help to try again; see `ConnectError::is_temporary`.
        ConnectError::Refused { reason: Refusal::Untrusted, .. } => "refused by the server".into(),
        ConnectError::Untrusted { theirs, .. } => format!("refused here: a server with {theirs}"),
        other => other.to_string(),
    })?;
    let post::Receipt::Received(letters, client) = client.letter("good morning".into())?.recv()?;
    println!("letters received: {letters}");
    client.leave()?;
    // A send gives its message to the connection. Wait until it has arrived, before the program ends.
    Ok(link.delivered(AT_THE_END)?)
}

/// All of it, with the server in a process of its own: the client visits it, a stranger tries to, and at last
/// the client expects another server.
fn play(folder: &Path) -> Result<(), Failed> {
    let identity = |name| -> Result<(String, String), Failed> {
        let file = folder.join(name).display().to_string();
        let fingerprint = Identity::kept_in(&file)?.fingerprint().to_string();
        println!("{name}: {fingerprint}");
        Ok((file, fingerprint))
    };
    let (server_file, server) = identity("server.pem")?;
    let (client_file, client) = identity("client.pem")?;
    let (stranger_file, stranger) = identity("stranger.pem")?;

    let mut child = Command::new(current_exe()?);
    let child = child.args(["serve", &server_file, &client]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn()?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("its output is no pipe")?).lines();
    let mut line = || lines.next().unwrap_or_else(|| Ok("nothing".into()));
    let address = line()?;
    for (file, server) in [(&client_file, &server), (&stranger_file, &server), (&client_file, &stranger)] {
        if let Err(error) = visit(file, server, &address) {
            println!("{error}");
        }
        println!("the server says: {}", line()?);
    }
    drop(child.stdin.take());
    println!("the server says: {}", line()?);
    child.wait()?;
    Ok(())
}
