//! Rules about the source that the compiler does not enforce.

mod docs;
mod history;
mod platforms;
mod rooms;
mod rules;
mod source;
mod workflow;
mod workspaces;

use rules::{FEW_LINES, Rule};
use source::{Source, root, workspace};

/// Applies a rule to the whole workspace.
#[track_caller]
fn enforce(rule: Rule) {
    let files = workspace();
    assert!(files.iter().any(|file| file.path == "pipes/src/slot/pipe/state.rs"), "the sources were found");
    let found: Vec<_> = files.iter().flat_map(rule).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// What a rule says of a text as a file of this path.
fn of(rule: Rule, path: &str, text: &str) -> Vec<String> {
    rule(&Source::new(path.to_owned(), text.to_owned()))
}

#[test]
fn no_file_names_a_layer_above_its_own() {
    enforce(rules::layers);
}

#[test]
fn files_of_a_room_build_on_each_other_in_one_order() {
    enforce(rooms::order);
}

#[test]
fn names_are_generated_in_one_file() {
    enforce(rules::names);
}

#[test]
fn unsafe_code_is_in_slot_and_sync_only() {
    enforce(rules::unsafe_code);
}

#[test]
fn files_are_short() {
    enforce(rules::length);
}

#[test]
fn every_ordering_is_argued() {
    enforce(rules::orderings);
}

#[test]
fn threads_and_atomics_come_from_the_facade() {
    enforce(rules::facade);
}

#[test]
fn threads_park_in_one_file() {
    enforce(rules::parking);
}

#[test]
fn the_panic_hook_is_left_alone() {
    enforce(rules::panic_hook);
}

#[test]
fn what_happened_to_others_is_caught_here() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).ok();
    let text = read("tests/HISTORY.md").expect("the document is there");
    let found = history::problems(&text, &read);
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn code_in_the_documentation_is_narrow() {
    let published =
        |file: &&source::Source| ["pipes/", "pipes-skeleton/"].iter().any(|it| file.path.starts_with(it));
    let sources = workspace().iter().filter(published);
    let mut files: Vec<_> = sources.map(|file| (file.path.clone(), file.text.clone())).collect();
    for folder in [".", "pipes/docs", "pipes/docs/guide", "pipes-skeleton", "pipes-skeleton/docs"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            if path.extension().is_some_and(|kind| kind == "md") {
                let text = std::fs::read_to_string(&path).expect("it was listed");
                files.push((path.display().to_string(), text));
            }
        }
    }
    let found: Vec<_> = files.iter().flat_map(|(path, text)| docs::problems(path, text)).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn what_blocks_knows_its_caller() {
    enforce(docs::unknown_callers);
}

#[test]
fn comments_are_narrow() {
    enforce(docs::wide_comments);
}

#[test]
fn documents_and_scripts_are_narrow() {
    let found: Vec<_> =
        docs::documents().iter().flat_map(|(path, text)| docs::wide_prose(path, text)).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn pages_for_contributors_are_short() {
    let pages = docs::documents();
    let decisions = pages.iter().filter(|(path, _)| path.ends_with("src/README.md"));
    assert!(decisions.count() >= 5, "the pages beside the code were found");
    let found: Vec<_> = pages.iter().filter_map(|(path, text)| docs::too_long(path, text)).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn the_rules_about_width_notice() {
    let (narrow, wide) = ("x ".repeat(52), "x ".repeat(60));
    let rust = |text: &str| docs::wide_comments(&Source::new("a.rs".to_owned(), text.to_owned()));
    assert_eq!(rust(&format!("//! {wide}\nfn f() {{\n    // {wide}\n}}\n/// {wide}\n")).len(), 3);
    assert_eq!(rust(&format!("//! {narrow}\n//! | {wide} |\nlet x = \"{wide}\";\n")), [""; 0]);
    assert_eq!(docs::wide_prose("a.md", &format!("{wide}\n\n- {wide}\n")).len(), 2);
    assert_eq!(docs::wide_prose("a.md", &format!("| {wide} |\n```text\n{wide}\n```\n{narrow}\n")), [""; 0]);
    assert_eq!(docs::wide_prose("a.sh", &format!("# {wide}\necho {wide}\n")).len(), 1);
}

#[test]
fn the_rule_about_length_of_pages_notices() {
    let words = |count: usize| "word ".repeat(count);
    for (path, most) in [("ARCHITECTURE.md", 2500), ("a/src/README.md", 1800), ("a/src/b/README.md", 1800)] {
        assert_eq!(docs::too_long(path, &words(most)), None);
        assert!(docs::too_long(path, &words(most + 1)).is_some(), "{path}");
    }
    for path in ["README.md", "a/README.md", "a/src/b.md", "CHANGELOG.md"] {
        assert_eq!(docs::too_long(path, &words(9000)), None);
    }
}

#[test]
fn the_rule_about_documentation_notices() {
    let wide = "x".repeat(91);
    assert_eq!(docs::problems("a.rs", &format!("/// ```\n/// {wide}\n/// ```\n")).len(), 1);
    assert_eq!(docs::problems("a.md", &format!("```\n# {wide}\n{wide}\n```\n{wide}\n")).len(), 1);
    assert_eq!(docs::problems("a.md", &format!("```text\n{wide}\n```\n")).len(), 0);
}

#[test]
fn the_order_of_rooms_is_noticed() {
    let found = of(rooms::order, "pipes/src/slot/pipe/kind.rs", "//! A.\nuse super::half::Half;\n");
    assert_eq!(found, ["pipes/src/slot/pipe/kind.rs:2: names `half`, which is above `kind`"]);
    assert_eq!(of(rooms::order, "pipes/src/slot/pipe/half.rs", "use super::kind::Kind;"), [""; 0]);
    assert_eq!(
        of(rooms::order, "pipes/src/slot/pipe/half.rs", "use super::Chain;").len(),
        1,
        "the room's face"
    );
    assert_eq!(of(rooms::order, "pipes/src/slot/pipe/half/tests.rs", "use super::Chain;"), [""; 0]);
    assert_eq!(of(rooms::order, "pipes/src/wait/waiter.rs", "use crate::wait::{wakers::Later};").len(), 1);
    assert_eq!(of(rooms::order, "pipes/src/slot/pipe/half.rs", "use crate::slot::ready::Token;"), [""; 0]);
    assert_eq!(of(rooms::order, "pipes/src/slot/pipe/fresh.rs", "").len(), 1, "it has no place");
}

#[test]
fn the_layers_rule_notices() {
    let rule = rules::layers;
    let found = of(rule, "pipes/src/slot/a.rs", "//! A.\nuse crate::sync::park;\nuse crate::stream::Port;\n");
    assert_eq!(found, ["pipes/src/slot/a.rs:3: names `stream`, which is above `slot`"]);
    for (path, text) in [
        ("pipes/src/sync/a.rs", "fn f() { crate::slot::pipe(); }"),
        ("pipes/src/oneshot.rs", "use super::__private::Ring;"),
        // Beside, not below.
        ("pipes/src/oneshot.rs", "use crate::stream::Port;"),
        ("pipes/src/endpoint/a.rs", "use super::super::{slot::X, lib::Y};\n"),
        ("pipes/src/endpoint/a.rs", "use crate::{\n    slot,\n    stream::Chan,\n};"),
        // The root is above all.
        ("pipes/src/endpoint/a.rs", "type T = crate::Port<u8>;"),
        // By the crate's own name.
        ("pipes/src/slot/a.rs", "type T = pipes::Port<u8>;"),
    ] {
        assert_eq!(of(rule, path, text).len(), 1, "{path}: {text}");
    }
}

#[test]
fn the_layers_rule_knows_the_macro() {
    let rule = rules::layers;
    assert_eq!(of(rule, "pipes-macros/src/parse/a.rs", "use crate::model::State;").len(), 1);
    assert_eq!(of(rule, "pipes-macros/src/names.rs", "use crate::check::Facts;").len(), 1);
    assert_eq!(
        of(rule, "pipes-macros/src/check/a.rs", "use crate::diag::Problem; use crate::model::State;"),
        [""; 0]
    );
}

#[test]
fn the_names_rule_notices() {
    let made = "fn f() { format_ident!(\"x\"); proc_macro2::Ident::new(\"x\", span) }";
    assert_eq!(of(rules::names, "pipes-macros/src/expand/a.rs", made).len(), 2);
    assert_eq!(of(rules::names, "pipes-macros/src/names.rs", made), [""; 0]);
    assert_eq!(of(rules::names, "tests/a.rs", made), [""; 0]);
}

#[test]
fn the_layers_rule_lets_pass() {
    let text = "//! See [`Port`](crate::Port).\nuse crate::slot::{Endpoint, Received};\nuse super::error::RecvError;\n\
                crate::__receive! { x }\nmacro_rules! m { () => { $crate::Receive } }\nlet s = \"crate::stream\";";
    assert_eq!(of(rules::layers, "pipes/src/endpoint/a.rs", text), [""; 0]);
    assert_eq!(
        of(rules::layers, "pipes/src/lib.rs", "pub use stream::Port; use crate::__private::x;"),
        [""; 0]
    );
    assert_eq!(of(rules::layers, "benches/src/a.rs", "use crate::stream::Port;"), [""; 0]);
}

#[test]
fn the_unsafe_rule_notices() {
    let found = of(rules::unsafe_code, "pipes/src/stream.rs", "// fine: unsafe\nfn f() { unsafe { g() } }");
    assert_eq!(found, ["pipes/src/stream.rs:2: `unsafe`"]);
    assert_eq!(of(rules::unsafe_code, "tests/a.rs", "unsafe impl Send for X {}").len(), 1);
    let fine = "//! unsafe\n#[allow(unsafe_code)] /* unsafe /* unsafe */ unsafe */ let s = \"unsafe \\\" unsafe\";\n\
                let r = r#\"unsafe \" unsafe\"#; let c = '\"'; let l: &'static str = \"unsafe\"; let b = b'\\'';";
    assert_eq!(of(rules::unsafe_code, "pipes/src/stream.rs", fine), [""; 0]);
    assert_eq!(of(rules::unsafe_code, "pipes/src/slot/a.rs", "unsafe { g() }"), [""; 0]);
    assert_eq!(of(rules::unsafe_code, "pipes-macros/golden/a.expanded.rs", "unsafe { g() }"), [""; 0]);
    assert_eq!(of(rules::unsafe_code, "examples/04_choice.rs", "unsafe { g() }").len(), 1);
}

#[test]
fn the_length_rule_notices() {
    assert_eq!(of(rules::length, "a.rs", &"x\n".repeat(FEW_LINES)), [""; 0]);
    assert_eq!(of(rules::length, "a.rs", &"x\n".repeat(FEW_LINES + 1)).len(), 1);
}

#[test]
fn the_ordering_rule_notices() {
    let argued = "// ORDERING: Relaxed, for this reason\n// and that one.\nself.0.load(Ordering::Relaxed)\n";
    assert_eq!(of(rules::orderings, "pipes/src/slot/a.rs", argued), [""; 0]);
    let bare = "// ORDERING: far away\n\n\n\n\n\n\nself.0.load(Ordering::Relaxed)\n";
    let found = of(rules::orderings, "pipes/src/slot/a.rs", bare);
    assert_eq!(found, ["pipes/src/slot/a.rs:8: `Ordering::` without an `ORDERING:` comment above it"]);
    assert_eq!(of(rules::orderings, "benches/src/a.rs", bare), [""; 0]);
}

#[test]
fn the_facade_rule_notices() {
    let rule = rules::facade;
    assert_eq!(of(rule, "pipes/src/slot/a.rs", "use std::sync::Arc;").len(), 1);
    assert_eq!(of(rule, "pipes/src/slot/a.rs", "use std::{fmt, thread};").len(), 1);
    assert_eq!(of(rule, "pipes/src/stream.rs", "loom::model(f)").len(), 1);
    assert_eq!(of(rule, "pipes-skeleton/src/run/threads.rs", "use std::sync::Arc;").len(), 1);
    assert_eq!(of(rule, "pipes-skeleton/src/sync.rs", "use std::sync::Arc;"), [""; 0]);
    let fine = "//! std::thread\n/// assert(std::sync)\n#[cfg(pipes_loom)]\nuse std::{fmt, task::Poll};";
    assert_eq!(of(rule, "pipes/src/stream.rs", fine), [""; 0]);
    assert_eq!(of(rule, "pipes/src/sync/a.rs", "use std::sync::Arc; use std::thread;"), [""; 0]);
}

#[test]
fn the_rule_of_callers_notices() {
    let rule = docs::unknown_callers;
    let blocks = "/// Blocks the thread.\n#[inline]\npub fn f() {}\n/// Not this one.\npub fn g() {}";
    assert_eq!(
        of(rule, "pipes/src/stream/a.rs", blocks),
        ["pipes/src/stream/a.rs:3: does not know its caller"]
    );
    let fine = "/// Blocks the thread.\n#[inline]\n#[track_caller]\npub fn f() {}";
    assert_eq!(of(rule, "pipes/src/stream/a.rs", fine), [""; 0]);
    assert_eq!(of(rule, "pipes/src/slot/a.rs", blocks), [""; 0]);
}

#[test]
fn the_parking_rule_notices() {
    let parks = "use crate::sync::{Flag, park};\nfn f() { crate::sync::park(None) }";
    assert_eq!(of(rules::parking, "pipes/src/stream/a.rs", parks).len(), 2);
    assert_eq!(of(rules::parking, "pipes/src/wait/park.rs", parks), [""; 0]);
    assert_eq!(of(rules::parking, "pipes/src/wait/mod.rs", "mod park;\npub use self::park::x;"), [""; 0]);
}

#[test]
fn the_hook_rule_notices() {
    let hook = "fn f() { std::panic::set_hook(Box::new(|_| ())) }";
    assert_eq!(
        of(rules::panic_hook, "pipes/src/service.rs", hook),
        ["pipes/src/service.rs:1: changes the panic hook"]
    );
    assert_eq!(of(rules::panic_hook, "pipes/src/service.rs", "use std::panic; // take_hook"), [""; 0]);
    assert_eq!(of(rules::panic_hook, "benches/src/a.rs", hook), [""; 0]);
}

/// The errors in a row of the first table, in a workspace of a few files.
fn of_row(row: &str) -> Vec<String> {
    let files = [
        ("tests/it/main.rs", "mod traps;\nmod sets;"),
        (
            "tests/it/traps.rs",
            "#[test]\n/// A trap.\n#[allow(x, reason = \"y\")]\nfn trap() {}\nfn helper() {}",
        ),
        ("tests/it/sets/mod.rs", "// mod gone;\nmod turns; mod lost;"),
        ("tests/it/sets/turns.rs", "// #[test] fn no() {}\n#[test]\nfn turn() { #[test] fn inner() {} }"),
        ("tests/it/sets/gone.rs", "#[test]\nfn test() {}"),
        ("tests/ui/main.rs", "#[test]\nfn programs() {}"),
        ("tests/ui/use/twice.rs", ""),
        ("tests/ui/use/twice.stderr", ""),
        ("tests/ui/use/silent.rs", ""),
        ("tests/ui/pass/good.rs", ""),
        ("tests/support/table/every.rs", "pub fn order<F: Flavor>() {}"),
        ("pipes/src/lib.rs", "mod slot;"),
        ("pipes/src/slot.rs", "mod tests;"),
        ("pipes/src/slot/tests.rs", "#[test]\nfn slots() {}"),
    ];
    let read = |path: &str| files.iter().find(|file| file.0 == path).map(|file| file.1.to_owned());
    let text = format!("## Channels\n\n| number | a | b | c |\n|--|--|--|--|\n{row}\n\n## Session types\n");
    let found = history::problems(&text, &read).into_iter();
    found.filter_map(|it| it.strip_prefix("## Channels: row 1: ").map(str::to_owned)).collect()
}

#[test]
fn the_history_rule_notices_names() {
    let named = |name: &str| of_row(&format!("| 1 | what | where | `ui::programs`, `{name}` |"));
    for good in [
        "it::traps::trap",
        "it::sets::turns::turn",
        "it::sets::turns::inner",
        "table::every::order",
        "ui/use/twice.rs",
        "ui/pass/good.rs",
        "unit pipes::slot::tests::slots",
    ] {
        assert_eq!(named(good), [""; 0]);
    }
    for (bad, why) in [
        ("it::traps::tra", "tests/it/traps.rs has no test `tra`"),
        ("it::traps::rap", "tests/it/traps.rs has no test `rap`"),
        ("it::traps::helper", "tests/it/traps.rs has no test `helper`"),
        ("it::traps::", "tests/it/traps.rs has no test ``"),
        ("it::sets::turns::no", "tests/it/sets/turns.rs has no test `no`"),
        ("table::every::orde", "tests/support/table/every.rs has no scenario `orde`"),
        ("table::some::order", "no file tests/support/table/some.rs"),
        ("it::sets::gone::test", "tests/it/sets/mod.rs has no module `gone`"),
        ("it::sets::lost::test", "no file tests/it/sets/lost.rs"),
        ("loom::trap", "no file models/loom/main.rs"),
        ("unit pipes::tests::slots", "pipes/src/lib.rs has no module `tests`"),
        ("unit macros::slots", "no file macros/src/lib.rs"),
        ("ui/use/thrice.rs", "there is no such program"),
        ("ui/use/silent.rs", "no compiler has said anything of it"),
        ("ui/use/twice", "that is no program"),
    ] {
        assert_eq!(named(bad), [format!("`{bad}`: {why}")]);
    }
}

#[test]
fn the_history_rule_notices_rows() {
    assert_eq!(of_row("| 1 | what | where | cannot occur: there is one end. |"), [""; 0]);
    for reasons in ["cannot occur: ", "cannot occur: there is one end", "cannot occur: no."] {
        assert_eq!(of_row(&format!("| 1 | what | where | {reasons} |")).len(), 1, "{reasons}");
    }
    for row in
        ["| 1 | what | where |", "| 1 | what | | `it::traps::trap` |", "| 1 | a | b | c | `ui::programs` |"]
    {
        assert_eq!(of_row(row), ["it has not four columns"]);
    }
    assert_eq!(of_row("| 1 | what | where | a test of ours |"), ["it names no test"]);
}

#[test]
fn the_history_rule_counts() {
    let row = |number: usize| format!("| {number} | what | where | cannot occur: there is one end. |\n");
    let table = |heading: &str, numbers: &mut dyn Iterator<Item = usize>| {
        format!(
            "{heading}\n\n| number | a | b | c |\n|--|--|--|--|\n{}\n",
            numbers.map(row).collect::<String>()
        )
    };
    let document = |first: &mut dyn Iterator<Item = usize>| {
        let rest = table("## Session types", &mut (1..=32))
            + &table("## Between programs, and around the library", &mut (1..=36))
            + &table("## Pipes of 2012", &mut (1..=11));
        history::problems(&(table("## Channels", first) + &rest), &|_| None)
    };
    assert_eq!(document(&mut (1..=31)), [""; 0]);
    assert_eq!(document(&mut (1..=30)), ["## Channels: number 31 is there 0 times"]);
    assert_eq!(document(&mut (1..=31).filter(|it| *it != 7)), ["## Channels: number 7 is there 0 times"]);
    assert_eq!(document(&mut (1..=31).chain([33])), ["## Channels: number 32 is there 0 times"]);
    assert_eq!(document(&mut (1..=31).map(|it| if it == 5 { 4 } else { it })).len(), 2);
    assert_eq!(history::problems("", &|_| None).len(), 31 + 31 + 36 + 11, "no table, no row");
}
