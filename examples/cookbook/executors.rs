//! One session on the executors of `futures` and of smol, and between the two.
//!
//!     cargo run --example executors

use async_executor::Executor;
use futures::executor::LocalPool;
use futures::task::LocalSpawnExt;
use quiz::{Answer, Asking, Client, Server};
use std::error::Error;
use std::thread;

pipes::proto! {
    quiz {
        asking: send { ask(u32, u32) -> answer }
        answer: recv { is(u64) -> asking }
    }
}

type Failed = Box<dyn Error + Send + Sync>;

/// Neither side names an executor: waking a task is all that they need of it.
async fn ask(mut client: Client<Asking>) -> Result<u64, Failed> {
    let mut sum = 0;
    for number in 1..=3 {
        let Answer::Is(product, next) = client.ask(number, number)?.await?;
        sum += product;
        client = next;
    }
    Ok(sum)
}

/// Serves until the client has left.
async fn answer(mut server: Server<Asking>) -> Result<(), Failed> {
    while let Ok(Asking::Ask(one, other, next)) = server.await {
        server = next.is(u64::from(one) * u64::from(other))?;
    }
    Ok(())
}

fn main() -> Result<(), Failed> {
    // Two tasks in a pool of `futures`, on this thread.
    let (client, server) = quiz::pipe();
    let mut pool = LocalPool::new();
    let serving = pool.spawner().spawn_local_with_handle(answer(server))?;
    println!("futures: {}", pool.run_until(ask(client))?);
    pool.run_until(serving)?;

    // Two tasks on the executor of smol, which another thread runs until `stop` is dropped.
    let smol = Executor::new();
    let (stop, stopped) = pipes::oneshot::<()>();
    thread::scope(|scope| {
        scope.spawn(|| pipes::block_on(smol.run(stopped.recv_async())));
        let (client, server) = quiz::pipe();
        smol.spawn(answer(server)).detach();
        println!("smol: {}", pipes::block_on(smol.spawn(ask(client)))?);

        // One end in a task of smol, and the other one in the pool.
        let (client, server) = quiz::pipe();
        smol.spawn(answer(server)).detach();
        println!("both: {}", pool.run_until(ask(client))?);
        drop(stop);
        Ok(())
    })
}
