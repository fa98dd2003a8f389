//! Values of all kinds.
//!
//! `run-pass/task-comm-16.rs`, Rust 0.5: records, vectors, strings, enums with data, and a chan, which is
//! then used.

use pipes::{Chan, stream};
use std::fmt::Debug;

fn there_and_back<T: PartialEq + Debug + Clone>(values: &[T]) {
    let (mut chan, mut port) = stream();
    values.iter().for_each(|value| chan.send(value.clone()).expect("the port is here"));
    values.iter().for_each(|value| assert_eq!(port.recv().as_ref(), Ok(value)));
}

#[derive(Clone, Debug, PartialEq)]
struct Record {
    number: i32,
    letter: char,
    flag: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Tag {
    One,
    Two(i32),
    Three(i32, u8, String),
}

#[test]
fn they_arrive_as_they_are() {
    there_and_back(&[
        Record { number: 0, letter: 'x', flag: true },
        Record { number: -1, letter: 'é', flag: false },
    ]);
    there_and_back(&[vec![0, 1, 2], vec![]]);
    there_and_back(&["hello".to_owned(), String::new()]);
    there_and_back(&[Tag::One, Tag::Two(42), Tag::Three(10, 11, "twelve".to_owned())]);
    there_and_back(&[(); 3]);
    there_and_back(&[[7_u64; 100]; 70]);
}

#[test]
fn a_chan_is_used_where_it_arrives() {
    let (mut handing, mut handed) = stream::<Chan<i32>>();
    let (chan, mut port) = stream();
    handing.send(chan).expect("the port is here");
    handed.recv().expect("it was sent").send(10).expect("the port is here");
    assert_eq!(port.recv(), Ok(10));
}
