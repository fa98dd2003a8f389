//! Either of two streams.
//!
//! `test_select2` of `core::pipes`, Rust 0.5. Its method on a pair is the function `select2`, here on two
//! borrowed ports.

use pipes::{TryRecvError, select2, stream};
use pipes_tests::watched;

#[test]
fn the_one_with_a_message() {
    watched(|| {
        let ((mut words, mut word_port), (mut numbers, mut number_port)) = (stream(), stream());
        words.send("abc".to_owned()).expect("the port is here");
        let (word, _) = select2(&mut word_port, &mut number_port).left().expect("the words are ready");
        assert_eq!(word.as_deref(), Ok("abc"));
        assert_eq!(word_port.try_recv(), Err(TryRecvError::Empty(())), "it was received once");

        numbers.send(123).expect("the port that was not chosen is here");
        let (_, number) = select2(&mut word_port, &mut number_port).right().expect("the numbers are ready");
        assert_eq!(number, Ok(123));

        drop(number_port);
        assert!(numbers.send(124).is_err(), "until it is dropped");
        words.send("def".to_owned()).expect("the port is here");
        assert_eq!(word_port.recv().as_deref(), Ok("def"));
    });
}
