#![forbid(unsafe_code)]
#[path = "../attacks/memory/bursts.rs"]
mod bursts;
#[path = "../attacks/memory/glances.rs"]
mod glances;
#[path = "../attacks/memory/last_deeds.rs"]
mod last_deeds;
