//! The URLs of WebSockets.

use std::io::{self, ErrorKind};
use tokio_tungstenite::tungstenite::http::Uri;

/// The parts of a URL.
pub(super) struct Url {
    pub(super) is_secure: bool,
    /// As TCP needs it; without a port in the URL, that of HTTP.
    pub(super) host_and_port: String,
    pub(super) uri: Uri,
}

impl Url {
    /// Parses a URL such as `ws://localhost:7000/bank`.
    ///
    /// # Errors
    ///
    /// It is malformed, or its scheme is neither `ws` nor `wss`.
    pub(super) fn parse(text: &str) -> io::Result<Url> {
        let wrong = |what: &str| Err(io::Error::new(ErrorKind::InvalidInput, what));
        let lowercase =
            text.split_once("://").map(|(scheme, rest)| scheme.to_ascii_lowercase() + "://" + rest);
        let Ok(uri) = lowercase.as_deref().unwrap_or(text).parse::<Uri>() else {
            return wrong("it is not a URL");
        };
        let is_secure = match uri.scheme_str() {
            Some("ws") => false,
            Some("wss") => true,
            _ => return wrong("the URL does not begin with `ws://` or `wss://`"),
        };
        let Some(authority) = uri.authority() else { return wrong("the URL has no host") };
        if authority.as_str().contains('@') {
            return wrong("the URL has a user in it");
        }
        let port = match authority.as_str().strip_prefix(authority.host()) {
            Some("" | ":") => {
                if is_secure {
                    ":443"
                } else {
                    ":80"
                }
            }
            Some(port) => port,
            None => return wrong("the URL has no host"),
        };
        let host_and_port = format!("{}{port}", authority.host());
        Ok(Url { is_secure, host_and_port, uri })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_has_a_host_a_port_and_a_path() {
        for (text, is_secure, host_and_port, path) in [
            ("ws://localhost:7000/bank", false, "localhost:7000", "/bank"),
            ("ws://localhost", false, "localhost:80", "/"),
            ("WSS://localhost:/", true, "localhost:443", "/"),
            ("wss://bank.example/a/b?c=d", true, "bank.example:443", "/a/b"),
            ("ws://[::1]:7000/", false, "[::1]:7000", "/"),
        ] {
            let url = Url::parse(text).expect("it is a URL");
            assert_eq!(
                (url.is_secure, &*url.host_and_port, url.uri.path()),
                (is_secure, host_and_port, path)
            );
        }
        for (text, what) in [
            ("", "not a URL"),
            ("localhost:7000", "does not begin with"),
            ("http://localhost/", "does not begin with"),
            ("ws://", "not a URL"),
            ("/bank", "does not begin with"),
            ("ws://local host/", "not a URL"),
            ("ws://ada@localhost/", "a user"),
        ] {
            let error = Url::parse(text).err().expect("it is no URL of a WebSocket");
            assert_eq!(error.kind(), ErrorKind::InvalidInput);
            assert!(error.to_string().contains(what), "{text:?}: {error}");
        }
    }
}
