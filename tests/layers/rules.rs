//! The rules: each returns the violations in a file, with their lines.

use crate::source::Source;

pub type Rule = fn(&Source) -> Vec<String>;

/// The most lines of a file.
pub const FEW_LINES: usize = 400;

/// The published crates: the folder of their sources, and their layers, from the bottom up. Layers in one
/// line do not use each other.
const CRATES: [(&str, &[&str]); 4] = [
    (
        "pipes/src/",
        &[
            "cache_padded discard state_info",
            "sync",
            "wait",
            "slot",
            "endpoint",
            "broadcast oneshot stream protocol watch",
            "blocking duplex eventual port_set select service shared_port",
            "inspect",
            "remote",
            "__private",
            "proto",
            "lib",
        ],
    ),
    (
        "pipes-macros/src/",
        &[
            "diag side text",
            "names",
            "parse",
            "model",
            "check",
            "expand",
            "lib",
            // Tests of the whole crate.
            "golden exhaustive pictures",
        ],
    ),
    (
        "pipes-skeleton/src/",
        &["sync", "envelope failure", "stage", "gather", "measure", "run", "describe", "data ssp", "lib"],
    ),
    (
        "pipes-remote/src/",
        &[
            // For unit tests.
            "folder",
            "distrust",
            "codec frame runtime security settings status",
            "deadline",
            "handshakes inbox",
            "hello",
            "error",
            "engine",
            "pump refusals",
            "admission dial",
            "site",
            "via",
            "addresses farm",
            "lib",
        ],
    ),
];

/// Files use only layers below their own.
pub fn layers(file: &Source) -> Vec<String> {
    let home = CRATES.iter().find_map(|(home, layers)| Some((file.path.strip_prefix(home)?, layers)));
    let Some((inside, layers)) = home else { return Vec::new() };
    let level = |layer: &str| layers.iter().position(|names| names.split(' ').any(|name| name == layer));
    let mut parts = inside.split(['/', '.']);
    let own = parts.next().unwrap_or_default();
    let nested = inside.contains('/');
    let own_level = level(own).unwrap_or(layers.len());
    let mut found = Vec::new();
    // Elsewhere, the name is that of another crate.
    let own_name = file.path.starts_with("pipes/").then_some("pipes::");
    for (at, name) in roots(&file.code, nested, own_name) {
        if name == own || level(name).is_some_and(|level| level < own_level) {
            continue;
        }
        let named = if level(name).is_some() { name } else { "lib" };
        if own_level < layers.len() - 1 {
            found.push(format!("{}:{}: names `{named}`, which is above `{own}`", file.path, file.line(at)));
        }
    }
    found
}

/// The names behind the crate's root, with their positions.
fn roots<'a>(code: &'a str, nested: bool, own_name: Option<&str>) -> Vec<(usize, &'a str)> {
    let root = if nested { "super::super::" } else { "super::" };
    let prefixes: Vec<&str> = ["crate::", root].into_iter().chain(own_name).collect();
    named(code, &prefixes)
}

/// The names behind one of these prefixes, with their positions.
pub fn named<'a>(code: &'a str, prefixes: &[&str]) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for prefix in prefixes {
        for (at, _) in code.match_indices(prefix) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|it| it == '$' || it == ':' || it == '_' || it.is_alphanumeric()) {
                continue;
            }
            let rest = &code[at + prefix.len()..];
            let names = match rest.strip_prefix('{') {
                Some(group) => members(group),
                None => vec![word(rest)],
            };
            let macro_call = |name: &str| rest[name.len().min(rest.len())..].starts_with('!');
            found.extend(
                names.into_iter().filter(|name| !name.is_empty() && !macro_call(name)).map(|it| (at, it)),
            );
        }
    }
    found
}

/// The first words of the members of a group, up to its closing brace.
fn members(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut names) = (0, 0, Vec::new());
    for (at, it) in group.char_indices() {
        match it {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '}' | ',' if depth == 0 => {
                names.push(word(group[start..at].trim_start()));
                start = at + 1;
                if it == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

/// The word at the beginning of the text.
fn word(text: &str) -> &str {
    &text[..text.find(|it: char| it != '_' && !it.is_alphanumeric()).unwrap_or(text.len())]
}

/// The positions where `wanted` occurs as a whole word in the code.
fn occurrences<'a>(code: &'a str, wanted: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part_of_word = |it: char| it == '_' || it.is_alphanumeric();
    code.match_indices(wanted).map(|(at, _)| at).filter(move |&at| {
        !code[..at].ends_with(part_of_word) && !code[at + wanted.len()..].starts_with(part_of_word)
    })
}

/// Names are generated in one file, so that it can be checked there that no two of them collide.
pub fn names(file: &Source) -> Vec<String> {
    if !file.path.starts_with("pipes-macros/src/") || file.path.ends_with("src/names.rs") {
        return Vec::new();
    }
    let made = ["format_ident!", "Ident::new"].into_iter().flat_map(|made| file.code.match_indices(made));
    made.map(|(at, made)| format!("{}:{}: `{made}` outside of `names`", file.path, file.line(at))).collect()
}

/// Where protocols are written or kept without `proto!`: its recorded output, protocols written by hand, and
/// programs that forbid `unsafe` and must not compile.
const PROTOCOLS: [&str; 6] = [
    // Contains the word because it passes it on to the macro.
    "pipes/src/proto.rs",
    "pipes-macros/golden/",
    "examples/03_ping_pong_by_hand.rs",
    "benches/src/protocol/",
    "benches/channels/src/protocol/",
    "tests/ui/forbidden/",
];

/// `unsafe` is allowed in the slot layer, in `wait` and `sync` below it, and in protocols that keep by hand
/// the promises that `proto!` keeps.
pub fn unsafe_code(file: &Source) -> Vec<String> {
    let homes = ["pipes/src/slot/", "pipes/src/sync/", "pipes/src/wait/"].into_iter().chain(PROTOCOLS);
    if homes.into_iter().any(|home| file.path.starts_with(home)) {
        return Vec::new();
    }
    occurrences(&file.code, "unsafe").map(|at| format!("{}:{}: `unsafe`", file.path, file.line(at))).collect()
}

/// A file that is too long has more than one purpose. The facade of the pipelines is only a facade.
pub fn length(file: &Source) -> Vec<String> {
    let lines = file.text.lines().count();
    let most = if file.path == "pipes-skeleton/src/sync.rs" { 100 } else { FEW_LINES };
    if lines <= most { Vec::new() } else { vec![format!("{}:{lines}: too long", file.path)] }
}

/// Unit tests are exempt: they are not part of the library, and the models do not run them.
fn is_test(file: &Source) -> bool {
    file.path.ends_with("/tests.rs")
}

/// Each use of an ordering has a comment that says why it is enough.
pub fn orderings(file: &Source) -> Vec<String> {
    let homes = ["pipes/src/slot/", "pipes/src/sync/", "pipes/src/wait/", "pipes-skeleton/src/"];
    let own = homes.iter().any(|home| file.path.starts_with(home));
    if !own || is_test(file) {
        return Vec::new();
    }
    let text: Vec<_> = file.text.lines().collect();
    let bare = |(index, line): (usize, &str)| {
        let argued = || text[index.saturating_sub(6)..index].iter().any(|above| above.contains("ORDERING:"));
        (line.contains("Ordering::") && !argued()).then(|| {
            format!("{}:{}: `Ordering::` without an `ORDERING:` comment above it", file.path, index + 1)
        })
    };
    file.code.lines().enumerate().filter_map(bare).collect()
}

/// Atomics, locks and threads come from `sync` only, so that the models can replace them.
pub fn facade(file: &Source) -> Vec<String> {
    let inside = ["pipes/src/", "pipes-skeleton/src/"].iter().find_map(|home| file.path.strip_prefix(home));
    let above = inside.is_some_and(|inside| !inside.starts_with("sync/") && inside != "sync.rs");
    if !above || is_test(file) {
        return Vec::new();
    }
    let grouped = file.code.match_indices("std::{").flat_map(|(at, prefix)| {
        members(&file.code[at + prefix.len()..]).into_iter().map(move |name| (at, name))
    });
    let mut found: Vec<usize> =
        grouped.filter(|(_, name)| ["sync", "thread"].contains(name)).map(|(at, _)| at).collect();
    for name in ["std::sync", "std::thread", "loom", "shuttle"] {
        found.extend(occurrences(&file.code, name));
    }
    found.into_iter().map(|at| format!("{}:{}: go through `sync`", file.path, file.line(at))).collect()
}

/// Only one file puts threads to sleep.
pub fn parking(file: &Source) -> Vec<String> {
    if !file.path.starts_with("pipes/src/") || file.path == "pipes/src/wait/park.rs" {
        return Vec::new();
    }
    let parks = named(&file.code, &["crate::sync::"]).into_iter().filter(|(_, name)| *name == "park");
    parks.map(|(at, _)| format!("{}:{}: parks outside of `wait/park.rs`", file.path, file.line(at))).collect()
}

/// The panic hook belongs to the program, and is the same for all its threads.
pub fn panic_hook(file: &Source) -> Vec<String> {
    if !["pipes/src/", "pipes-skeleton/src/"].iter().any(|home| file.path.starts_with(home)) {
        return Vec::new();
    }
    let named = ["set_hook", "take_hook"].into_iter().flat_map(|name| occurrences(&file.code, name));
    named.map(|at| format!("{}:{}: changes the panic hook", file.path, file.line(at))).collect()
}
