//! The example of mutual TLS: what it prints, and its commands, as they are given by hand.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// What the program prints. Fingerprints have numbers here, in the order in which they appear.
const PLAYED: &str = "\
server.pem: <1>
client.pem: <2>
stranger.pem: <3>
letters received: 1
the server says: a letter of <2>: good morning
refused by the server
the server says: refused: a stranger with <3>
refused here: a server with <1>
the server says: no session: its handshake has failed
the server says: stopped, and 0 sessions had to be closed
";

fn command(words: &[&str]) -> Command {
    let own = env::current_exe().expect("the test has a name");
    let folder = own.parent().and_then(|deps| deps.parent()).expect("it is in the folder of the build");
    let mut command = Command::new(folder.join("examples").join("mutual_tls"));
    command.args(words).stdin(Stdio::null());
    command
}

/// Runs the program, and returns the lines that it prints.
fn lines(words: &[&str]) -> Vec<String> {
    let Output { status, stdout, stderr } = command(words).output().expect("it can be started");
    assert!(status.success(), "{words:?}: {}", String::from_utf8_lossy(&stderr));
    assert_eq!(String::from_utf8_lossy(&stderr), "", "{words:?}");
    String::from_utf8_lossy(&stdout).lines().map(str::to_owned).collect()
}

/// Returns what the program prints to the standard error when it fails.
fn failure(words: &[&str]) -> String {
    let Output { status, stdout, stderr } = command(words).output().expect("it can be started");
    assert_eq!((status.code(), &*String::from_utf8_lossy(&stdout)), (Some(1), ""), "{words:?}");
    String::from_utf8_lossy(&stderr).into_owned()
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let folder = env::temp_dir().join(format!("pipes-mutual-tls-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("there is room");
        Folder(folder)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What fails here does not matter to the test.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn it_prints_what_is_expected() {
    let mut known: Vec<String> = Vec::new();
    let mut printed = String::new();
    for line in lines(&[]) {
        // What the system says of a handshake that the client has left depends on the moment.
        let line = match line.split_once("its handshake has failed") {
            Some((before, _)) => format!("{before}its handshake has failed"),
            None => line,
        };
        let words = line.split(' ').map(|word| {
            let digits = word.trim_end_matches(':');
            if digits.len() != 64 {
                return word.to_owned();
            }
            let number = known.iter().position(|it| it == digits).unwrap_or_else(|| {
                known.push(digits.to_owned());
                known.len() - 1
            });
            word.replace(digits, &format!("<{}>", number + 1))
        });
        printed.push_str(&words.collect::<Vec<_>>().join(" "));
        printed.push('\n');
    }
    assert_eq!(printed, PLAYED);
}

#[test]
fn its_commands_can_be_given_by_hand() {
    let folder = Folder::new();
    let [server, client, stranger] = ["server.pem", "client.pem", "stranger.pem"].map(|name| {
        let file = folder.file(name);
        let fingerprint = lines(&["identity", &file]).concat();
        assert_eq!(lines(&["identity", &file]), [&*fingerprint], "it is kept");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&file).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "only its owner may read it");
        }
        (file, fingerprint)
    });

    let mut serving = command(&["serve", &server.0, &client.1]);
    let mut serving =
        serving.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it can be started");
    let mut said = BufReader::new(serving.stdout.take().expect("it is piped")).lines();
    let mut said = || said.next().expect("it goes on").expect("it is text");
    let address = said();
    for _ in 0..2 {
        assert_eq!(lines(&["visit", &client.0, &server.1, &address]), ["letters received: 1"]);
        assert_eq!(said(), format!("a letter of {}: good morning", client.1));
    }
    assert!(failure(&["visit", &stranger.0, &server.1, &address]).contains("refused by the server"));
    assert_eq!(said(), format!("refused: a stranger with {}", stranger.1));
    let refused = failure(&["visit", &client.0, &client.1, &address]);
    assert!(refused.contains(&format!("refused here: a server with {}", server.1)), "{refused}");
    assert!(said().starts_with("no session: "));
    drop(serving.stdin.take());
    assert_eq!(said(), "stopped, and 0 sessions had to be closed");
    assert!(serving.wait().expect("it has ended").success());

    // An address can be given. The input of this server has ended when it begins.
    let stopped = lines(&["serve", &server.0, &client.1, "127.0.0.1:0"]);
    assert_eq!(stopped.last(), Some(&"stopped, and 0 sessions had to be closed".to_owned()));
    assert!(failure(&["shout"]).contains("arguments"));
    assert!(failure(&["serve", &folder.file("none.pem"), &client.1]).contains("none.pem"));
}
