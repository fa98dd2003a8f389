//! Priorities: urgent messages before ordinary ones, in a thread, in a task, and with any number of lanes.
//!
//!     cargo run --example priorities
//!
//! Nothing overtakes in a stream. So take a stream for each priority, a *lane*, and receive from the first
//! lane that has something: with `biased;`, `select!` looks at its arms in the order in which they are
//! written. Without it each arm that is ready has the same chance.
//!
//! A final command in the urgent lane overtakes what is in the other lanes, too. If that is to be handled
//! first, send the command in their lane, or empty them before you leave.
//!
//! A priority is for messages that wait. What is being handled is not interrupted by it; for that, see the
//! recipe `interrupting`.

use pipes::{Chan, Port, RecvError, Select, block_on, select, select_async, stream};
use std::error::Error;

type Failed = Box<dyn Error + Send + Sync>;
type Word = &'static str;

/// After this many urgent words in a row, an ordinary one has its turn.
const MOST_IN_A_ROW: usize = 2;

fn main() -> Result<(), Failed> {
    let urgent = ["stop", "go", "stop again", "go again"];
    let ordinary = ["one", "two"];
    println!("strictly: {:?}", strictly(lane(&urgent)?, lane(&ordinary)?));
    println!("with turns: {:?}", with_turns(lane(&urgent)?, lane(&ordinary)?));
    println!("in a task: {:?}", block_on(in_a_task(lane(&["toast", "smoke", "jam"])?))?);
    let lanes = vec![lane(&["now"])?, lane(&[])?, lane(&["soon", "soon too"])?, lane(&["some day"])?];
    println!("by rank: {:?}", by_rank(lanes));
    Ok(())
}

/// A lane with these words in it, whose sender has left.
fn lane(words: &[Word]) -> Result<Port<Word>, Failed> {
    let (mut chan, port) = stream();
    words.iter().try_for_each(|word| chan.send(*word))?;
    Ok(port)
}

/// Two lanes: nothing ordinary is received while something urgent is there.
///
/// This is *starvation*: if the urgent lane never becomes empty, ordinary words wait forever, and their lane
/// grows. So it is right only if urgent words are rare, or if ordinary ones may wait for any time.
///
/// A lane whose sender has left is always ready, with an error, and would starve what is behind it, too.
/// Therefore each arm has a condition.
fn strictly(mut urgent: Port<Word>, mut ordinary: Port<Word>) -> Vec<Word> {
    let mut handled = Vec::new();
    let (mut urgent_open, mut ordinary_open) = (true, true);
    loop {
        select! {
            biased;
            word = urgent, if urgent_open => match word {
                Ok(word) => handled.push(word),
                Err(RecvError) => urgent_open = false,
            },
            word = ordinary, if ordinary_open => match word {
                Ok(word) => handled.push(word),
                Err(RecvError) => ordinary_open = false,
            },
            else => return handled,
        }
    }
}

/// Two lanes without starvation: urgent words go first, but after a few of them in a row an ordinary one has
/// its turn, if there is one. So while ordinary words wait, every third word at least is one of them.
fn with_turns(mut urgent: Port<Word>, mut ordinary: Port<Word>) -> Vec<Word> {
    let mut handled = Vec::new();
    let (mut urgent_open, mut ordinary_open, mut in_a_row) = (true, true, 0);
    loop {
        if in_a_row == MOST_IN_A_ROW {
            in_a_row = 0;
            // An error says that the lane is empty, or closed, which the macro will notice.
            handled.extend(ordinary.try_recv());
        }
        select! {
            biased;
            word = urgent, if urgent_open => match word {
                Ok(word) => {
                    handled.push(word);
                    in_a_row += 1;
                }
                Err(RecvError) => urgent_open = false,
            },
            word = ordinary, if ordinary_open => match word {
                Ok(word) => {
                    handled.push(word);
                    in_a_row = 0;
                }
                Err(RecvError) => ordinary_open = false,
            },
            else => return handled,
        }
    }
}

/// A task that is handling an ordinary word when something urgent comes: the urgent one is next, before the
/// ordinary ones that have waited longer.
///
/// `select_async!` has the same arms as `select!`. The arms need no conditions here, because the urgent lane
/// is open as long as `alarm` is there, and this ends together with the ordinary lane.
async fn in_a_task(mut ordinary: Port<Word>) -> Result<Vec<Word>, Failed> {
    let (mut alarm, mut urgent): (Chan<Word>, _) = stream();
    let mut handled = Vec::new();
    loop {
        let word = select_async! {
            biased;
            word = urgent => word?,
            word = ordinary => match word {
                Ok(word) => word,
                // Nothing urgent is left, because that arm was looked at first.
                Err(RecvError) => return Ok(handled),
            },
        };
        handled.push(word);
        if word == "smoke" {
            alarm.send("fire!")?;
        }
    }
}

/// As many lanes as there are at run time, the most urgent one first. A selection borrows its lanes, so there
/// is a new one in each round, and a lane whose sender has left is not in it any more.
fn by_rank(mut lanes: Vec<Port<Word>>) -> Vec<Word> {
    let mut handled = Vec::new();
    loop {
        let mut select = Select::biased();
        for lane in &mut lanes {
            select.add(lane);
        }
        // In a task: `select.wait_async().await`.
        let Some(first) = select.wait() else { return handled };
        match lanes[first].recv() {
            Ok(word) => handled.push(word),
            Err(RecvError) => drop(lanes.remove(first)),
        }
    }
}
