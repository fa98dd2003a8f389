//! The table of all hosts, and how a line is parsed.

use std::collections::HashMap;

/// The requests of each host, and the lines that could not be parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    hosts: HashMap<Box<[u8]>, Sum>,
    errors: u64,
}

/// The number of requests of a host, and the bytes that it was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub requests: u64,
    pub bytes: u64,
}

impl Table {
    /// Adds a line without its end.
    pub fn add(&mut self, line: &[u8]) {
        match parsed(line) {
            Some((host, bytes)) => self.count(host, Sum { requests: 1, bytes }),
            None => self.errors += 1,
        }
    }

    /// Adds requests of a host.
    pub fn count(&mut self, host: &[u8], sum: Sum) {
        let known = match self.hosts.get_mut(host) {
            Some(known) => known,
            None => self.hosts.entry(host.into()).or_default(),
        };
        known.requests += sum.requests;
        known.bytes += sum.bytes;
    }

    /// Returns the number of lines that could not be parsed.
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// Adds lines that could not be parsed.
    pub fn count_errors(&mut self, errors: u64) {
        self.errors += errors;
    }

    /// Adds another table.
    pub fn and(mut self, other: Table) -> Table {
        if self.hosts.len() < other.hosts.len() {
            return other.and(self);
        }
        other.hosts.iter().for_each(|(host, sum)| self.count(host, *sum));
        self.errors += other.errors;
        self
    }

    /// Describes how this differs from what is due.
    pub fn verify(&self, due: &Table) -> Result<(), String> {
        if self.errors != due.errors {
            return Err(format!("{} lines could not be parsed, not {}", self.errors, due.errors));
        }
        match due.hosts.iter().find(|(host, sum)| self.hosts.get(*host) != Some(sum)) {
            Some((host, sum)) => {
                let (host, found) = (String::from_utf8_lossy(host), self.hosts.get(host));
                Err(format!("host {host} has {found:?}, not {sum:?}"))
            }
            None if self.hosts.len() > due.hosts.len() => Err("there are hosts too many".to_owned()),
            None => Ok(()),
        }
    }
}

/// The host of a line, and the bytes that it was sent. In between are the time, the request and its status.
fn parsed(line: &[u8]) -> Option<(&[u8], u64)> {
    let host = &line[..line.iter().position(|byte| *byte == b' ')?];
    let request = line.iter().position(|byte| *byte == b'"')?;
    let answer = request + 1 + line[request + 1..].iter().position(|byte| *byte == b'"')?;
    let mut fields = line[answer + 1..].split(|byte| *byte == b' ').skip(1);
    let status = number(fields.next()?)?;
    if !(100..600).contains(&status) {
        return None;
    }
    match fields.next()? {
        b"-" => Some((host, 0)),
        bytes => Some((host, number(bytes)?)),
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    digits.iter().try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| 10 * sum + u64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::parsed;

    #[test]
    fn a_line_has_a_host_and_a_size() {
        let line = |rest: &str| format!("h1 - - [30/Nov/2026:16:00:00 +0000] {rest}");
        let found = |rest: &str| parsed(line(rest).as_bytes()).map(|(host, bytes)| (host.to_vec(), bytes));
        assert_eq!(found("\"GET / HTTP/1.1\" 200 512"), Some((b"h1".to_vec(), 512)));
        assert_eq!(found("\"GET / HTTP/1.1\" 304 -"), Some((b"h1".to_vec(), 0)));
        for wrong in ["\"GET /", "\"GET /\" 200", "\"GET /\" 99 1", "\"GET /\" 200 1x", "\"GET /\"  200 1"] {
            assert_eq!(found(wrong), None, "{wrong}");
        }
    }
}
