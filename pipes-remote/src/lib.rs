#![doc = include_str!("../docs/course.md")]
#![forbid(unsafe_code)]
#![warn(clippy::missing_panics_doc)]

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
pub use self::addresses::{memory, over, tcp, tcp_exposed, tcp_free_port};
#[cfg(feature = "quic")]
pub use self::addresses::{quic, quic_free_port};
#[cfg(feature = "tls")]
pub use self::addresses::{tls, tls_free_port};
pub use self::codec::{Codec, Postcard};
pub use self::distrust::Distrust;
pub use self::error::{AcceptError, ConnectError, ListenError};
pub use self::hello::{Refusal, Spoken};
pub use self::runtime::background;
pub use self::via::Via;
