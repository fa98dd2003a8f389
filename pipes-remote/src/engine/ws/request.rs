//! Which requests for a WebSocket a listener takes.

use super::address::Url;
use std::io::{self, ErrorKind};
use std::net::IpAddr;
use tokio_tungstenite::tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::{StatusCode, header};

/// Where the socket is, and which pages may use it.
pub(super) struct Rules {
    path: String,
    is_secure: bool,
    is_exposed: bool,
    /// The origins whose pages may connect. If there are none, the host of the request must be the page's.
    origins: Vec<String>,
}

/// The most letters of a stranger's text that are repeated.
const REPEATED: usize = 100;

/// Returns the beginning of a stranger's text.
fn begin(text: &str) -> String {
    text.chars().take(REPEATED).collect()
}

/// Returns `true` if this host, which may have a port, is a name of this machine.
fn is_here(host: &str) -> bool {
    let end = if host.ends_with(']') { host.len() } else { host.rfind(':').unwrap_or(host.len()) };
    let name = host[..end].trim_matches(['[', ']']);
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
}

impl Rules {
    pub(super) fn new(url: &Url, is_exposed: bool, origins: &[String]) -> Self {
        let plain = |origin: &String| origin.trim_end_matches('/').to_ascii_lowercase();
        Rules {
            path: url.uri.path().to_owned(),
            is_secure: url.is_secure,
            is_exposed,
            origins: origins.iter().map(plain).collect(),
        }
    }

    /// Returns the function that checks a request. If it refuses the request, it says why in `refused`.
    pub(super) fn check<'a>(&'a self, refused: &'a mut Option<io::Error>) -> impl Callback + 'a {
        #[expect(clippy::result_large_err, reason = "the library wants it so")]
        move |request: &Request, response: Response| {
            let Some((status, kind, text)) = self.refusal(request) else { return Ok(response) };
            let mut answer = ErrorResponse::new(Some(format!("{text}\n")));
            *answer.status_mut() = status;
            *refused = Some(io::Error::new(kind, text));
            Err(answer)
        }
    }

    /// Returns why a request is refused, if it is.
    fn refusal(&self, request: &Request) -> Option<(StatusCode, ErrorKind, String)> {
        if request.uri().path() != self.path {
            let text = format!("there is no WebSocket at `{}`", begin(request.uri().path()));
            return Some((StatusCode::NOT_FOUND, ErrorKind::NotFound, text));
        }
        let mut origins = request.headers().get_all(header::ORIGIN).iter();
        // Browsers send an origin, and other programs do not.
        let first = origins.next()?;
        let origin = first.to_str().unwrap_or("?").to_ascii_lowercase();
        let is_admitted = match &*self.origins {
            [] => {
                let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
                origin.split_once("://").is_some_and(|(scheme, page)| {
                    // Behind a proxy that does TLS, a page has come by `https` as well.
                    (scheme == "https" || scheme == "http" && !self.is_secure)
                        && !page.is_empty()
                        && host.is_some_and(|host| host.eq_ignore_ascii_case(page))
                        // A stranger's name could lead to this machine.
                        && (self.is_exposed || is_here(page))
                })
            }
            origins => origins.contains(&origin),
        };
        let is_refused = !is_admitted || origins.next().is_some();
        let text = || format!("pages of `{}` may not connect", begin(&origin));
        is_refused.then(|| (StatusCode::FORBIDDEN, ErrorKind::PermissionDenied, text()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("it is a URL")
    }

    fn request(path: &str, headers: &[(&str, &str)]) -> Request {
        let request = Request::builder().uri(path);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.body(()).expect("it is a request")
    }

    #[test]
    fn only_pages_of_known_origins_connect() {
        let (list, [plain, secure]) =
            (["https://Bank.example/".to_owned()], ["ws://h/", "wss://h/"].map(url));
        let rules = [
            Rules::new(&plain, false, &[]),
            Rules::new(&plain, true, &[]),
            Rules::new(&secure, true, &[]),
            Rules::new(&plain, false, &list),
        ];
        // At an address of this machine, an exposed one, one with TLS, and one with a list.
        for (origin, host, takes) in [
            (None, "bank.example", [true, true, true, true]),
            (Some("https://bank.example"), "bank.example", [false, true, true, true]),
            (Some("http://bank.example"), "bank.example", [false, true, false, false]),
            (Some("https://bank.example"), "10.0.0.1:7000", [false, false, false, true]),
            (Some("http://localhost:7000"), "LocalHost:7000", [true, true, false, false]),
            (Some("http://127.0.0.1:7000"), "127.0.0.1:7000", [true, true, false, false]),
            (Some("https://[::1]:7000"), "[::1]:7000", [true, true, true, false]),
            (Some("https://[::1]"), "[::1]", [true, true, true, false]),
            (Some("http://localhost:7001"), "localhost:7000", [false; 4]),
            (Some("https://bank.example.evil"), "bank.example", [false; 4]),
            (Some("chrome-extension://localhost"), "localhost", [false; 4]),
            (Some("null"), "bank.example", [false; 4]),
            (Some("null"), "", [false; 4]),
            (Some("://"), "", [false; 4]),
            (Some("http://"), "", [false; 4]),
            (Some(""), "", [false; 4]),
        ] {
            let mut headers = vec![("host", host)];
            headers.extend(origin.map(|origin| ("origin", origin)));
            let request = request("/", &headers);
            let taken = rules.each_ref().map(|rules| rules.refusal(&request).is_none());
            assert_eq!(taken, takes, "{origin:?} at {host}");
        }
    }

    #[test]
    fn a_page_with_two_origins_is_refused() {
        let twice = [("host", "a"), ("origin", "http://a"), ("origin", "http://b")];
        assert!(Rules::new(&url("ws://h/"), true, &[]).refusal(&request("/", &twice)).is_some());
    }

    #[test]
    fn there_is_one_path() {
        let rules = Rules::new(&url("ws://h/bank"), true, &[]);
        assert!(rules.refusal(&request("/bank?from=here", &[])).is_none());
        let (status, ..) = rules.refusal(&request("/bank/", &[])).expect("it is another path");
        assert_eq!(status, StatusCode::NOT_FOUND);
    }
}
