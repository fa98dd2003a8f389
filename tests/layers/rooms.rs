//! The rooms: folders whose files build on each other in one order.

use crate::rules;
use crate::source::Source;

/// A folder, how its files name each other, and the files in order: each uses only those before it.
struct Room {
    folder: &'static str,
    prefix: &'static str,
    files: &'static [&'static str],
}

const ROOMS: [Room; 5] = [
    Room {
        folder: "pipes/src/slot/",
        prefix: "crate::slot::",
        files: &["impossible", "received", "waiter", "record", "wait", "ready", "pipe", "bounded", "shared"],
    },
    Room {
        folder: "pipes/src/slot/ready/",
        prefix: "super::",
        files: &["state", "token", "queue", "list", "member"],
    },
    Room {
        folder: "pipes/src/slot/pipe/",
        prefix: "super::",
        files: &[
            "message", "state", "kind", "slot", "chain", "memory", "half", "policy", "send", "recv",
            "at_slot", "role", "session", "flow",
        ],
    },
    Room {
        folder: "pipes/src/slot/bounded/",
        prefix: "super::",
        files: &["state", "queue", "end", "close", "send", "rendezvous", "recv"],
    },
    Room {
        folder: "pipes/src/slot/shared/",
        prefix: "super::",
        files: &["state", "block", "visits", "tail", "shelf", "call", "queue", "send", "recv"],
    },
];

/// A file uses those of its room that come before it, and what lies in the room's `mod.rs` not at all. Tests use what they like.
pub fn order(file: &Source) -> Vec<String> {
    if file.path.ends_with("tests.rs") {
        return Vec::new();
    }
    ROOMS.iter().flat_map(|room| in_room(file, room)).collect()
}

fn in_room(file: &Source, room: &Room) -> Vec<String> {
    let Some(inside) = file.path.strip_prefix(room.folder) else { return Vec::new() };
    // `super` is the room in its own files only.
    if room.prefix == "super::" && inside.contains('/') {
        return Vec::new();
    }
    let own = inside.split(['/', '.']).next().unwrap_or_default();
    if own == "mod" {
        return Vec::new();
    }
    let place = |name: &str| room.files.iter().position(|it| *it == name);
    let Some(own_place) = place(own) else {
        return vec![format!("{}: its room's order does not have it", file.path)];
    };
    rules::named(&file.code, &[room.prefix])
        .into_iter()
        .filter(|(_, name)| *name != own && place(name).is_none_or(|place| place > own_place))
        .map(|(at, name)| format!("{}:{}: names `{name}`, which is above `{own}`", file.path, file.line(at)))
        .collect()
}
