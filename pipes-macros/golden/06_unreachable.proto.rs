#[bounded(1)]
pub shout {
    quiet: send { shout(&'static str) -> ! }
    #[allow(dead_code)]
    echo: recv { echo -> quiet }
}
