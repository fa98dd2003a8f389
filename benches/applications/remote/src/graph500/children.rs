//! The other processes, if this one starts them.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long a process may take to end when there is nothing more to do.
const END: Duration = Duration::from_secs(10);
/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(5);

/// The processes of all workers but the first. Those that do not end by themselves are killed when this is
/// dropped.
#[derive(Default)]
pub struct Children(Vec<(Child, Option<ChildStdin>)>);

impl Children {
    /// Starts this executable for each other worker, tells all of them where the others are, and returns
    /// that. The first worker is at `own`.
    pub fn start(
        &mut self,
        own: &str,
        workers: usize,
        arguments: impl Fn(usize) -> Vec<String>,
    ) -> io::Result<Vec<String>> {
        let mut outputs = Vec::new();
        for rank in 1..workers {
            let mut command = Command::new(env::current_exe()?);
            command.args(arguments(rank)).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn()?;
            outputs.extend(child.stdout.take());
            let input = child.stdin.take();
            self.0.push((child, input));
        }
        let mut addresses = vec![own.to_owned()];
        for (rank, output) in (1..).zip(outputs) {
            let mut address = String::new();
            if BufReader::new(output).read_line(&mut address)? == 0 {
                return Err(io::Error::other(format!("worker {rank} has ended before it listened")));
            }
            addresses.push(address.trim_end().to_owned());
        }
        let line = format!("{}\n", addresses.join(","));
        for (_, input) in &mut self.0 {
            // One that has ended is missed later.
            let _ = input.take().map(|mut input| input.write_all(line.as_bytes()));
        }
        Ok(addresses)
    }
}

/// In a process that was started so: says where it listens, and hears where all others do.
pub fn hear(own: &str) -> io::Result<Vec<String>> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{own}").and_then(|()| stdout.flush())?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end().split(',').map(str::to_owned).collect())
}

impl Drop for Children {
    fn drop(&mut self) {
        let deadline = Instant::now() + END;
        for (child, input) in &mut self.0 {
            // One that is still waiting to hear of the others hears that there is nothing more.
            drop(input.take());
            while Instant::now() < deadline && matches!(child.try_wait(), Ok(None)) {
                sleep(LOOK);
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
