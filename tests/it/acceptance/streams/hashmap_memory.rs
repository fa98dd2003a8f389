//! Requests that carry the chan for their answer, to a server of many clients.
//!
//! `run-pass/hashmap-memory.rs`, Rust 0.5: mappers that ask a controller for a reducer for each word.

use crate::acceptance::Sleeper;
use pipes::{ChanOne, Port, SharedChan, oneshot, shared_stream};
use pipes_tests::watched;
use std::collections::BTreeMap;

enum Ctrl {
    FindReducer(String, ChanOne<usize>),
    MapperDone,
}

/// Finds a reducer for each new word; returns how many words it has found one for.
fn map(text: &str, ctrl: &SharedChan<Ctrl>) -> usize {
    let mut intermediates = BTreeMap::new();
    for word in text.split_whitespace() {
        intermediates.entry(word).or_insert_with(|| {
            let (reply, answer) = oneshot();
            assert!(ctrl.send(Ctrl::FindReducer(word.to_owned(), reply)).is_ok(), "the controller is there");
            answer.recv().expect("the controller answers")
        });
    }
    assert!(ctrl.send(Ctrl::MapperDone).is_ok(), "the controller is there");
    intermediates.len()
}

/// Answers each request until all mappers are done; returns the reducers.
fn control(mut requests: Port<Ctrl>, mut mappers: usize) -> BTreeMap<String, usize> {
    let mut reducers = BTreeMap::new();
    while mappers > 0 {
        match requests.recv().expect("a mapper says when it is done") {
            Ctrl::MapperDone => mappers -= 1,
            Ctrl::FindReducer(word, reply) => {
                let fresh = reducers.len();
                reply.send(*reducers.entry(word).or_insert(fresh)).expect("the mapper waits");
            }
        }
    }
    reducers
}

#[test]
fn each_request_is_answered() {
    watched(|| {
        let (ctrl, requests) = shared_stream();
        let texts = ["the quick brown fox", "the lazy dog", "", "the fox the dog"];
        let mappers: Vec<_> = (texts.into_iter())
            .map(|text| {
                let ctrl = ctrl.clone();
                Sleeper::spawn(move || map(text, &ctrl))
            })
            .collect();
        let reducers = control(requests, texts.len());
        let found: Vec<_> =
            mappers.into_iter().map(|mapper| mapper.join().expect("no mapper panics")).collect();
        assert_eq!(found, [4, 3, 0, 3]);
        assert_eq!(
            reducers.keys().map(String::as_str).collect::<Vec<_>>(),
            ["brown", "dog", "fox", "lazy", "quick", "the"]
        );
        let mut numbers: Vec<_> = reducers.into_values().collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
    });
}
