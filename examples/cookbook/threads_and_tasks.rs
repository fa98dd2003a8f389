//! One body for threads and tasks: write it with `.await`, and let a thread block on it.
//!
//!     cargo run --example threads_and_tasks

use echo::{Client, Idle, Reply, Server};
use pipes::{Port, block_on, stream};
use std::error::Error;
use std::thread;

pipes::proto! {
    echo {
        idle: send { say(String) -> reply }
        reply: recv { heard(String) -> idle }
    }
}

type Failed = Box<dyn Error + Send + Sync>;

/// A client's conversation. It waits only with `.await`, so it does not matter who runs it.
async fn converse(mut client: Client<Idle>, mut words: Port<&str>) -> Result<usize, Failed> {
    let mut letters = 0;
    while let Ok(word) = words.recv_async().await {
        let Reply::Heard(echo, next) = client.say(word.into())?.await?;
        letters += echo.len();
        client = next;
    }
    Ok(letters)
}

/// A server that has no other work can be written without `.await`: its clients do not notice.
fn serve(mut server: Server<Idle>) -> Result<(), Failed> {
    while let Ok(Idle::Say(word, reply)) = server.recv() {
        server = reply.heard(word)?;
    }
    Ok(())
}

fn main() -> Result<(), Failed> {
    let begin = |words: &[&'static str]| {
        let (client, server) = echo::pipe();
        thread::spawn(move || serve(server));
        let (mut chan, port) = stream();
        words.iter().try_for_each(|word| chan.send(*word)).map(|()| converse(client, port))
    };

    // In a thread: `block_on` parks it while the conversation waits. It needs no runtime.
    let conversation = begin(&["a", "thread"])?;
    let thread = thread::spawn(|| block_on(conversation));
    println!("thread: {} letters", thread.join().expect("it does not panic")?);

    // In a task, here two of them on one thread.
    let both = futures::future::try_join(begin(&["one", "task"])?, begin(&["and", "another", "one"])?);
    println!("tasks: {:?} letters", block_on(both)?);
    Ok(())
}
