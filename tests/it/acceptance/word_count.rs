//! Words, counted by mappers that ask a master where to send them.
//!
//! `bench/task-perf-word-count-generic.rs`: a bounded protocol of two parameters, and a server that
//! selects over a vector of endpoints, which grows and shrinks. The reducers of the original are the ports
//! that the master keeps for each word.

use super::Sleeper;
use ctrl_proto::{Open, ReducerResponse};
use pipes::{Bound, Chan, Port, select};
use pipes_tests::watched;
use std::collections::BTreeMap;

pipes::proto! {
    #[bounded]
    ctrl_proto {
        open: send<K: Send, V: Send> {
            find_reducer(K) -> reducer_response<K, V>,
            mapper_done -> !,
        }
        reducer_response: recv<K: Send, V: Send> {
            reducer(Chan<V>) -> open<K, V>,
        }
    }
}

type Word = &'static str;

/// Asks for a reducer for each new word, and sends it a one for each occurrence of the word.
fn mapper(mut ctrl: ctrl_proto::client::Open<Word, u64>, text: &'static str) {
    let mut reducers = BTreeMap::new();
    for word in text.split_whitespace() {
        if !reducers.contains_key(word) {
            let asked = ctrl.find_reducer(word).expect("the master is there");
            let Ok(ReducerResponse::Reducer(chan, next)) = asked.recv() else { panic!("the master answers") };
            reducers.insert(word, chan);
            ctrl = next;
        }
        reducers
            .get_mut(word)
            .map(|chan| chan.send(1))
            .expect("it was inserted")
            .expect("the master keeps it");
    }
    ctrl.mapper_done().expect("the master is there");
}

/// Serves all mappers until the last is done; returns the ports of each word.
fn master(mut mappers: Vec<ctrl_proto::server::Open<Word, u64>>) -> BTreeMap<Word, Vec<Port<u64>>> {
    let mut ports: BTreeMap<_, Vec<_>> = BTreeMap::new();
    while !mappers.is_empty() {
        let (_, request, mut rest) = select(mappers);
        match request {
            Ok(Open::FindReducer(word, answering)) => {
                let (chan, port) = pipes::stream();
                ports.entry(word).or_default().push(port);
                rest.push(answering.reducer(chan).expect("the mapper waits"));
            }
            Ok(Open::MapperDone) => {}
            Err(_) => panic!("a mapper says when it is done"),
        }
        mappers = rest;
    }
    ports
}

#[test]
fn every_word_is_counted() {
    assert_eq!(ctrl_proto::BOUND, Bound::Messages(1));
    watched(|| {
        let texts = ["to be or not to be", "to do is to be", "", "do be do be do", "be"];
        let (clients, servers): (Vec<_>, Vec<_>) = texts.iter().map(|_| ctrl_proto::pipe()).unzip();
        let mappers: Vec<_> = (clients.into_iter().zip(texts))
            .map(|(client, text)| Sleeper::spawn(move || mapper(client, text)))
            .collect();
        let ports = master(servers);
        mappers.into_iter().for_each(|mapper| mapper.join().expect("no mapper panics"));
        let counted: Vec<(Word, u64)> =
            ports.into_iter().map(|(word, ports)| (word, ports.into_iter().flatten().sum())).collect();
        assert_eq!(counted, [("be", 6), ("do", 4), ("is", 1), ("not", 1), ("or", 1), ("to", 4)]);
    });
}
