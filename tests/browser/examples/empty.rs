//! A page that does nothing, whose size is compared with that of `bank`.
#![cfg(target_family = "wasm")]

use wasm_bindgen::prelude::wasm_bindgen;

/// Does nothing.
#[wasm_bindgen(start)]
pub fn start() {}
