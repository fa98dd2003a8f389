//! Which requests for a WebSocket a listener takes.

use std::io::{self, ErrorKind};
use tokio_tungstenite::tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::{StatusCode, header};

/// Where the socket is, and which pages may use it.
pub(super) struct Rules {
    path: String,
    /// The origins whose pages may connect. If there are none, the host of the request must be the page's.
    origins: Vec<String>,
}

impl Rules {
    pub(super) fn new(path: &str, origins: &[String]) -> Self {
        let plain = |origin: &String| origin.trim_end_matches('/').to_ascii_lowercase();
        Rules { path: path.to_owned(), origins: origins.iter().map(plain).collect() }
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
            let text = format!("there is no WebSocket at `{}`", request.uri().path());
            return Some((StatusCode::NOT_FOUND, ErrorKind::NotFound, text));
        }
        let mut origins = request.headers().get_all(header::ORIGIN).iter();
        // Browsers send an origin, and other programs do not.
        let first = origins.next()?;
        let origin = first.to_str().unwrap_or("?").to_ascii_lowercase();
        let is_admitted = match &*self.origins {
            [] => {
                let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
                let page = origin.split_once("://").map(|(_, host)| host);
                page.is_some_and(|page| host.is_some_and(|host| host.eq_ignore_ascii_case(page)))
            }
            origins => origins.contains(&origin),
        };
        let is_refused = !is_admitted || origins.next().is_some();
        let text = || format!("pages of `{origin}` may not connect");
        is_refused.then(|| (StatusCode::FORBIDDEN, ErrorKind::PermissionDenied, text()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(path: &str, headers: &[(&str, &str)]) -> Request {
        let request = Request::builder().uri(path);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.body(()).expect("it is a request")
    }

    #[test]
    fn only_pages_of_known_origins_connect() {
        let (own, listed) = (Rules::new("/", &[]), Rules::new("/", &["https://Bank.example/".to_owned()]));
        for (origin, host, own_takes, listed_takes) in [
            (None, "bank.example", true, true),
            (Some("https://bank.example"), "bank.example", true, true),
            (Some("https://bank.example"), "10.0.0.1:7000", false, true),
            (Some("http://localhost:7000"), "LocalHost:7000", true, false),
            (Some("http://localhost:7001"), "localhost:7000", false, false),
            (Some("https://bank.example.evil"), "bank.example", false, false),
            (Some("https://evil.example"), "bank.example", false, false),
            (Some("null"), "bank.example", false, false),
            (Some("null"), "", false, false),
            (Some(""), "", false, false),
        ] {
            let mut headers = vec![("host", host)];
            headers.extend(origin.map(|origin| ("origin", origin)));
            let request = request("/", &headers);
            assert_eq!(own.refusal(&request).is_none(), own_takes, "{origin:?} at {host}");
            assert_eq!(listed.refusal(&request).is_none(), listed_takes, "{origin:?} in the list");
        }
    }

    #[test]
    fn a_page_with_two_origins_is_refused() {
        let twice = [("host", "a"), ("origin", "http://a"), ("origin", "http://b")];
        assert!(Rules::new("/", &[]).refusal(&request("/", &twice)).is_some());
    }

    #[test]
    fn there_is_one_path() {
        let rules = Rules::new("/bank", &[]);
        assert!(rules.refusal(&request("/bank?from=here", &[])).is_none());
        let (status, ..) = rules.refusal(&request("/bank/", &[])).expect("it is another path");
        assert_eq!(status, StatusCode::NOT_FOUND);
    }
}
