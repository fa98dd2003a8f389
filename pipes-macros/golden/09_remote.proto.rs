#[remote]
log { open: send { line(String) -> open } }
