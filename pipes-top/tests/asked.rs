//! `pipes-top` as it is run in a shell, about processes that stand still.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{self, Child, ChildStdin, Command, Output, Stdio};
use std::{env, fs, thread};

/// A new folder. Dropping this removes it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("pipes-top-{name}-{}", process::id()));
        fs::create_dir(&folder).expect("it is not there yet");
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("it is text").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).expect("it is there");
    }
}

/// A process of an example, until its input is closed. It is killed when this is dropped.
struct Example {
    child: Child,
    input: Option<ChildStdin>,
    /// The first line that it has printed.
    line: String,
}

impl Example {
    fn new(name: &str, path: &str) -> Self {
        let own = env::current_exe().expect("the test has a name");
        let folder = own.parent().and_then(|deps| deps.parent()).expect("it is in the folder of the build");
        let mut command = Command::new(folder.join("examples").join(name));
        command.arg(path).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it can be started");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("its output is a pipe");
        let line = BufReader::new(output).lines().next().expect("it prints a line").expect("it can be read");
        Example { child, input, line }
    }

    fn stands_still(path: &str) -> Self {
        let example = Example::new("stands_still", path);
        assert_eq!(example.line, "it stands still");
        example
    }

    /// Writes a line to its input.
    fn write(&mut self, line: &str) {
        writeln!(self.input.as_ref().expect("it is open"), "{line}").expect("it reads");
    }

    /// Lets it end by itself.
    fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Example {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pipes-top")).args(words).output().expect("it can be started")
}

/// The text of what was printed.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("it is text")
}

/// Runs it about paths of which none answers, and returns what it says.
#[track_caller]
fn refused(words: &[&str]) -> String {
    let output = run(words);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "");
    text(&output.stderr).to_owned()
}

/// Starts a server that answers the first connection with these bytes.
fn answers(path: &str, answer: &'static [u8]) {
    let listener = UnixListener::bind(path).expect("the path is free");
    thread::spawn(move || {
        let (mut reader, _) = listener.accept().expect("somebody comes");
        reader.write_all(answer).expect("it reads");
    });
}

#[test]
fn a_table_says_what_the_threads_of_a_process_wait_for() {
    let folder = Folder::new("once");
    let path = folder.path("shop");
    let _shop = Example::stands_still(&path);
    let output = run(&["--once", &path]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    assert_eq!(lines[4..6], ["", "deadlock suspected: 2 threads seem to wait for each other"]);
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>().join(" "), "THREAD ASLEEP WAITS FOR AT");
    for (thread, waits_for) in [
        ("till", "a message at bank::Client<Answer>: the server sends `ok` or `refused`"),
        ("bank", "a message at Port<String>"),
        ("vault", "a message at Port<u32>"),
    ] {
        let line = lines[1..4].iter().find(|line| line.starts_with(thread)).expect("the thread is there");
        assert!(line.contains(waits_for) && line.contains("stands_still.rs:"), "{line}");
    }
}

#[test]
fn several_processes_are_in_one_table() {
    let folder = Folder::new("several");
    let [shop, bank, none] = ["shop", "bank", "none"].map(|name| folder.path(name));
    let _processes = [&shop, &bank].map(|path| Example::stands_still(path));
    let again = folder.path("./shop");
    let output = run(&["--once", &shop, &none, &bank, &again]);
    assert_eq!(output.status.code(), Some(0), "two of them answer");
    assert_eq!(text(&output.stderr), format!("pipes-top: {none}: there is no such socket\n"));
    let table = text(&output.stdout);
    assert!(table.starts_with("PROCESS "));
    for path in [&shop, &bank] {
        assert_eq!(table.lines().filter(|line| line.starts_with(&format!("{path} "))).count(), 3);
    }
}

/// Each has one thread that serves, and asks the other one before it answers. The third question is not
/// accepted.
#[test]
fn processes_that_ask_each_other_are_found() {
    let folder = Folder::new("asks-back");
    let paths = ["shop", "bank"].map(|name| folder.path(name));
    let [mut shop, mut bank] = paths.each_ref().map(|path| Example::new("asks_back", path));
    shop.write(&bank.line);
    bank.write(&shop.line);
    shop.write("ask");
    let found = loop {
        let output = run(&["--once", &paths[0], &paths[1]]);
        let table = text(&output.stdout).to_owned();
        if let Some(at) = table.find("deadlock") {
            break table[at..].to_owned();
        }
    };
    let said = "deadlock suspected: 3 threads of 2 processes seem to wait for each other\n";
    assert!(found.starts_with(said), "{found}");
    for (thread, path, other) in [("caller", 0, 1), ("service", 0, 1), ("service", 1, 0)] {
        let [path, other] = [&paths[path], &paths[other]];
        let from = found.find(&format!("\n  '{thread}' in {path} sleeps at ")).expect("it takes part");
        let lines: Vec<_> = found[from + 1..].lines().take(3).collect();
        assert_eq!(lines[1], "    a message at asking::Client<Asked>: the server sends `answer`;");
        assert_eq!(lines[2], format!("      the other end was last used by 'service' in {other}"), "{found}");
    }
}

#[test]
fn json_has_a_line_for_each_process_that_answers() {
    let folder = Folder::new("json");
    let [shop, bank, none] = ["shop", "bank", "none"].map(|name| folder.path(name));
    let _processes = [&shop, &bank].map(|path| Example::stands_still(path));
    let output = run(&["--json", &shop, &none, &bank]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), format!("pipes-top: {none}: there is no such socket\n"));
    let lines = text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("it is JSON"));
    let objects: Vec<serde_json::Value> = lines.collect();
    assert_eq!(objects.len(), 2);
    for (object, path) in objects.iter().zip([&shop, &bank]) {
        assert_eq!(object["path"], **path);
        assert_eq!(object["snapshot"]["version"], 1);
        let threads = object["snapshot"]["sleepers"].as_array().expect("it is a list");
        let till = threads.iter().find(|it| it["name"] == "till").expect("it sleeps");
        assert_eq!(till["waits_for"][0]["messages"], serde_json::json!(["ok", "refused"]));
        assert_eq!(object["snapshot"]["deadlocks"][0]["sleepers"].as_array().map(Vec::len), Some(2));
    }
}

#[test]
fn only_the_user_may_ask() {
    let folder = Folder::new("mode");
    let path = folder.path("shop");
    let shop = Example::stands_still(&path);
    let file = fs::symlink_metadata(&path).expect("it is there");
    assert!(file.file_type().is_socket());
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    shop.end();
    assert!(!Path::new(&path).exists());
}

#[test]
fn a_process_that_was_killed_is_gone_and_the_next_one_replaces_its_socket() {
    let folder = Folder::new("killed");
    let path = folder.path("shop");
    drop(Example::stands_still(&path));
    assert_eq!(refused(&["--once", &path]), format!("pipes-top: {path}: no process listens there\n"));
    let shop = Example::stands_still(&path);
    assert_eq!(run(&["--once", &path]).status.code(), Some(0));
    shop.end();
    assert_eq!(refused(&["--json", &path]), format!("pipes-top: {path}: there is no such socket\n"));
}

#[test]
fn answers_that_are_not_understood_are_named() {
    let folder = Folder::new("other");
    let [newer, other, part, nothing] = ["newer", "other", "part", "nothing"].map(|name| folder.path(name));
    answers(&newer, b"{\"version\":2,\"sleepers\":[]}\n");
    answers(&other, b"220 ready\n");
    answers(&part, b"{\"version\":1,\"thr");
    answers(&nothing, b"");
    let said = refused(&["--once", &newer, &other, &part, &nothing]);
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].ends_with(": its snapshot has version 2, and this `pipes-top` reads version 1"));
    assert!(lines[1].contains(": the answer is not a snapshot: "));
    assert!(lines[2].ends_with(": its answer has no end"));
    assert!(lines[3].ends_with(": it has closed the connection without an answer"));
}

#[test]
fn a_process_that_is_silent_does_not_keep_others_back() {
    let folder = Folder::new("silent");
    let [shop, silent] = ["shop", "silent"].map(|name| folder.path(name));
    let _listener = UnixListener::bind(&silent).expect("the path is free");
    let _shop = Example::stands_still(&shop);
    let output = run(&["--once", &silent, &shop]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), format!("pipes-top: {silent}: it does not answer\n"));
    assert_eq!(text(&output.stdout).lines().filter(|line| line.contains("stands_still.rs")).count(), 5);
}

#[test]
fn wrong_arguments_are_said() {
    for (words, said) in [
        (&[][..], "<PATH>..."),
        (&["a", "--once", "--json"], "cannot be used with"),
        (&["a", "--interval", "0"], "it must be between 0.05 and 3600"),
        (&["a"], "the output is not a terminal: use `--once` or `--json`"),
    ] {
        let output = run(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
    }
}
