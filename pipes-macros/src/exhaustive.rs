//! Tests over all small protocols: the macro's bounds equal those of a naive simulation, and every expansion
//! is Rust.
//!
//! The simulation knows nothing of cycles and paths. It lets one side send and the other receive, in every
//! possible order and from every state. The bound is the largest number of messages that were ever on their
//! way at once. If that exceeds the number of states, a message was sent twice from the same state without an
//! answer between them, and there is no bound.

use crate::model::{Graph, StateId};
use proc_macro2::TokenStream;
use std::collections::HashSet;
use std::fmt::Write;

/// The messages on their way, each by the state that it was sent in, and the state of the side that sends
/// them (`None` after the last message of a session).
type Situation = (Vec<StateId>, Option<StateId>);

/// Returns the largest number of messages on their way, by simulation; `None` if there is no bound.
fn played(graph: &Graph) -> Option<usize> {
    let count = graph.steps.len();
    let mut most = 0;
    let mut seen: HashSet<Situation> = HashSet::new();
    let mut waiting: Vec<Situation> = (0..count).map(|start| (Vec::new(), Some(start))).collect();
    while let Some((on_their_way, ahead)) = waiting.pop() {
        if !seen.insert((on_their_way.clone(), ahead)) {
            continue;
        }
        most = most.max(on_their_way.len());
        if on_their_way.len() > count {
            return None;
        }
        if let Some((_, rest)) = on_their_way.split_first() {
            waiting.push((rest.to_vec(), ahead));
        }
        let Some(state) = ahead else { continue };
        // The side that receives these messages cannot send before it has received the last one.
        if on_their_way.last().is_some_and(|last| graph.client_sends[*last] != graph.client_sends[state]) {
            continue;
        }
        let mut sent = on_their_way.clone();
        sent.push(state);
        waiting.push((sent.clone(), None));
        waiting.extend(graph.steps[state].iter().map(|next| (sent.clone(), Some(*next))));
    }
    Some(most)
}

/// Returns all graphs of `count` states with at most `most_steps` steps from each.
fn graphs(count: usize, most_steps: u32) -> impl Iterator<Item = Graph> {
    let choices: Vec<usize> =
        (0..1_usize << count).filter(|targets| targets.count_ones() <= most_steps).collect();
    let wirings = choices.len().pow(u32::try_from(count).expect("few states"));
    (0..wirings << count).map(move |number| {
        let (directions, mut wiring) = (number % (1 << count), number >> count);
        let steps = (0..count).map(|_| {
            let targets = choices[wiring % choices.len()];
            wiring /= choices.len();
            (0..count).filter(|state| targets >> state & 1 == 1).collect()
        });
        Graph {
            steps: steps.collect(),
            client_sends: (0..count).map(|state| directions >> state & 1 == 1).collect(),
        }
    })
}

/// Returns the text of a protocol with this graph: in each state a message for each step, and one that ends
/// the session.
fn text(graph: &Graph) -> String {
    let mut text = String::from("pub p {");
    for (state, steps) in graph.steps.iter().enumerate() {
        let direction = if graph.client_sends[state] { "send" } else { "recv" };
        write!(text, "s{state}: {direction} {{ end(u8) -> !,").expect("a string takes everything");
        for next in steps {
            write!(text, "to{next} -> s{next},").expect("a string takes everything");
        }
        text.push('}');
    }
    text.push('}');
    text
}

#[test]
fn bounds_are_those_of_the_naive_twin() {
    let mut bounded = 0;
    let mut total = 0;
    for graph in (1..=3).flat_map(|count| graphs(count, 3)).chain(graphs(4, 1)) {
        let run = graph.longest_run();
        assert_eq!(run.as_ref().map(Vec::len), played(&graph), "{graph:?}");
        assert_eq!(run.is_none(), graph.one_sided_cycle().is_some(), "{graph:?}");
        for (way, closed) in [(run, false), (graph.one_sided_cycle(), true)] {
            let way = way.unwrap_or_default();
            let back = way.first().copied().filter(|_| closed);
            let steps: Vec<(StateId, StateId)> =
                way.iter().copied().zip(way.iter().copied().skip(1).chain(back)).collect();
            assert!(steps.iter().all(|(from, to)| graph.steps[*from].contains(to)), "{way:?} in {graph:?}");
            assert!(way.windows(2).all(|pair| graph.client_sends[pair[0]] == graph.client_sends[pair[1]]));
        }
        bounded += usize::from(played(&graph).is_some());
        total += 1;
    }
    // Both verdicts must be common.
    assert!(total > 10_000 && bounded > total / 10 && bounded < total * 9 / 10, "{bounded} of {total}");
}

#[test]
fn every_small_expansion_is_rust() {
    for graph in (1..=2).flat_map(|count| graphs(count, 2)).chain(graphs(3, 1).step_by(5)) {
        let text = text(&graph);
        let tokens: TokenStream = format!("pipes unsafe {{}} {text}").parse().expect("it is made of tokens");
        let output = crate::compile(tokens);
        assert!(!output.to_string().contains("compile_error"), "{text}");
        assert!(syn::parse2::<syn::File>(output).is_ok(), "{text}");
    }
}
