//! The bank and its clients as processes of one machine, without relays; and many sessions of one connection.

use bank_by_key::{ALPN, Iroh, transport};
use iroh::endpoint::presets;
use iroh::{Endpoint, RelayMode, SecretKey};
use pipes_remote::Via;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::{env, fs, process};

/// A folder for the keys of one test, which is removed when this is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let folder = env::temp_dir().join(format!("bank-by-key-{test}-{}", process::id()));
        fs::create_dir_all(&folder).expect("it can be made");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // It is in the folder of temporary files anyway.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A process of the program. It is killed when this is dropped.
struct Program {
    child: Child,
    output: BufReader<ChildStdout>,
}

fn command(verb: &str, key: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bank-by-key"));
    command.arg(verb).arg("--local").arg(key).args(words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Program {
    fn start(verb: &str, key: &Path, words: &[&str]) -> Self {
        let mut child =
            command(verb, key, words).stderr(Stdio::inherit()).spawn().expect("it can be started");
        let output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        Program { child, output }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it can be read");
        line.trim_end().to_owned()
    }

    fn say(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().expect("its input is a pipe"), "{line}")
            .expect("it can be written");
    }

    /// Closes its input, and waits until it ends.
    fn end(mut self) {
        assert!(self.child.wait().expect("it was started").success());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn an_account_belongs_to_a_key() {
    let folder = Folder::new("accounts");
    let key = |name: &str| folder.0.join(name);
    let mut bank = Program::start("serve", &key("bank.key"), &[]);
    let there = bank.line();
    let there: Vec<&str> = there.split(' ').collect();

    let mut ada = Program::start("ask", &key("ada.key"), &there);
    let adas = ada.line();
    ada.say("100");
    assert_eq!(ada.line(), "100");
    let mut bob = Program::start("ask", &key("bob.key"), &there);
    let bobs = bob.line();
    bob.say("7");
    assert_eq!(bob.line(), "7");
    ada.say("20");
    assert_eq!(ada.line(), "120");
    assert_ne!(adas, bobs);

    // What the bank prints of a client is its link's peer.
    ada.end();
    assert_eq!(bank.line(), format!("{adas} has 120: the other side has left"));
    bob.end();
    assert_eq!(bank.line(), format!("{bobs} has 7: the other side has left"));

    // Ada again: another process and another port, but her key.
    let mut ada = Program::start("ask", &key("ada.key"), &there);
    assert_eq!(ada.line(), adas);
    ada.say("1");
    assert_eq!(ada.line(), "121");
}

#[test]
fn a_client_that_is_killed_is_missed() {
    let folder = Folder::new("killed");
    let mut bank = Program::start("serve", &folder.0.join("bank.key"), &[]);
    let there = bank.line();
    let mut ada = Program::start("ask", &folder.0.join("ada.key"), &there.split(' ').collect::<Vec<_>>());
    let adas = ada.line();
    ada.say("100");
    assert_eq!(ada.line(), "100");
    drop(ada);
    assert_eq!(bank.line(), format!("{adas} has 100: nothing was heard of the other side for 30s"));
}

#[test]
fn a_server_with_another_key_is_refused() {
    let folder = Folder::new("refused");
    let mut bank = Program::start("serve", &folder.0.join("bank.key"), &[]);
    let there = bank.line();
    let mut there: Vec<&str> = there.split(' ').collect();
    let other = SecretKey::generate().public().to_string();
    there[0] = &other;
    let Output { status, stdout, stderr } =
        command("ask", &folder.0.join("ada.key"), &there).output().expect("it can be started");
    assert_eq!(status.code(), Some(1));
    assert_eq!(stdout, b"");
    let stderr = String::from_utf8(stderr).expect("it is text");
    assert!(stderr.starts_with("bank-by-key: ") && stderr.contains(&other), "{stderr}");
}

pipes::proto! {
    #[remote]
    greeting {
        hello: send { hello(u32) -> answer }
        answer: recv { hello(u32) -> ! }
    }
}

/// An endpoint that is reached directly.
async fn endpoint() -> Endpoint {
    let builder = Endpoint::builder(presets::Minimal).relay_mode(RelayMode::Disabled);
    let builder = builder.alpns(vec![ALPN.to_vec()]).transport_config(transport());
    builder.bind().await.expect("the system has a free port")
}

#[tokio::test]
async fn a_thousand_sessions_share_a_connection() {
    let (ours, theirs) = (endpoint().await, endpoint().await);
    let here = Via::new(Iroh::new(ours.clone(), ours.id())).backlog(1000);
    let mut clients = greeting::listen_with_links_async(&here).await.expect("it is our key");
    let there = Via::new(Iroh::new(theirs.clone(), ours.addr()));

    // All are open before the first one is answered.
    let (mut asked, mut servers) = (Vec::new(), Vec::new());
    for number in 0..1000 {
        let (client, link) = greeting::connect_with_link_async(&there).await.expect("there is a listener");
        assert_eq!(link.peer().to_string(), ours.id().to_string());
        asked.push(client.hello(number).expect("it is connected"));
        let (server, link) = clients.recv_async().await.expect("it has connected");
        assert_eq!(link.peer().to_string(), theirs.id().to_string());
        servers.push(server);
    }
    for server in servers {
        let greeting::Hello::Hello(number, server) = server.await.expect("it was sent");
        server.hello(number + 1).expect("the client is there");
    }
    for (number, client) in (0..).zip(asked) {
        let greeting::Answer::Hello(answer) = client.await.expect("it was answered");
        assert_eq!(answer, number + 1);
    }
}

#[tokio::test]
async fn only_the_holder_of_a_key_can_listen_there() {
    let (ours, theirs) = (endpoint().await, endpoint().await);
    let there = Via::new(Iroh::new(ours.clone(), theirs.id()));
    assert!(greeting::listen_async(&there).await.is_err());
}
