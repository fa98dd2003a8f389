//! The two sides of a contender, in one process or in two.

use crate::net::Over;
use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use clap::Args;
use pipes_benches::executor::On;
use pipes_benches::failure::Failure;
use serde::Serialize;

/// Called by a server with its address, when it listens.
pub type Ready<'a> = &'a (dyn Fn(&str) + Sync);

/// The options that say where the two sides are, of all programs.
#[derive(Args, Serialize)]
pub struct Place {
    /// What carries the bytes
    #[arg(long, value_name = "SOCKET", default_value = "tcp")]
    pub over: Over,
    /// Where the two sides run
    #[arg(long, value_name = "PLACE", default_value = "tasks", value_parser = On::among(Place::ALL))]
    pub on: On,
    /// Run the server in a process of its own
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    processes: bool,
    /// Be the server of this contender
    #[arg(long, hide = true)]
    #[serde(skip)]
    pub serve: Option<String>,
}

impl Place {
    /// Where the sides can run.
    pub const ALL: &'static [On] = &[On::Tasks, On::Threads];

    /// Why a contender that blocks its threads is left out, if it is.
    pub fn unable_to_block(&self) -> Option<&'static str> {
        let has_sockets = matches!(self.over, Over::Tcp | Over::Unix);
        (self.on == On::Threads && !has_sockets).then_some("its library has no blocking streams")
    }

    /// Why a contender that has QUIC alone is left out, if it is.
    pub fn unable_but_quic(&self) -> Option<&'static str> {
        (self.over != Over::Quic).then_some("its library speaks QUIC alone")
    }

    /// Plays with the server in this process, or in one with these arguments.
    pub fn run<G: Sync>(
        &self,
        game: &G,
        sides: &Sides<G>,
        arguments: impl FnOnce() -> Vec<String>,
    ) -> io::Result<Outcome> {
        if self.processes { in_two_processes(game, sides, &arguments()) } else { in_one_process(game, sides) }
    }

    /// The arguments for the process of a server, with the program's own options.
    pub fn arguments(&self, program: &str, contender: &str, options: &[(&str, u64)]) -> Vec<String> {
        let (over, on) = (self.over.name(), self.on.name());
        let mut arguments = vec![
            program.to_owned(),
            format!("--serve={contender}"),
            format!("--over={over}"),
            format!("--on={on}"),
        ];
        arguments.extend(options.iter().map(|(option, size)| format!("--{option}={size}")));
        arguments
    }
}

/// The two sides of a contender over these streams.
macro_rules! sides {
    (of $net:ty => $module:ident, $server:ident, $client:ident) => {
        $crate::sides::Sides { server: $module::$server::<$net>, client: $module::$client::<$net> }
    };
    ($over:expr, $module:ident, $server:ident, $client:ident) => {
        match $over {
            $crate::net::Over::Tcp => sides!(of $crate::net::OverTcp => $module, $server, $client),
            $crate::net::Over::Unix => sides!(of $crate::net::OverUnix => $module, $server, $client),
            $crate::net::Over::Tls => sides!(of $crate::secured::OverTls => $module, $server, $client),
            $crate::net::Over::Quic => sides!(of $crate::secured::OverQuic => $module, $server, $client),
            $crate::net::Over::Ws => sides!(of $crate::websocket::OverWs => $module, $server, $client),
        }
    };
}
pub(crate) use sides;

/// What the client of a run has seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Played {
    /// What it has received, by the program's own count.
    pub received: u64,
    /// How long that took, from the first message on an open connection.
    pub time: Duration,
}

/// What both sides have seen.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What the server has received, by the program's own count.
    pub served: u64,
    /// What the client has seen.
    pub played: Played,
}

/// A contender: its two sides, which know the program's options.
pub struct Sides<G> {
    /// Listens, says where, and serves one client. Returns what it has received.
    pub server: fn(&G, Ready<'_>) -> io::Result<u64>,
    /// Connects to the address, and plays.
    pub client: fn(&G, &str) -> io::Result<Played>,
}

/// Plays with the server in a thread of this process.
fn in_one_process<G: Sync>(game: &G, sides: &Sides<G>) -> io::Result<Outcome> {
    let (ready, address) = mpsc::sync_channel(1);
    thread::scope(|scope| {
        let serving = scope.spawn(|| {
            let ready = ready;
            (sides.server)(game, &|address| drop(ready.send(address.to_owned())))
        });
        let played = match address.recv() {
            Ok(address) => (sides.client)(game, &address),
            Err(_) => Err(io::Error::other("the server does not listen")),
        };
        let served = serving.join().map_err(|_| io::Error::other("the server has panicked"))?;
        Ok(Outcome { played: played?, served: served? })
    })
}

/// Plays with the server in a process of its own, which is this executable with these arguments.
fn in_two_processes<G>(game: &G, sides: &Sides<G>, arguments: &[String]) -> io::Result<Outcome> {
    let mut server = Server::start(arguments)?;
    let played = (sides.client)(game, &server.address)?;
    let served = server.line()?;
    let served =
        served.trim().parse().map_err(|_| io::Error::other("the server does not say what it served"))?;
    server.process.0.wait()?;
    Ok(Outcome { served, played })
}

/// Another process of this executable. It is killed when this is dropped.
pub struct Process(pub Child);

impl Process {
    /// Starts this executable with these arguments.
    pub fn start(arguments: &[String]) -> io::Result<Self> {
        let mut command = Command::new(env::current_exe()?);
        command.args(arguments).stdout(Stdio::piped()).spawn().map(Process)
    }

    /// Waits until it has ended by itself.
    pub fn end(mut self) -> io::Result<()> {
        let status = self.0.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(io::Error::other(format!("a process ended with {status}")))
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server in a process of its own. It is killed when this is dropped.
pub struct Server {
    pub process: Process,
    output: BufReader<std::process::ChildStdout>,
    /// Where it listens.
    pub address: String,
}

impl Server {
    /// Starts this executable with these arguments, and waits until it listens.
    pub fn start(arguments: &[String]) -> io::Result<Self> {
        let mut process = Process::start(arguments)?;
        let output = process.0.stdout.take().ok_or_else(|| io::Error::other("a child without stdout"))?;
        let mut server = Server { process, output: BufReader::new(output), address: String::new() };
        server.address = server.line()?.trim().to_owned();
        Ok(server)
    }

    /// The next line that it says.
    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.output.read_line(&mut line)? {
            0 => Err(io::Error::other("the server has ended")),
            _ => Ok(line),
        }
    }
}

/// Says a line to the process that started this one.
pub fn say(line: &str) {
    let mut stdout = io::stdout().lock();
    // If the other process is gone, so is the client.
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

/// Serves as the other process: says the address, and in the end what was received.
pub fn serve<G>(game: &G, sides: &Sides<G>) -> Result<ExitCode, Failure> {
    let served = (sides.server)(game, &say).map_err(|error| Failure::io("the server", &error))?;
    say(&served.to_string());
    Ok(ExitCode::SUCCESS)
}

/// An error of a library, as one of the system.
pub fn failed(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}
