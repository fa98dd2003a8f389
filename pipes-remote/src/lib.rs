#![doc = include_str!("../docs/course.md")]
// The documentation's host labels what needs a feature.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(clippy::missing_panics_doc)]

#[cfg(all(target_family = "wasm", any(feature = "farm", feature = "quic", feature = "tls")))]
compile_error!("a browser has no `farm`, `quic` or `tls`; use `ws`, over which the browser does TLS");

mod addresses;
mod admission;
mod codec;
mod deadline;
mod dial;
mod distrust;
pub mod engine;
mod error;
#[cfg(feature = "farm")]
pub mod farm;
#[cfg(all(test, any(unix, feature = "tls")))]
mod folder;
mod frame;
mod handshakes;
mod hello;
mod inbox;
#[cfg(any(doc, doctest))]
pub mod promises;
mod pump;
mod refusals;
mod runtime;
#[cfg(feature = "tls")]
pub mod security;
mod settings;
#[cfg(feature = "schema")]
mod shape;
mod site;
mod status;
mod via;

#[cfg(unix)]
pub use self::addresses::unix;
#[cfg(feature = "ws")]
pub use self::addresses::ws;
pub use self::addresses::{memory, over};
#[cfg(feature = "quic")]
pub use self::addresses::{quic, quic_free_port};
#[cfg(not(target_family = "wasm"))]
pub use self::addresses::{tcp, tcp_exposed, tcp_free_port};
#[cfg(feature = "tls")]
pub use self::addresses::{tls, tls_free_port};
#[cfg(all(not(target_family = "wasm"), feature = "ws"))]
pub use self::addresses::{ws_exposed, ws_free_port};
#[cfg(all(feature = "tls", feature = "ws"))]
pub use self::addresses::{wss, wss_free_port};
pub use self::codec::{Codec, Postcard};
pub use self::distrust::Distrust;
pub use self::error::{AcceptError, ConnectError, ListenError};
pub use self::hello::{Refusal, Spoken};
#[cfg(not(target_family = "wasm"))]
pub use self::runtime::background;
pub use self::via::Via;
