#![forbid(unsafe_code)]
#[path = "../attacks/memory/bursts.rs"]
mod bursts;
#[path = "../attacks/memory/glances.rs"]
mod glances;
