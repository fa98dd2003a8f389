//! Processes that are started by hand, as from several shells.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use tempfile::TempDir;

/// A process that was started by hand. It is killed when this is dropped.
pub struct Worker {
    pub child: Child,
    output: BufReader<ChildStdout>,
    errors: BufReader<ChildStderr>,
}

impl Worker {
    /// Starts the command with these words.
    pub fn start(words: &str) -> Worker {
        let mut command = Command::new(crate::executable());
        command.args(words.split_whitespace());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let errors = BufReader::new(child.stderr.take().expect("it is piped"));
        Worker { child, output, errors }
    }

    /// Waits until it says this.
    pub fn says(&mut self, words: &str) {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("it is text");
        assert!(line.contains(words), "`{line}` instead of `{words}`");
    }

    /// The next line that it complains.
    pub fn complaint(&mut self) -> String {
        let mut line = String::new();
        self.errors.read_line(&mut line).expect("it is text");
        line
    }

    /// Waits for its end: its exit code, and what it has said.
    pub fn end(mut self) -> (Option<i32>, String, String) {
        let (mut said, mut complained) = (String::new(), String::new());
        self.output.read_to_string(&mut said).expect("it is text");
        self.errors.read_to_string(&mut complained).expect("it is text");
        (self.child.wait().expect("it ends").code(), said, complained)
    }

    /// Asserts that it ends with exit code 1, and one sentence with these words.
    pub fn fails(self, words: &[&str]) {
        let (code, said, complained) = self.end();
        assert_eq!(code, Some(1), "{said}{complained}");
        assert!(complained.starts_with("pipes-benches: ") && complained.lines().count() == 1, "{complained}");
        assert!(words.iter().any(|words| complained.contains(words)), "{words:?}: {complained}");
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Addresses of Unix sockets, and the folder that they are in.
pub fn sockets(many: usize) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("there is room");
    let names: Vec<_> =
        (0..many).map(|rank| folder.path().join(rank.to_string()).display().to_string()).collect();
    (folder, names.join(","))
}

/// Free ports. They are free again when this returns, but the system gives others first.
pub fn ports(many: usize) -> Vec<String> {
    let bound: Vec<_> = (0..many).map(|_| TcpListener::bind("127.0.0.1:0").expect("there is one")).collect();
    bound.iter().map(|socket| socket.local_addr().expect("it is bound").to_string()).collect()
}
