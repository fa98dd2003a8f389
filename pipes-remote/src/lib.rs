//! x
#![forbid(unsafe_code)]

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

pub use self::codec::{Codec, Postcard};
#[cfg(unix)]
pub use self::engine::unix;
pub use self::engine::{memory, tcp, tcp_exposed};
pub use self::error::{ConnectError, ListenError};
pub use self::hello::{Refusal, Spoken};
pub use self::runtime::background;
pub use self::via::Via;
