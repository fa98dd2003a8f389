//! A chat room: members in threads and in tasks, slow ones who learn how much they have missed, a moderator
//! whose commands come first, and reasons for those who are sent away.
//!
//!     cargo run --example chat
//!
//! In a session one side speaks at a time, and inside the room that is the member. So a member brings an
//! inbox, into which the room sends at any time. It is a lagging one: the room does not wait for a slow
//! member, does not grow with what is unread, and its last message always arrives.

use membership::{Client, Door, Inside, Outside};
use moderation::{Answer, Idle};
use pipes::{Closed, Lagged, LaggingChan, LaggingPort, Listener, Port, PortSet, RecvError};
use pipes::{block_on, broadcast_lagging, listen, select, select_async, stream};
use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::thread;
use tokio::runtime::Runtime;

/// Every member gets every line, so a copy must be cheap.
type Text = Arc<str>;
type Failed = Box<dyn Error + Send + Sync>;

pipes::proto! {
    /// A member and the room. At the door the room speaks, so who is refused learns the reason there.
    membership {
        outside: send { join(name: Text, inbox: LaggingChan<Event>) -> door }
        door: recv { welcome -> inside, refused(reason: Text) -> ! }
        inside: send { say(Text) -> inside, leave -> ! }
    }

    /// The moderator and the room. Who is kicked cannot come back.
    moderation {
        idle: send { kick(name: Text, reason: Text) -> answer, close(reason: Text) -> ! }
        answer: recv { done(was_inside: bool) -> idle }
    }
}

/// What is in an inbox.
#[derive(Clone)]
enum Event {
    Said(Text),
    /// The room ends the session. This is the last event.
    SentAway(Text),
}

/// The room: serves until the moderator closes it, or all have left. Returns how many lines were said.
fn serve(mut listener: Listener<membership::Protocol>, moderator: moderation::Server<Idle>) -> usize {
    // The moderator's session may end before the loop does, and a variable has to hold an endpoint in each
    // round. So the endpoint is the only member of a set, which may be empty.
    let (mut moderators, mut newcomers, mut members) = (PortSet::new(), PortSet::new(), PortSet::default());
    moderators.insert(moderator);
    let mut inboxes: BTreeMap<Text, LaggingChan<Event>> = BTreeMap::new();
    let (mut open, mut banned, mut lines) = (true, BTreeMap::new(), 0);
    let reason = loop {
        select! {
            biased;
            command = moderators, if !moderators.is_empty() => match command.expect("there is one").1 {
                Ok(Idle::Kick(name, reason, answer)) => {
                    // What the member has said and the room has not read is dropped with its endpoint.
                    drop(members.remove(&name));
                    let inbox = inboxes.remove(&name);
                    tell(&inbox, &Event::SentAway(reason.clone()));
                    banned.insert(name, reason);
                    if let Ok(next) = answer.done(inbox.is_some()) {
                        moderators.insert(next);
                    }
                }
                Ok(Idle::Close(reason)) => break reason,
                // The moderator has left. The room goes on.
                Err(Closed) => {}
            },
            newcomer = listener, if open => match newcomer {
                Ok(newcomer) => drop(newcomers.insert(newcomer)),
                Err(RecvError) => open = false,
            },
            newcomer = newcomers, if !newcomers.is_empty() => match newcomer.expect("there is one").1 {
                Ok(Outside::Join(name, inbox, door)) => {
                    let taken = inboxes.contains_key(&name).then(|| "the name is taken".into());
                    if let Some(reason) = banned.get(&name).cloned().or(taken) {
                        let _ = door.refused(reason);
                    } else if let Ok(member) = door.welcome() {
                        members.insert_at(name.clone(), member);
                        inboxes.insert(name, inbox);
                    }
                }
                // This one has left without a word.
                Err(Closed) => {}
            },
            turn = members, if !members.is_empty() => match turn.expect("there is one") {
                (name, Ok(Inside::Say(words, member))) => {
                    lines += 1;
                    tell(inboxes.values(), &Event::Said(format!("{name}: {words}").into()));
                    members.insert_at(name, member);
                }
                (name, Ok(Inside::Leave) | Err(Closed)) => drop(inboxes.remove(&name)),
            },
            else => break "all have left".into(),
        }
    };
    tell(inboxes.values(), &Event::SentAway(reason));
    lines
}

/// Never waits. A send fails if the member has left, which its endpoint reports, too.
fn tell<'a>(inboxes: impl IntoIterator<Item = &'a LaggingChan<Event>>, event: &Event) {
    for inbox in inboxes {
        let _ = inbox.send(event.clone());
    }
}

/// The lines that a member has heard, how many it has missed, and why it was sent away, if it was.
type Report = (Vec<Text>, u64, Option<Text>);

/// One body for threads and tasks: says what is typed, notes what it hears, and leaves when the keyboard
/// ends.
async fn chat(mut room: Client<Inside>, mut inbox: LaggingPort<Event>, mut keyboard: Port<Text>) -> Report {
    let (mut heard, mut missed, mut reason) = (Vec::new(), 0, None);
    let mut note = |event| match event {
        Ok(Event::Said(line)) => heard.push(line),
        Ok(Event::SentAway(why)) => reason = Some(why),
        Err(Lagged(count)) => missed += count,
    };
    loop {
        select_async! {
            words = keyboard => {
                let Ok(words) = words else {
                    let _ = room.leave();
                    break;
                };
                // After an error the room has ended the session, and the inbox says why.
                let Ok(next) = room.say(words) else { break };
                room = next;
            }
            event = inbox => match event {
                Ok(event) => note(event),
                Err(RecvError) => break,
            },
        }
    }
    // What is left in the inbox, up to the last event.
    while let Ok(event) = inbox.recv_async().await {
        note(event);
    }
    (heard, missed, reason)
}

fn main() -> Result<(), Failed> {
    // The type is written because `connect` comes first.
    let (connector, listener) = listen::<membership::Protocol>();
    let (moderator, desk) = moderation::pipe();

    // Eve is at the door before the moderator speaks. The command is served first, all the same.
    let eve = connector.connect()?.join("eve".into(), broadcast_lagging(1).0)?;
    let asked = moderator.kick("eve".into(), "not again".into())?;
    let room = thread::spawn(|| serve(listener, desk));
    let Answer::Done(was_inside, moderator) = asked.recv()?;
    assert!(!was_inside && matches!(eve.recv()?, Door::Refused(reason) if &*reason == "not again"));

    // All enter before the first line is said, so that the numbers are the same in each run.
    let enter = |name: &str, capacity| -> Result<_, Failed> {
        let (chan, inbox) = broadcast_lagging(capacity);
        match connector.connect()?.join(name.into(), chan)?.recv()? {
            Door::Welcome(room) => Ok((room, inbox)),
            Door::Refused(reason) => Err(format!("{name}: {reason}").into()),
        }
    };
    let begin = |name, capacity| -> Result<_, Failed> {
        let ((room, inbox), (keys, keyboard)) = (enter(name, capacity)?, stream());
        Ok((keys, chat(room, inbox, keyboard)))
    };
    let (mut ada_types, ada) = begin("ada", 100)?;
    let (mut ben_types, ben) = begin("ben", 100)?;
    let (mut cleo_types, cleo) = begin("cleo", 100)?;
    let (_, slow) = begin("slow", 4)?;
    // This thread only listens, to know what was said.
    let (_here, mut screen) = enter("here", 100)?;

    let runtime = Runtime::new()?;
    let ada = thread::spawn(|| block_on(ada));
    let (ben, cleo) = (runtime.spawn(ben), runtime.spawn(cleo));
    ada_types.send("hello".into())?;
    ben_types.send("hello".into())?;
    cleo_types.send("buy this".into())?;
    assert_eq!(screen.iter().take(3).count(), 3);
    let asked = moderator.kick("cleo".into(), "no advertising".into())?;
    let Answer::Done(was_inside, moderator) = asked.recv()?;
    assert!(was_inside);
    // Ben leaves, and has gone when ada goes on.
    drop(ben_types);
    let (ben, cleo) = (runtime.block_on(ben)?, runtime.block_on(cleo)?);
    for number in 1..=10 {
        ada_types.send(format!("line {number}").into())?;
    }
    // The end would overtake lines that the room has not read, so it waits until all are on the screen.
    assert_eq!(screen.iter().take(10).count(), 10);
    moderator.close("good night".into())?;
    let lines = room.join().expect("the room does not panic");
    let ada = ada.join().expect("it does not panic");
    // The slow member is a thread, too, and looks into its inbox only now.
    let slow = thread::spawn(|| block_on(slow)).join().expect("it does not panic");

    println!("{lines} lines were said");
    assert_eq!(slow.0, ["ada: line 8", "ada: line 9", "ada: line 10"].map(Text::from));
    for (name, (heard, missed, reason), expected) in [
        ("ada", ada, (13, 0, Some("good night"))),
        ("ben", ben, (3, 0, None)),
        ("cleo", cleo, (3, 0, Some("no advertising"))),
        ("slow", slow, (3, 10, Some("good night"))),
    ] {
        let (heard, reason) = (heard.len(), reason.as_deref());
        println!("{name} heard {heard} and missed {missed}: {}", reason.unwrap_or("left"));
        assert_eq!((heard, missed, reason), expected);
    }
    Ok(())
}
