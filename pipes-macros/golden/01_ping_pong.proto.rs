/// Ping and pong.
pub pingpong {
    ping: send { ping(u32) -> pong }
    pong: recv { pong(u32) -> ping }
}
