//! Tests of the diagrams as text, over all protocols in the repository: each shows every state, who sends in
//! it, every message, and where that leads.
//!
//! What a diagram shows is read back from its text, without the code that wrote it.

use crate::model::Protocol;
use crate::side::Side;
use crate::{diag, model, parse};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

/// What a diagram shows. A step is a state, a message, and the next state or nothing.
#[derive(Debug, Default, PartialEq)]
struct Shown {
    start: String,
    /// Each state, and whether the client sends in it.
    states: BTreeSet<(String, bool)>,
    steps: BTreeSet<(String, String, Option<String>)>,
}

impl Shown {
    fn of(protocol: &Protocol) -> Self {
        let name = |state: usize| protocol.states[state].name.to_string();
        let states =
            protocol.states.iter().map(|state| (state.name.to_string(), state.sender == Side::Client));
        let steps = protocol.messages().map(|(state, message)| {
            (name(state), message.name.to_string(), message.step.as_ref().map(|step| name(step.to)))
        });
        Shown { start: name(0), states: states.collect(), steps: steps.collect() }
    }

    fn add_steps(&mut self, from: &str, labels: &[String], to: Option<&str>) {
        for label in labels {
            let name = label.split('(').next().unwrap_or_default();
            self.steps.insert((from.to_owned(), name.to_owned(), to.map(String::from)));
        }
    }
}

/// Reads the diagram for Mermaid.
fn read_mermaid(text: &str) -> Shown {
    let (mut shown, mut names) = (Shown::default(), HashMap::new());
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("stateDiagram-v2"));
    for line in lines.map(str::trim_start) {
        let (before, text) = line.split_once(": ").unwrap_or((line, ""));
        assert!(before == "accTitle" || !text.contains([':', ';']) || text.contains('#'), "{line}");
        if let Some((name, id)) = line.strip_prefix("state \"").and_then(|rest| rest.split_once("\" as ")) {
            names.insert(id.to_owned(), plain(name));
        } else if let Some((from, to)) = before.split_once(" --> ") {
            let labels: Vec<String> = text.split("<br/>").map(plain).collect();
            match names.get(from) {
                Some(from) => shown.add_steps(from, &labels, (to != "[*]").then(|| names[to].as_str())),
                None => shown.start = names[to].clone(),
            }
        } else if let Some(name) = names.get(before) {
            match text.strip_prefix("↺ ") {
                Some(text) => shown.add_steps(name, &[plain(text)], Some(name)),
                None => drop(shown.states.insert((name.clone(), text == "client sends"))),
            }
        }
    }
    shown
}

/// Returns what is meant by a text with entities: `#60;` is `<`.
fn plain(text: &str) -> String {
    let mut parts = text.split('#');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(';').expect("an entity ends");
        plain.extend(number.parse().ok().and_then(char::from_u32));
        plain.push_str(rest);
    }
    plain
}

/// Reads the graph for Graphviz.
fn read_dot(text: &str) -> Shown {
    let mut shown = Shown::default();
    assert!(text.starts_with("digraph \"") && text.ends_with("\n}\n"), "{text}");
    for line in text.lines().map(str::trim_start).filter(|line| line.starts_with('"')) {
        let strings = strings(line);
        let [from, rest @ ..] = strings.as_slice() else { panic!("no state in {line}") };
        match (from.as_str(), line.contains(" -> "), rest) {
            ("*", true, [start]) => shown.start = start.clone(),
            ("*" | "!", false, _) => {}
            (_, true, [to, label]) => {
                let labels: Vec<String> = label.split('\n').map(String::from).collect();
                shown.add_steps(from, &labels, (to != "!").then_some(to));
            }
            (_, false, [label, ..]) => {
                assert!(label.starts_with(&format!("{from}\n")), "{line}");
                shown.states.insert((from.clone(), label.ends_with("client sends")));
            }
            _ => panic!("not understood: {line}"),
        }
    }
    shown
}

/// Returns the strings of a line in DOT, without their escapes.
fn strings(line: &str) -> Vec<String> {
    let (mut strings, mut letters, mut is_inside) = (Vec::new(), line.chars(), false);
    while let Some(c) = letters.next() {
        match (c, is_inside) {
            ('"', _) => {
                is_inside = !is_inside;
                strings.extend(is_inside.then(String::new));
            }
            (c, true) => strings.last_mut().expect("it has begun").push(match c {
                '\\' => {
                    letters.next().map(|c| if c == 'n' { '\n' } else { c }).expect("something is escaped")
                }
                c => c,
            }),
            _ => {}
        }
    }
    assert!(!is_inside, "a string does not end: {line}");
    strings
}

/// Returns what `proto!` was given, wherever it is called in these tokens.
fn written(tokens: TokenStream, found: &mut Vec<TokenStream>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let before = [2, 1].map(|back| index.checked_sub(back).map(|at| tokens[at].to_string()));
        if before == [Some("proto".into()), Some("!".into())] && group.delimiter() == Delimiter::Brace {
            found.push(group.stream());
        } else {
            written(group.stream(), found);
        }
    }
}

/// Finds all calls of `proto!` in the files of a folder.
fn calls_in(folder: &Path, found: &mut Vec<TokenStream>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            calls_in(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            let tokens = fs::read_to_string(&path).ok().and_then(|text| text.parse().ok());
            tokens.into_iter().for_each(|tokens| written(tokens, found));
        }
    }
}

/// Returns the texts that become the constants `MERMAID` and `DOT` of a generated module.
fn diagrams(module: &syn::ItemMod) -> [String; 2] {
    let items = &module.content.as_ref().expect("a protocol becomes a module with items").1;
    let states = items.iter().find_map(|item| match item {
        syn::Item::Macro(call) if call.mac.path.segments.iter().any(|part| part.ident == "__states") => {
            Some(call.mac.tokens.clone())
        }
        _ => None,
    });
    let tokens: Vec<TokenTree> = states.expect("the states are data").into_iter().collect();
    ["mermaid", "dot"].map(|name| {
        let at = tokens.iter().position(|token| matches!(token, TokenTree::Ident(word) if word == name));
        let text = tokens[at.expect("there is a text") + 1].clone();
        syn::parse2::<syn::LitStr>(text.into()).expect("it is a string").value()
    })
}

/// Returns what `proto!` passes on.
fn invocation(written: &TokenStream) -> TokenStream {
    let library: TokenStream = "pipes unsafe {}".parse().expect("these are tokens");
    library.into_iter().chain(written.clone()).collect()
}

/// Returns the modules that are generated for protocols.
fn modules(written: &TokenStream) -> Vec<syn::ItemMod> {
    let output = crate::compile(invocation(written));
    let items = syn::parse2::<syn::File>(output).expect("an expansion is a Rust file").items;
    let modules = items.into_iter().filter_map(|item| match item {
        syn::Item::Mod(module) => Some(module),
        _ => None,
    });
    modules.collect()
}

/// Returns the protocols, or nothing if there is a problem with one of them.
fn resolved(written: &TokenStream) -> Option<Vec<Protocol>> {
    let mut problems = diag::Problems::new();
    let (_, asts) = parse::invocation(invocation(written), &mut problems);
    let protocols = asts.into_iter().map(|ast| model::build(ast, &mut problems)).collect();
    let is_sound = problems.is_empty();
    problems.discard();
    is_sound.then_some(protocols)
}

#[test]
fn each_diagram_shows_its_protocol() {
    let (root, mut calls) = (Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), Vec::new());
    for folder in ["examples", "tests", "benches", "pipes/src"] {
        calls_in(&root.join(folder), &mut calls);
    }
    let mut count = 0;
    for call in calls {
        let Some(protocols) = resolved(&call) else { continue };
        let modules = modules(&call);
        for protocol in protocols {
            // A problem of a later stage can leave a module without items, as some tests want.
            let module = modules.iter().find(|module| module.ident == protocol.name);
            let Some(module) =
                module.filter(|module| module.content.as_ref().is_some_and(|c| !c.1.is_empty()))
            else {
                continue;
            };
            let ([mermaid, dot], expected) = (diagrams(module), Shown::of(&protocol));
            assert_eq!(read_mermaid(&mermaid), expected, "{mermaid}");
            assert_eq!(read_dot(&dot), expected, "{dot}");
            count += 1;
        }
    }
    assert!(count > 200, "only {count} protocols were found");
}

#[test]
fn two_diagrams_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    for name in ["02_account", "05_names_from_outside"] {
        let written = fs::read_to_string(folder.join(format!("{name}.proto.rs"))).expect("it is there");
        let modules = modules(&written.parse().expect("a protocol is made of tokens"));
        let [mermaid, dot] = diagrams(&modules[0]);
        assert!(crate::golden::is_recorded(&folder.join(format!("{name}.mmd")), &mermaid), "{mermaid}");
        assert!(crate::golden::is_recorded(&folder.join(format!("{name}.dot")), &dot), "{dot}");
    }
}

#[test]
fn the_guide_prints_its_diagram() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pipes/docs/guide/4_loops.md");
    let chapter = fs::read_to_string(&path).expect("it is there");
    let (_, protocol) = chapter.split_once("pipes::proto! {").expect("there is a protocol");
    let (protocol, _) = protocol.split_once("\n}").expect("it ends");
    let [mermaid, _] = diagrams(&modules(&protocol.parse().expect("a protocol is made of tokens"))[0]);
    let (before, printed) = chapter.split_once("prints\n\n```mermaid\n").expect("it prints something");
    let (_, after) = printed.split_once("```").expect("the block ends");
    let expected = format!("{before}prints\n\n```mermaid\n{mermaid}```{after}");
    assert!(crate::golden::is_recorded(&path, &expected), "BLESS=1 prints it anew");
}
