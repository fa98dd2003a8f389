//! Rooms: folders whose files build on each other in one order.

use crate::rules;
use crate::source::Source;

/// A folder, and its files and folders in order: each uses only those before it.
struct Room {
    folder: &'static str,
    files: &'static str,
}

const ROOMS: [Room; 15] = [
    Room {
        folder: "pipes/src/wait",
        files: "ends running living polled table uses noted_polls pending in_transit rings steps wake_flag sleepers park spin waiter waiter_cell shared_waiter waitable wakers waiters budget",
    },
    Room {
        folder: "pipes/src/slot",
        files: "cache impossible payload outgoing received ready pipe bounded broadcast shared prefetch",
    },
    Room { folder: "pipes/src/slot/ready", files: "state token turns list member" },
    Room {
        folder: "pipes/src/slot/pipe",
        files: "message state kind slot chain memory half policy send recv run waiting role state_trait \
                session stream oneshot",
    },
    Room { folder: "pipes/src/slot/bounded", files: "state buffer end close send recv run" },
    Room {
        folder: "pipes/src/slot/shared",
        files: "state semaphore adders block pins tail block_cache receiver_waiter queue send weak recv \
                run",
    },
    Room {
        folder: "pipes/src/endpoint",
        files: "error send_error closing receive send_arm conversions in_state session_error member macros \
                states_macro any_macro port_macros",
    },
    Room { folder: "pipes/src/slot/broadcast", files: "state place claimed locked ring receiver" },
    Room { folder: "pipes/src/broadcast", files: "send port chan arm" },
    Room { folder: "pipes/src/watch", files: "cell port chan" },
    Room { folder: "pipes/src/service", files: "sessions connector listener" },
    Room {
        folder: "pipes/src/remote",
        files: "fault fingerprint peer link window relay via macros named_pipe accepting",
    },
    Room { folder: "pipes-skeleton/src/measure", files: "histogram probe report metrics" },
    Room {
        folder: "pipes-skeleton/src/run",
        files: "stage_info setting stopped threads spawn recv receiver permits stamps edge output input work joined gathering \
                upstream",
    },
    Room {
        folder: "pipes-skeleton/src/describe",
        files: "cancel plan pace batch place pipeline adapters schedule gathering setting explain source readers \
                nested concurrent running items sink files posted",
    },
];

/// A file uses only the files of its room that come before it, and never the room's `mod.rs`. Tests may use
/// all.
pub fn order(file: &Source) -> Vec<String> {
    if file.path.ends_with("tests.rs") {
        return Vec::new();
    }
    let path = |room: &Room| file.path.strip_prefix(room.folder)?.strip_prefix('/').map(str::to_owned);
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
    let place = |name: &str| room.files.split_whitespace().position(|it| it == name);
    let Some(own_place) = place(own) else {
        return vec![format!("{}: the order of its room does not have it", file.path)];
    };
    let (_, folder) = room.folder.split_once("/src/").expect("it lies in a crate");
    let path = format!("crate::{}::", folder.replace('/', "::"));
    // `super` is the room only in files directly in its folder.
    let prefixes = if inside.contains('/') { &[&*path][..] } else { &[&*path, "super::"] };
    let code = file.code.split("\nmod tests {").next().unwrap_or_default();
    rules::named(code, prefixes)
        .into_iter()
        .filter(|(_, name)| *name != own && place(name).is_none_or(|place| place > own_place))
        .map(|(at, name)| format!("{}:{}: names `{name}`, which is above `{own}`", file.path, file.line(at)))
        .collect()
}
