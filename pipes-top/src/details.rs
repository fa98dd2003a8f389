//! All that is known of one thread.

use crate::model::{Key, Processes, duration};
use crate::snapshot::{Snapshot, Thread, Wait};
use std::fmt::Write;

/// Returns the details of a thread, as lines.
pub fn text(processes: &Processes, key: &Key) -> String {
    let Some((thread, snapshot)) = processes.find(key) else {
        return "this thread no longer sleeps".to_owned();
    };
    let name = thread.name.as_ref().map_or("without a name".to_owned(), |name| format!("'{name}'"));
    let left = thread.time_left.map_or("no limit".to_owned(), |left| format!("{} more", duration(left)));
    let woken = if thread.is_woken { ", just woken" } else { "" };
    let mut text = format!(
        "process    {}\nthread     {name}, {}\nsleeps at  {}\nasleep     {}, {left}{woken}\n\nIt waits for",
        processes.0[key.0].path,
        thread.id,
        thread.location,
        duration(thread.asleep),
    );
    for wait in &thread.waits_for {
        describe(wait, snapshot, &mut text);
    }
    text.push_str(match (thread.waits_for_other, &*thread.waits_for) {
        (true, []) => "\n- a future",
        (true, _) => "\n- something else",
        (false, []) => "\n- nothing: it has no channel to wait for",
        (false, _) => "",
    });
    text.push('\n');
    text
}

/// Writes an item of the list of what the thread waits for.
fn describe(wait: &Wait, snapshot: &Snapshot, text: &mut String) {
    let session = match (&wait.protocol, &wait.state) {
        (Some(protocol), Some(state)) => format!(", protocol {protocol} in state {state}"),
        _ => String::new(),
    };
    let _never = write!(text, "\n- {wait}\n  channel {}{session}", wait.channel);
    let others: Vec<_> = wait.other_side.iter().filter_map(|place| snapshot.threads.get(*place)).collect();
    if others.is_empty() && wait.last_users.is_empty() {
        text.push_str("\n  no thread sleeps at the other end; its owner is unknown");
    }
    for id in &wait.last_users {
        let _never = match snapshot.threads.iter().find(|thread| &thread.id == id) {
            Some(Thread { name: Some(name), location, .. }) => {
                write!(text, "\n  the other end was last used by thread '{name}', which sleeps at {location}")
            }
            Some(Thread { location, .. }) => {
                write!(text, "\n  the other end was last used by thread {id}, which sleeps at {location}")
            }
            None => write!(text, "\n  the other end was last used by thread {id}, which does not sleep here"),
        };
    }
    for Thread { id, name, location, asleep, .. } in others {
        let name = name.as_ref().map_or(id.to_string(), |name| format!("'{name}'"));
        let asleep = duration(*asleep);
        let _never =
            write!(text, "\n  the other side is thread {name}, which has slept at {location} for {asleep}");
    }
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::ask::Answer;
    use crate::model::Processes;
    use crate::snapshot::Snapshot;

    const DEADLOCK: &str = r#"{"version":1,"threads":[
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
  the other end was last used by thread ThreadId(9), which does not sleep here
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
}
