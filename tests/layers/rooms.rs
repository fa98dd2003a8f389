//! Rooms: folders whose files build on each other in one order.

use crate::rules;
use crate::source::Source;

/// A folder, and its files and folders in order: each uses only those before it.
struct Room {
    folder: &'static str,
    files: &'static [&'static str],
}

const ROOMS: [Room; 12] = [
    Room {
        folder: "slot",
        files: &[
            "impossible",
            "payload",
            "outgoing",
            "received",
            "waiter",
            "seat",
            "record",
            "wait",
            "ready",
            "pipe",
            "bounded",
            "shared",
            "tray",
        ],
    },
    Room { folder: "slot/ready", files: &["state", "token", "turns", "list", "member"] },
    Room {
        folder: "slot/pipe",
        files: &[
            "message",
            "state",
            "kind",
            "slot",
            "chain",
            "memory",
            "half",
            "policy",
            "send",
            "recv",
            "run",
            "at_slot",
            "role",
            "typed_state",
            "session",
            "flow",
            "once",
        ],
    },
    Room {
        folder: "slot/bounded",
        files: &["state", "buffer", "end", "close", "send", "rendezvous", "recv", "run"],
    },
    Room {
        folder: "slot/shared",
        files: &["state", "block", "visits", "tail", "shelf", "call", "queue", "send", "weak", "recv", "run"],
    },
    Room {
        folder: "endpoint",
        files: &[
            "error",
            "send_error",
            "wakers",
            "closing",
            "budget",
            "receive",
            "send_arm",
            "conversions",
            "member",
            "macros",
            "any_macro",
            "port_macros",
        ],
    },
    Room { folder: "service", files: &["sessions", "connector", "listener"] },
    Room { folder: "remote", files: &["fault", "link", "window", "relay", "via", "macros", "accepting"] },
    Room {
        folder: "skeleton",
        files: &["failure", "envelope", "stage", "gather", "measure", "run", "describe", "data", "ssp"],
    },
    Room {
        folder: "skeleton/measure",
        files: &["histogram", "process", "probe", "report", "metrics", "stamps"],
    },
    Room {
        folder: "skeleton/run",
        files: &[
            "station", "crew", "thread", "recv", "front", "places", "lane", "outlet", "supply", "origin",
            "work",
        ],
    },
    Room {
        folder: "skeleton/describe",
        files: &[
            "cancel",
            "plan",
            "rate",
            "pace",
            "batch",
            "pipeline",
            "adapters",
            "schedule",
            "setting",
            "source",
            "nested",
            "concurrent",
            "running",
            "items",
            "sink",
            "posted",
        ],
    },
];

/// A file uses only the files of its room that come before it, and never the room's `mod.rs`. Tests may use
/// all.
pub fn order(file: &Source) -> Vec<String> {
    let inside = file.path.strip_prefix("pipes/src/").filter(|path| !path.ends_with("tests.rs"));
    let Some(inside) = inside else { return Vec::new() };
    let path = |room: &Room| inside.strip_prefix(room.folder)?.strip_prefix('/').map(str::to_owned);
    ROOMS
        .iter()
        .filter_map(|room| Some((room, path(room)?)))
        .flat_map(|(room, path)| in_room(file, room, &path))
        .collect()
}

fn in_room(file: &Source, room: &Room, inside: &str) -> Vec<String> {
    let own = inside.split(['/', '.']).next().unwrap_or_default();
    if own == "mod" {
        return Vec::new();
    }
    let place = |name: &str| room.files.iter().position(|it| *it == name);
    let Some(own_place) = place(own) else {
        return vec![format!("{}: the order of its room does not have it", file.path)];
    };
    let path = format!("crate::{}::", room.folder.replace('/', "::"));
    // `super` is the room only in files directly in its folder.
    let prefixes = if inside.contains('/') { &[&*path][..] } else { &[&*path, "super::"] };
    let code = file.code.split("\nmod tests {").next().unwrap_or_default();
    rules::named(code, prefixes)
        .into_iter()
        .filter(|(_, name)| *name != own && place(name).is_none_or(|place| place > own_place))
        .map(|(at, name)| format!("{}:{}: names `{name}`, which is above `{own}`", file.path, file.line(at)))
        .collect()
}
