//! x
#![forbid(unsafe_code)]

mod addresses;
mod codec;
mod dial;
pub mod engine;
mod error;
mod frame;
mod hello;
mod inbox;
mod pump;
mod runtime;
mod settings;
mod site;
mod status;
mod via;

#[cfg(unix)]
pub use self::addresses::unix;
pub use self::addresses::{memory, tcp, tcp_exposed, tcp_free_port};
pub use self::codec::{Codec, Postcard};
pub use self::error::{ConnectError, ListenError};
pub use self::hello::{Refusal, Spoken};
pub use self::runtime::background;
pub use self::via::Via;
