//! The program awk, started anew in each run.

use std::io;
use std::process::{Command, Stdio};

use super::Logs;
use super::generated::Log;
use super::table::{Sum, Table};

/// The source of this file, for `list --sloc`.
pub const SOURCES: &[&str] = &[include_str!("awk.rs")];

/// A line that can be parsed has ten fields: the eighth ends with a quotation mark.
const SCRIPT: &str = r#"
    NF == 10 && $8 ~ /"$/ { requests[$1]++; bytes[$1] += $10; next }
    { errors++ }
    END { for (host in requests) printf "%s %d %.0f\n", host, requests[host], bytes[host]
          printf "- %d 0\n", errors }
"#;

/// Why it is left out, if it is.
pub fn missing(_: &Logs) -> Option<&'static str> {
    let told = Command::new("awk").args(["BEGIN { print 2 }"]).stderr(Stdio::null()).output();
    (!told.is_ok_and(|told| told.stdout == b"2\n")).then_some("awk is not installed")
}

/// Sums up in one thread.
pub fn run(log: &Log, _workers: usize) -> io::Result<Table> {
    let output = Command::new("awk").env("LC_ALL", "C").arg(SCRIPT).arg(log.path()).output()?;
    let text = String::from_utf8(output.stdout).map_err(io::Error::other)?;
    let mut table = Table::default();
    for line in text.lines() {
        let mut fields = line.split(' ');
        let host = fields.next().unwrap_or_default();
        let mut next = || fields.next().and_then(|field| field.parse().ok());
        let (Some(requests), Some(bytes)) = (next(), next()) else {
            return Err(io::Error::other(format!("awk has printed `{line}`")));
        };
        match host {
            "-" => table.count_errors(requests),
            host => table.count(host.as_bytes(), Sum { requests, bytes }),
        }
    }
    Ok(table)
}
