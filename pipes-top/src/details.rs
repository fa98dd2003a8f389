//! All that is known of one thread.

use crate::links::Links;
use crate::model::{Key, Processes};
use crate::rows::duration;
use crate::snapshot::{Held, Wait};
use std::fmt::Write;

/// Returns the details of a thread or a task, as lines: those of its deadlock first.
pub fn text(processes: &Processes, key: &Key) -> String {
    let links = processes.links();
    let found = processes.find(key).and_then(|place| Some((place, links.sleeper(place)?)));
    let Some((place, sleeper)) = found else {
        return "this thread no longer sleeps".to_owned();
    };
    let deadlocks = processes.deadlocks.iter().filter(|it| it.members.contains(&place));
    let mut text: String = deadlocks.map(|it| it.report.clone() + "\n").collect();
    let name = sleeper.name.as_ref().map_or("without a name".to_owned(), |name| format!("'{name}'"));
    let left = sleeper.time_left.map_or("no limit".to_owned(), |left| format!("{} more", duration(left)));
    let woken = if sleeper.is_woken { ", just woken" } else { "" };
    let _never = write!(
        text,
        "process    {}\n{:<9}  {name}, {}\nsleeps at  {}\nasleep     {}, {left}{woken}\n\nIt waits for",
        processes.all[place.0].path,
        sleeper.kind.noun(),
        sleeper.number(),
        sleeper.location,
        duration(sleeper.asleep),
    );
    for wait in &sleeper.waits_for {
        describe(wait, place.0, processes, &links, &mut text);
    }
    let unnamed = if sleeper.waits_for.is_empty() { "a future" } else { "something else" };
    match sleeper.something_else(unnamed) {
        Some(other) => text.push_str(&format!("\n- {other}")),
        None if sleeper.waits_for.is_empty() => text.push_str("\n- nothing: it has no channel to wait for"),
        None => {}
    }
    text.push('\n');
    text
}

/// Writes an item of the list of what a thread of this process waits for.
fn describe(wait: &Wait, process: usize, processes: &Processes, links: &Links<'_>, text: &mut String) {
    let session = match (&wait.protocol, &wait.state) {
        (Some(protocol), Some(state)) => format!(", protocol {protocol} in state {state}"),
        _ => String::new(),
    };
    let _never = write!(text, "\n- {wait}\n  channel {}{session}", wait.channel);
    if let Some(future) = &wait.future {
        let _never = write!(text, "\n  the future that waits was made at {future}");
    }
    let before = text.len();
    let path = |other: usize| match &processes.all[other].path {
        path if other != process => format!(", in process {path},"),
        _ => String::new(),
    };
    for (user, id) in links.last_users(process, wait) {
        let which = links.find(user, id).and_then(|place| links.sleeper(place));
        let who = match which {
            Some(it) => format!("{}, which sleeps at {}", it.described(), it.location),
            None => format!("{id}, which does not sleep here"),
        };
        let _never = write!(text, "\n  the other end{} was last used by {who}", path(user));
    }
    for (place, _) in links.at_other_end(process, wait) {
        if let Some(it) = links.sleeper(place) {
            let (who, at) = (it.described(), &it.location);
            let _never = write!(text, "\n  at the other end{} sleeps {who} (at {at})", path(place.0));
        }
    }
    for place in wait.other_side.iter().map(|sleeper| (process, *sleeper)) {
        if let Some(it) = links.sleeper(place) {
            let (who, at, asleep) = (it.described(), &it.location, duration(it.asleep));
            let _never = write!(text, "\n  the other side is {who}, which has slept at {at} for {asleep}");
        }
    }
    if let Some(held) = &wait.held {
        let _never = write!(text, "\n  the other end is {}", where_held(held));
    } else if text.len() == before {
        text.push_str("\n  no thread sleeps at the other end; its owner is unknown");
    }
}

/// Says where an end lies that no thread or task has.
fn where_held(held: &Held) -> String {
    let channel = held.channel.map_or(String::new(), |channel| format!(" in channel {channel}"));
    match &held.link {
        Some(link) => format!("in another process: {link}"),
        None if held.listener().is_some() => format!("not accepted yet{channel}"),
        None => format!("held by a {}{channel}", held.by),
    }
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::ask::Answer;
    use crate::deadlocks::tests::{processes, services};
    use crate::model::Processes;
    use crate::snapshot::Snapshot;
    use serde_json::json;

    const DEADLOCK: &str = r#"{"version":1,"sleepers":[
        {"id":"ThreadId(2)","name":"till","location":"src/till.rs:4:9","asleep_us":7000000,"time_left_us":2000000,
         "waits_for":[{"awaited":"message","end":"bank::Client<Answer>","channel":96,"protocol":"bank",
            "state":"Answer","sender":"server","messages":["ok","refused"],"other_side":[1],
            "last_users":["ThreadId(3)","ThreadId(9)"]}],
         "waits_for_other":true},
        {"id":"ThreadId(3)","name":null,"location":"src/bank.rs:5:9","asleep_us":3000000,"time_left_us":null,
         "waits_for":[],"waits_for_other":false,"is_woken":true}]}"#;

    #[test]
    fn a_thread_is_described_with_those_at_the_other_side() {
        let snapshot = Snapshot::read(DEADLOCK).expect("it is a snapshot");
        let shop = Processes::new(&["/run/shop".into()], vec![Ok(Answer { json: String::new(), snapshot })]);
        let wanted = "\
process    /run/shop
thread     'till', ThreadId(2)
sleeps at  src/till.rs:4:9
asleep     7.0 s, 2.0 s more

It waits for
- a message at bank::Client<Answer>: the server sends `ok` or `refused`
  channel 96, protocol bank in state Answer
  the other end was last used by thread ThreadId(3), which sleeps at src/bank.rs:5:9
  the other end was last used by ThreadId(9), which does not sleep here
  the other side is thread ThreadId(3), which has slept at src/bank.rs:5:9 for 3.0 s
- something else
";
        assert_eq!(text(&shop, &(0, "ThreadId(2)".to_owned())), wanted);
        let nothing = text(&shop, &(0, "ThreadId(3)".to_owned()));
        assert!(nothing.contains("thread     without a name, ThreadId(3)"));
        assert!(nothing.contains("asleep     3.0 s, no limit, just woken"));
        assert!(nothing.ends_with("\n- nothing: it has no channel to wait for\n"));
        assert_eq!(text(&shop, &(0, "ThreadId(4)".to_owned())), "this thread no longer sleeps");
    }

    #[test]
    fn those_at_the_other_end_of_a_connection_are_in_another_process() {
        let [till, bank] = services();
        let key = (0, "till".to_owned());
        let suspected = processes(&[till.clone(), bank.clone()]);
        let said = text(&suspected, &key);
        let report = &suspected.deadlocks[0].report;
        let rest = said.strip_prefix(&**report).expect("the report comes first");
        assert!(rest.starts_with("\nprocess    /run/0\nthread     'till', till\n"), "{rest}");
        let owner = "in process /run/1, was last used by thread 'bank', which sleeps at src/bank.rs:1:2\n";
        assert!(rest.contains(&format!("\n  the other end, {owner}")), "{rest}");
        assert!(rest.ends_with("\n  the other end is in another process: one\n"), "{rest}");

        let mut both = bank;
        both["sleepers"][0]["kind"] = "task".into();
        both["sleepers"][0]["waits_for"][0]["held"]["link"] = "one".into();
        let said = text(&processes(&[till, both]), &key);
        let sleeps = "at the other end, in process /run/1, sleeps task 'bank' (at src/bank.rs:1:2)";
        assert!(said.contains(&format!("\n  {sleeps}\n")), "{said}");
    }

    #[test]
    fn what_holds_an_end_is_said() {
        for (held, said) in [
            (json!({"by": "message", "channel": 9, "link": null}), "held by a message in channel 9"),
            (json!({"by": "set"}), "held by a set"),
            (json!({"by": "listener", "channel": 9}), "not accepted yet in channel 9"),
        ] {
            let [mut till, _] = services();
            till["sleepers"][0]["waits_for"][0]["held"] = held;
            let text = text(&processes(&[till]), &(0, "till".to_owned()));
            assert!(text.ends_with(&format!("\n  the other end is {said}\n")), "{text}");
        }
    }
}
