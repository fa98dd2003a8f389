//! 15 — Bounded protocols: how many messages can be on their way.
//!
//! You will see: the bounds of protocols, frames drawn into two buffers, a stream that changes its type.
//! New here: `#[bounded]`, `BOUND`, parameters of states. Before: 14_auction. Next: 16_bank_of_2012.
//!
//!     cargo run --example 15_bounded

use double_buffer::{Acquire, Release, WaitBuffer};
use pipes::Bound;
use std::thread;

pipes::proto! {
    /// A buffer is lent and given back. The client sends `release` and `request` in a row, and then it must
    /// wait. So at most two messages are on their way, and a session needs one allocation. If this were
    /// false, it would not compile.
    #[bounded(2)]
    double_buffer<B> {
        acquire: send { request -> wait_buffer }
        wait_buffer: recv { buffer(B) -> release }
        release: send { release(B) -> acquire }
    }

    /// With `#[bounded]` this would not compile: the client can send `data` forever while the server does
    /// nothing.
    stream<T> {
        open: send { data(T) -> open }
    }

    /// Each step passes arguments for the next state's parameters. These may also be written after the
    /// state's name.
    changing {
        Open: send<T: Send> {
            data(T) -> Open<T>,
            text_from_now_on -> Open<String>,
        }
    }
}

// The bound is a constant, so other code can rely on it at compile time.
const _: () = assert!(matches!(double_buffer::BOUND, Bound::Messages(2)));

fn main() {
    println!("double_buffer: {:?}", double_buffer::BOUND);
    println!("stream: {:?}", stream::BOUND);

    let (mut client, mut server) = double_buffer::pipe::<String>();
    let screen = thread::spawn(move || {
        let (mut back, mut front) = (String::from("left"), String::from("right"));
        while let Ok(Acquire::Request(next)) = server.recv() {
            let lent = next.buffer(back).expect("the client waits for a buffer");
            let Release::Release(drawn, next) = lent.recv().expect("the client gives the buffer back");
            println!("on the screen: {drawn}");
            (back, front, server) = (front, drawn, next);
        }
    });
    for frame in 1..=4 {
        let WaitBuffer::Buffer(mut buffer, next) =
            client.request().expect("the screen is on").recv().expect("the screen lends its buffers");
        buffer.push_str(&format!(", frame {frame}"));
        client = next.release(buffer).expect("the screen is on");
    }
    drop(client);
    screen.join().expect("the screen does not panic");

    const HERE: &str = "the other end is in this thread";
    let (numbers, server) = changing::pipe::<u32>();
    let texts = numbers.data(7).expect(HERE).text_from_now_on().expect(HERE);
    drop(texts.data(String::from("seven")).expect(HERE));
    let Ok(changing::Open::Data(number, server)) = server.recv() else { unreachable!("that came first") };
    let Ok(changing::Open::TextFromNowOn(server)) = server.recv() else { unreachable!("that came second") };
    let Ok(changing::Open::Data(text, _)) = server.recv() else { unreachable!("that came last") };
    println!("{number} is {text}");
}
