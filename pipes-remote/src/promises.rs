#![doc = include_str!("../docs/promises.md")]
