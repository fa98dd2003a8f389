//! Tasks and timers: what pumps need of the program around them.
//!
//! In a native program this is tokio. In a browser it is the page's event loop, which runs tasks on one
//! thread. Both files have the same items, so everything else is the same code.
//!
//! # Layers
//!
//! Uses nothing of the crate; used by everything that waits.

#[cfg(target_family = "wasm")]
mod browser;
#[cfg(not(target_family = "wasm"))]
mod native;

#[cfg(target_family = "wasm")]
pub(crate) use self::browser::*;
#[cfg(not(target_family = "wasm"))]
pub use self::native::background;
#[cfg(not(target_family = "wasm"))]
pub(crate) use self::native::*;
