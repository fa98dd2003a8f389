//! The chat, as it is started from terminals: each side is a process.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::net::UdpSocket;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

/// A process of the example. It is killed when this is dropped.
struct Chat {
    child: Child,
    output: BufReader<ChildStdout>,
}

fn command(words: &[&str]) -> Command {
    let own = env::current_exe().expect("the test has a name");
    let folder = own.parent().and_then(|deps| deps.parent()).expect("it is in the folder of the build");
    let mut command = Command::new(folder.join("examples").join("chat"));
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

fn run(words: &[&str]) -> Output {
    command(words).stdin(Stdio::null()).stderr(Stdio::piped()).output().expect("it can be started")
}

impl Chat {
    fn start(words: &[&str]) -> Chat {
        let mut child = command(words).spawn().expect("it can be started");
        let output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        Chat { child, output }
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
}

impl Drop for Chat {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An address that is free now.
fn address() -> String {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("there is a free port");
    socket.local_addr().expect("it is bound").to_string()
}

#[test]
fn what_is_said_is_heard_by_threads_and_tasks() {
    let folder = env::temp_dir().join(format!("pipes-chat-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room");
    let (address, key) = (address(), folder.join("chat.pem").display().to_string());
    let mut server = Chat::start(&["serve", &address, &key]);
    let fingerprint = server.line();
    assert_eq!(fingerprint.len(), 64, "{fingerprint}");

    let mut screen = Chat::start(&["watch", &address, &fingerprint]);
    assert_eq!(screen.line(), "watching");
    let mut ada = Chat::start(&["talk", &address, &fingerprint, "Ada"]);
    assert_eq!(screen.line(), "Ada: is here");
    ada.say("good morning");
    assert_eq!(screen.line(), "Ada: good morning");
    let mut grace = Chat::start(&["talk", &address, &fingerprint, "Grace"]);
    assert_eq!(screen.line(), "Grace: is here");
    grace.say("good evening");
    assert_eq!(screen.line(), "Grace: good evening");
    // Those who talk hear, too.
    let mut heard = Vec::new();
    while heard.last().is_none_or(|line| line != "Grace: good evening") {
        heard.push(ada.line());
        assert!(heard.len() < 5, "{heard:?}");
    }
    assert!(heard.ends_with(&["Grace: is here".into(), "Grace: good evening".into()]), "{heard:?}");

    // One leaves; the process of another dies.
    drop(ada.child.stdin.take());
    assert_eq!(screen.line(), "Ada: has left");
    assert!(ada.child.wait().expect("it ends").success());
    drop(grace);

    // A wrong fingerprint, and wrong words.
    let wrong = run(&["talk", &address, &"0".repeat(64), "Eve"]);
    let told = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert_eq!((wrong.status.code(), told.lines().count()), (Some(1), 1), "{told}");
    assert!(told.contains("certificate"), "{told}");
    assert_eq!(run(&["shout"]).status.code(), Some(2));

    // The key is kept: the same server again.
    drop(server);
    let mut again = Chat::start(&["serve", &address, &key]);
    assert_eq!(again.line(), fingerprint);
    drop(again);
    std::fs::remove_dir_all(&folder).expect("it can be removed");
}
