//! Connecting to a name with several addresses, as RFC 8305 (Happy Eyeballs) describes.

use super::address::Address;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// After this time without an answer, the next address is tried as well (RFC 8305, section 5).
const DELAY: Duration = Duration::from_millis(250);

/// Connects to the first address that answers. The next attempt begins as soon as one has failed or has not
/// answered for a while. Earlier attempts go on meanwhile.
///
/// # Errors
///
/// The name has no address, or no address can be reached.
pub(super) async fn connect<T, F>(address: &Address, attempt: impl Fn(SocketAddr) -> F) -> io::Result<T>
where
    F: Future<Output = io::Result<T>> + Send + 'static,
    T: Send + 'static,
{
    let addresses = address.resolve().await?;
    if let [only] = *addresses {
        return attempt(only).await.map_err(|error| address.failure(vec![(only, error)]));
    }
    let mut left = interleaved(addresses).into_iter();
    let (mut attempts, mut failed) = (JoinSet::new(), Vec::new());
    loop {
        let done = match left.next() {
            Some(next) => {
                let attempt = attempt(next);
                attempts.spawn(async move { (next, attempt.await) });
                let Ok(done) = timeout(DELAY, attempts.join_next()).await else { continue };
                done
            }
            None => attempts.join_next().await,
        };
        match done {
            None => return Err(address.failure(failed)),
            Some(Err(panic)) => return Err(io::Error::other(panic)),
            Some(Ok((_, Ok(connected)))) => return Ok(connected),
            Some(Ok((tried, Err(error)))) => failed.push((tried, error)),
        }
    }
}

/// Returns the addresses in the order of the attempts, which is that of the resolver with the families
/// alternating.
fn interleaved(addresses: Vec<SocketAddr>) -> Vec<SocketAddr> {
    let is_first = addresses.first().is_some_and(SocketAddr::is_ipv6);
    let (first, second): (Vec<_>, Vec<_>) =
        addresses.into_iter().partition(|address| address.is_ipv6() == is_first);
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    let mut all = Vec::new();
    loop {
        let turn = [first.next(), second.next()];
        if turn == [None, None] {
            return all;
        }
        all.extend(turn.into_iter().flatten());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;
    use std::io::ErrorKind;
    use std::net::IpAddr;
    use std::sync::{Arc, Mutex};
    use tokio::time::{Instant, sleep};

    fn address(text: &str) -> SocketAddr {
        text.parse().expect("it is an address")
    }

    fn named(ips: &'static [&'static str]) -> Address {
        let mut address = Address::new("name:7");
        address.resolved_by(|_| Ok(ips.iter().map(|ip| ip.parse::<IpAddr>().expect("an IP")).collect()));
        address
    }

    /// When which address was tried.
    type Tried = Arc<Mutex<Vec<(Duration, String)>>>;

    /// Tries addresses of which `answers` says what comes of them.
    async fn trying<F>(
        address: &Address,
        answers: impl Fn(String) -> F,
    ) -> (io::Result<String>, Vec<(Duration, String)>)
    where
        F: Future<Output = io::Result<String>> + Send + 'static,
    {
        let (began, tried) = (Instant::now(), Tried::default());
        let connected = connect(address, |to| {
            tried.lock().expect("nothing panics").push((began.elapsed(), to.ip().to_string()));
            answers(to.ip().to_string())
        })
        .await;
        let tried = tried.lock().expect("nothing panics").clone();
        (connected, tried)
    }

    #[test]
    fn families_take_turns() {
        let all = |texts: &[&str]| texts.iter().map(|text| address(text)).collect::<Vec<_>>();
        let (a, b, c) = ("1.1.1.1:1", "2.2.2.2:1", "3.3.3.3:1");
        let (x, y) = ("[::1]:1", "[::2]:1");
        assert_eq!(interleaved(all(&[x, y, a, b, c])), all(&[x, a, y, b, c]));
        assert_eq!(interleaved(all(&[a, b, x])), all(&[a, x, b]));
        assert_eq!(interleaved(all(&[a, b])), all(&[a, b]));
        assert_eq!(interleaved(Vec::new()), Vec::new());
    }

    #[tokio::test(start_paused = true)]
    async fn silent_addresses_are_passed_after_a_delay() {
        let there = named(&["::1", "::2", "1.1.1.1", "2.2.2.2"]);
        let (connected, tried) = trying(&there, |ip| async move {
            if ip != "2.2.2.2" {
                pending::<()>().await;
            }
            Ok(ip)
        })
        .await;
        assert_eq!(connected.expect("the last one answers"), "2.2.2.2");
        let at = |turns, ip: &str| (DELAY * turns, ip.to_owned());
        assert_eq!(tried, [at(0, "::1"), at(1, "1.1.1.1"), at(2, "::2"), at(3, "2.2.2.2")]);
    }

    #[tokio::test(start_paused = true)]
    async fn the_next_address_follows_a_failure_at_once() {
        let there = named(&["1.1.1.1", "2.2.2.2", "3.3.3.3"]);
        let (connected, tried) = trying(&there, |ip| async move {
            if ip == "3.3.3.3" { Ok(ip) } else { Err(ErrorKind::ConnectionRefused.into()) }
        })
        .await;
        assert_eq!(connected.expect("the last one answers"), "3.3.3.3");
        assert!(tried.iter().all(|(when, _)| when.is_zero()), "{tried:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_address_wins_if_the_later_ones_are_slower() {
        let there = named(&["1.1.1.1", "2.2.2.2"]);
        let (connected, _) = trying(&there, |ip| async move {
            sleep(DELAY * 2).await;
            Ok(ip)
        })
        .await;
        assert_eq!(connected.expect("both answer"), "1.1.1.1");
    }

    #[tokio::test(start_paused = true)]
    async fn the_error_names_each_address_that_was_tried() {
        let there = named(&["1.1.1.1", "::2"]);
        let refused = |_| async { Err(ErrorKind::ConnectionRefused.into()) };
        let error = trying(&there, refused).await.0.expect_err("none answers");
        assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
        assert_eq!(error.to_string(), "1.1.1.1:7: connection refused; [::2]:7: connection refused");
        // A name with one address is no exception; an address in numbers need not be repeated.
        let error = trying(&named(&["1.1.1.1"]), refused).await.0.expect_err("it does not answer");
        assert_eq!(error.to_string(), "1.1.1.1:7: connection refused");
        let error = trying(&Address::new("1.1.1.1:7"), refused).await.0.expect_err("it does not answer");
        assert_eq!(error.to_string(), "connection refused");
    }
}
