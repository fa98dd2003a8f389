//! The native server of the tests in a browser. Prints its address, and serves until its input ends.

#[cfg(not(target_family = "wasm"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use pipes_browser_tests::{counts, serve_counts, serve_sums, sums};
    use pipes_remote::Via;
    use pipes_remote::engine::Ws;
    use tokio::runtime::Builder;

    // The tests are pages of this origin.
    let origins = std::env::args().skip(1);
    let here = Via::new(Ws::free_port()?.origins(origins));
    let (mut adding, mut counting) = (sums::listen(&here)?, counts::listen(&here)?);
    println!("{}", here.address());
    std::thread::spawn(move || {
        let runtime = Builder::new_multi_thread().worker_threads(1).build().expect("it can be had");
        runtime.block_on(async {
            loop {
                tokio::select! {
                    Ok(server) = adding.recv_async() => drop(tokio::spawn(serve_sums(server))),
                    Ok(server) = counting.recv_async() => drop(tokio::spawn(serve_counts(server))),
                    else => break,
                }
            }
        });
    });
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink())?;
    Ok(())
}

#[cfg(target_family = "wasm")]
fn main() {}
