//! Other processes: this executable, which runs the test `as_another_process` and nothing else.

use crate::{ROLE, SAYS};
use std::env::current_exe;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// A process, which is killed when this is dropped.
#[derive(Debug)]
pub struct Another {
    child: Child,
    said: Mutex<Receiver<String>>,
    /// What it complains about.
    errors: Option<PathBuf>,
}

/// What a process uses.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    pub kilobytes: u64,
    pub files: usize,
}

impl Another {
    /// Starts it in this role. Its errors go to this file, if they are of interest.
    pub fn start(role: &str, errors: Option<PathBuf>) -> Self {
        let stderr = match &errors {
            Some(file) => Stdio::from(File::create(file).expect("it can be written")),
            None => Stdio::null(),
        };
        let mut child = Command::new(current_exe().expect("a test knows where it is"))
            .args(["as_another_process", "--exact", "--nocapture"])
            .env(ROLE, role)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .expect("it starts");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (say, said) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if let Some((_, said)) = line.split_once(SAYS)
                    && say.send(said.trim().to_owned()).is_err()
                {
                    return;
                }
            }
        });
        Another { child, said: Mutex::new(said), errors }
    }

    /// The next thing that it says.
    pub fn says(&self) -> String {
        let said = self.said.lock().expect("nothing panics with it").recv_timeout(Duration::from_secs(120));
        said.unwrap_or_else(|_| panic!("it says nothing; its errors: {}", self.errors()))
    }

    pub fn tell(&mut self, what: &str) {
        let input = self.child.stdin.as_mut().expect("it is piped");
        writeln!(input, "{what}").expect("it reads");
    }

    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it has ended");
    }

    pub fn is_alive(&mut self) -> bool {
        self.child.try_wait().expect("it can be asked").is_none()
    }

    pub fn ends(&mut self) -> ExitStatus {
        self.child.wait().expect("it can be waited for")
    }

    /// What it has complained about.
    pub fn errors(&self) -> String {
        let errors = self.errors.as_ref().map(fs::read);
        errors
            .map_or_else(String::new, |errors| String::from_utf8_lossy(&errors.expect("it is there")).into())
    }

    /// What it uses now.
    pub fn uses(&self) -> Use {
        let process = PathBuf::from(format!("/proc/{}", self.child.id()));
        let status = fs::read_to_string(process.join("status")).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it is there");
        let kilobytes = line.trim().trim_end_matches(" kB").parse().expect("it is a number");
        Use { kilobytes, files: fs::read_dir(process.join("fd")).expect("it runs").count() }
    }
}

impl Drop for Another {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
