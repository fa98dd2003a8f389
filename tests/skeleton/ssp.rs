//! The listings of the Rust-SSP paper, and what its runtime did not support.

use pipes_skeleton::ssp::*;
use pipes_tests::{caught, test_in, watched};
use std::sync::mpsc;

/// A stage drops an item by returning `None`; the last stage counts, in order.
#[test_in(watched)]
fn dropped_items_keep_the_order() {
    let pipeline = pipeline![
        parallel!(|item: u64| Some(item * 2), 20),
        parallel!(|item: u64| if item.is_multiple_of(5) { None } else { Some(item * 2) }, 20),
        sequential_ordered!(|item: u64| item)
    ];
    for i in 1..1000 {
        pipeline.post(i).unwrap()
    }
    let expected: Vec<u64> = (1..1000).filter(|i| i * 2 % 5 != 0).map(|i| i * 4).collect();
    assert_eq!(pipeline.collect(), expected);
}

struct LoadImage;
struct SaturateImage {
    saturation: f32,
}

impl InOut<String, Vec<f32>> for LoadImage {
    fn process(&mut self, path: String) -> Option<Vec<f32>> {
        Some(path.bytes().map(f32::from).collect())
    }
}

impl InOut<Vec<f32>, Vec<f32>> for SaturateImage {
    fn process(&mut self, image: Vec<f32>) -> Option<Vec<f32>> {
        Some(image.into_iter().map(|pixel| pixel * self.saturation).collect())
    }
}

struct WriteImage {
    written: mpsc::Sender<(u64, usize)>,
}

impl In<Vec<f32>> for WriteImage {
    fn process(&mut self, image: Vec<f32>, order: u64) {
        self.written.send((order, image.len())).unwrap();
    }
}

/// Structs as stages, and the explicit end of the stream.
#[test_in(watched)]
fn structs_as_stages() {
    let (written, images) = mpsc::channel();
    let mut pipeline = pipeline![
        sequential!(LoadImage),
        parallel!(SaturateImage { saturation: 0.2 }, 4),
        sequential_ordered!(WriteImage { written: written.clone() }),
    ];
    for image in 0..200_usize {
        pipeline.post("x".repeat(image % 7)).unwrap();
    }
    pipeline.end_and_wait();
    drop(pipeline);
    assert!(images.iter().eq((0..200).map(|order| (order, order as usize % 7))));
}

/// Rust-SSP ignored `sequential_ordered!` in the middle.
#[test_in(watched)]
fn order_in_the_middle() {
    let mut next = 0;
    let pipeline = pipeline![
        parallel!(|item: u64| Some(item), 4),
        sequential!(|item: u64| Some(item)),
        sequential_ordered!(move |item: u64| {
            next += 1;
            Some((item, next - 1))
        }),
        parallel!(|both: (u64, u64)| Some(both), 2),
        collect!()
    ];
    (0..2000).for_each(|item| pipeline.post(item).unwrap());
    let seen = pipeline.collect();
    assert_eq!(seen.len(), 2000);
    assert!(seen.iter().all(|(item, place)| item == place));
}

/// In Rust-SSP a stage that panicked left the others waiting for ever.
#[test_in(watched)]
fn a_panic_reaches_the_caller() {
    let make = || {
        pipeline![
            parallel!(|item: u64| (item < 10).then_some(item), 2),
            sequential!(|item: u64| assert!(item != 5, "five"))
        ]
    };
    let pipeline = make();
    (0..10).for_each(|item| {
        let _ = pipeline.post(item);
    });
    let failure = pipeline.try_collect().expect_err("it has panicked");
    assert_eq!((failure.stage(), failure.panic_message()), ("stage 2", Some("five")));

    let pipeline = make();
    (0..10).for_each(|item| {
        let _ = pipeline.post(item);
    });
    let panic = caught(|| pipeline.collect()).expect("it panics");
    assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("stage 2 panicked: five"));

    let dropped = make();
    (0..10).for_each(|item| {
        let _ = dropped.post(item);
    });
    assert!(caught(|| drop(dropped)).is_none(), "it is dropped without a second panic");
}

#[test]
fn no_replicas() {
    for replicas in [0, -1] {
        let panic =
            caught(|| pipeline![parallel!(|item: u64| Some(item), replicas), collect!()]).expect("it panics");
        let message = panic.downcast_ref::<&str>().expect("a text");
        assert_eq!(*message, "`parallel!`: a stage needs at least one replica");
    }
}
