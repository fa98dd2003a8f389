//! Which errors of sockets are temporary, for all engines.

use std::future::Future;
use std::io::{self, ErrorKind};
use std::time::Duration;
use tokio::time::sleep;

/// How long to wait after the first temporary error of `connect`, and at most.
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(32);

#[cfg(unix)]
mod codes {
    /// The listening socket itself is unusable.
    pub const UNUSABLE: &[i32] = &[libc::EBADF, libc::EFAULT, libc::EINVAL, libc::ENOTSOCK];
    /// The client has gone. The other errors with this meaning have an `ErrorKind`.
    pub const GONE: &[i32] = &[libc::EPROTO];
    /// This machine does not have the family of the address.
    pub const NO_FAMILY: &[i32] = &[libc::EAFNOSUPPORT];
}

#[cfg(not(unix))]
mod codes {
    /// `WSAEBADF`, `WSAEFAULT`, `WSAEINVAL`, `WSAENOTSOCK`.
    pub const UNUSABLE: &[i32] = &[10009, 10014, 10022, 10038];
    pub const GONE: &[i32] = &[];
    /// `WSAEAFNOSUPPORT`.
    pub const NO_FAMILY: &[i32] = &[10047];
}

fn is_one_of(error: &io::Error, codes: &[i32]) -> bool {
    error.raw_os_error().is_some_and(|code| codes.contains(&code))
}

/// What a listener does after an error of `accept`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AfterAccept {
    /// Accepts the next client at once, because the error was about a client that has gone.
    Next,
    /// Waits first, because the process or the system lacks descriptors or memory (`EMFILE`, `ENFILE`,
    /// `ENOBUFS`, `ENOMEM`), or the network is down. Unknown errors are handled in the same way, because an
    /// error that lasts must not keep a processor busy.
    Pause,
    /// Ends, because no client will ever be accepted.
    End,
}

pub(super) fn after_accept(error: &io::Error) -> AfterAccept {
    match error.kind() {
        ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted => {
            AfterAccept::Next
        }
        _ if is_one_of(error, codes::GONE) => AfterAccept::Next,
        _ if is_one_of(error, codes::UNUSABLE) => AfterAccept::End,
        _ => AfterAccept::Pause,
    }
}

/// Returns `true` if another `connect` may succeed soon without any action of this program. Either the
/// backlog of a Unix socket is full (`EAGAIN`), or a signal came (`EINTR`).
///
/// All other errors are final, also a lack of descriptors or memory, because this program may be what uses
/// them up.
fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// Returns `true` if an address cannot be bound because this machine lacks its family, or the address.
pub(super) fn is_not_here(error: &io::Error) -> bool {
    error.kind() == ErrorKind::AddrNotAvailable || is_one_of(error, codes::NO_FAMILY)
}

/// Connects, and tries again while the error is temporary. The caller must set a time limit.
pub(super) async fn persistently<T, F>(mut connect: impl FnMut() -> F) -> io::Result<T>
where
    F: Future<Output = io::Result<T>>,
{
    let mut wait = SHORTEST;
    loop {
        match connect().await {
            Err(error) if is_temporary(&error) => sleep(wait).await,
            connected => return connected,
        }
        wait = LONGEST.min(wait * 2);
    }
}

#[cfg(all(test, any(unix, windows)))]
mod tests {
    use super::*;

    #[cfg(unix)]
    mod given {
        pub const NEXT: &[i32] = &[libc::ECONNABORTED, libc::ECONNRESET, libc::EINTR, libc::EPROTO];
        pub const SCARCE: &[i32] = &[libc::EMFILE, libc::ENFILE, libc::ENOBUFS, libc::ENOMEM];
        /// Errors of a firewall and of the network, which Linux reports at `accept`.
        pub const NETWORK: &[i32] = &[libc::EPERM, libc::ENETDOWN, libc::EHOSTUNREACH, libc::EOPNOTSUPP];
        pub const END: &[i32] = &[libc::EBADF, libc::EFAULT, libc::EINVAL, libc::ENOTSOCK];
        pub const NOT_HERE: &[i32] = &[libc::EADDRNOTAVAIL, libc::EAFNOSUPPORT];
        pub const TEMPORARY: &[i32] = &[libc::EAGAIN, libc::EINTR];
        pub const FINAL: &[i32] = &[
            libc::EACCES,
            libc::ECONNREFUSED,
            libc::EMFILE,
            libc::ENFILE,
            libc::ENOENT,
            libc::ENOMEM,
            libc::EPROTOTYPE,
            libc::ETIMEDOUT,
        ];
    }

    #[cfg(windows)]
    mod given {
        /// `WSAECONNABORTED`, `WSAECONNRESET`.
        pub const NEXT: &[i32] = &[10053, 10054];
        /// `WSAEMFILE`, `WSAENOBUFS`, `WSA_NOT_ENOUGH_MEMORY`.
        pub const SCARCE: &[i32] = &[10024, 10055, 8];
        /// `WSAENETDOWN`, `WSAEHOSTUNREACH`, `WSAEOPNOTSUPP`.
        pub const NETWORK: &[i32] = &[10050, 10065, 10045];
        /// `WSAEBADF`, `WSAEFAULT`, `WSAEINVAL`, `WSAENOTSOCK`.
        pub const END: &[i32] = &[10009, 10014, 10022, 10038];
        /// `WSAEADDRNOTAVAIL`, `WSAEAFNOSUPPORT`.
        pub const NOT_HERE: &[i32] = &[10049, 10047];
        /// `WSAEWOULDBLOCK`.
        pub const TEMPORARY: &[i32] = &[10035];
        /// `WSAEACCES`, `WSAECONNREFUSED`, `WSAEMFILE`, `WSAEPROTOTYPE`, `WSAETIMEDOUT`.
        pub const FINAL: &[i32] = &[10013, 10061, 10024, 10041, 10060];
    }

    #[test]
    fn each_error_of_accept_has_its_consequence() {
        for (consequence, codes) in [
            (AfterAccept::Next, given::NEXT),
            (AfterAccept::Pause, given::SCARCE),
            (AfterAccept::Pause, given::NETWORK),
            (AfterAccept::End, given::END),
        ] {
            for &code in codes {
                let error = io::Error::from_raw_os_error(code);
                assert_eq!(after_accept(&error), consequence, "{error}");
            }
        }
    }

    #[test]
    fn an_address_that_this_machine_lacks() {
        let is_not_here = |&code: &i32| is_not_here(&io::Error::from_raw_os_error(code));
        assert!(given::NOT_HERE.iter().all(is_not_here));
        assert!(!given::FINAL.iter().any(is_not_here));
    }

    #[tokio::test(start_paused = true)]
    async fn connect_waits_for_temporary_errors_only() {
        for &code in given::TEMPORARY {
            let mut left = 1000;
            let connected = persistently(|| {
                left -= 1;
                let is_done = left == 0;
                async move { if is_done { Ok(()) } else { Err(io::Error::from_raw_os_error(code)) } }
            });
            connected.await.expect("it has succeeded in the end");
        }
        for &code in given::FINAL {
            let failed = persistently(|| async { Err::<(), _>(io::Error::from_raw_os_error(code)) });
            assert_eq!(failed.await.expect_err("it is final").raw_os_error(), Some(code));
        }
    }
}
