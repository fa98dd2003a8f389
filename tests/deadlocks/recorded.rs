//! What is recorded of threads.

mod bank;
mod channels;
mod drawn;

use pipes::inspect::{Event, Recorder, Recording, Step, note, record};
use pipes::{oneshot, stream};
use pipes_tests::watched;
use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Begins to record, when no other test does.
fn record_alone(steps_per_thread: usize) -> (Recorder, MutexGuard<'static, ()>) {
    static ONE: Mutex<()> = Mutex::new(());
    let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    (record(steps_per_thread).expect("there is no other recorder"), one)
}

/// Returns what these threads have recorded. Other tests run at the same time.
fn of_threads(mut recording: Recording, names: &[&str]) -> Recording {
    recording.retain_threads(|it| it.name.as_deref().is_some_and(|name| names.contains(&name)));
    recording
}

/// Returns what this thread has recorded.
fn of_this_thread(mut recording: Recording) -> Recording {
    recording.retain_threads(|it| it.id == thread::current().id());
    recording
}

/// Returns the name of a thread.
fn name_of(recording: &Recording, step: &Step) -> String {
    recording.threads[step.thread].name.clone().expect("it has a name")
}

/// Returns what the steps are, in short. Messages are numbered anew, because other tests send some, too.
fn in_short(recording: &Recording) -> Vec<String> {
    let numbers = recording.steps.iter().filter_map(|step| match step.event {
        Event::Sent { number, .. } => Some(number),
        _ => None,
    });
    let numbers: Vec<_> = numbers.collect();
    let rank = |number: usize| numbers.iter().position(|it| *it == number).expect("it was sent");
    let short = |step: &Step| match &step.event {
        Event::Made { channel } => format!("made {}", recording.channels[*channel]),
        Event::Sent { side, message, number, .. } => {
            format!("{side} sent {} {}", message.name, rank(*number))
        }
        Event::Received { side, message, number: Some(number), .. } => {
            format!("{side} received {} {}", message.name, rank(*number))
        }
        Event::Received { side, message, number: None, .. } => format!("{side} received {}", message.name),
        Event::Closed { channel, side } => format!("{side} closed {}", recording.channels[*channel]),
        Event::FellAsleep { .. } => "fell asleep".to_owned(),
        Event::Woke => "woke".to_owned(),
        Event::Noted(text) => format!("noted {text}"),
        other => format!("{other:?}"),
    };
    recording.steps.iter().map(short).collect()
}

#[test]
fn a_ring_forgets_the_oldest_steps() {
    watched(|| {
        let (recorder, _one) = record_alone(3);
        let (mut chan, mut port) = stream();
        (0..4).for_each(|number: u32| chan.send(number).expect("the port is there"));
        assert_eq!((port.recv(), port.recv()), (Ok(0), Ok(1)));
        let recording = of_this_thread(recorder.stop());
        // The send of the message that was received first is forgotten.
        let numbers = match &recording.steps[..] {
            [
                Step { event: Event::Sent { number: sent, .. }, .. },
                Step { event: Event::Received { number: first, .. }, .. },
                Step { event: Event::Received { number: second, .. }, .. },
            ] => (*sent, *first, *second),
            other => panic!("{other:?}"),
        };
        assert_eq!((numbers.1, numbers.2), (None, None), "{numbers:?}");
        let own = recording.threads.iter().find(|it| it.id == thread::current().id());
        assert_eq!(own.expect("it was recorded").forgotten, 4);
    });
}

#[test]
fn a_ring_without_room_keeps_nothing() {
    watched(|| {
        let (recorder, _one) = record_alone(0);
        drop(oneshot::<u32>());
        assert!(recorder.stop().steps.is_empty());
    });
}

#[test]
fn a_second_recorder_is_refused_while_one_lives() {
    watched(|| {
        let (recorder, _one) = record_alone(2);
        note(|| "before the refusal".to_owned());
        assert!(record(1).is_none());
        note(|| "after it".to_owned());
        let kept = in_short(&of_this_thread(recorder.recording()));
        assert_eq!(kept, ["noted before the refusal", "noted after it"]);
        drop(recorder);
        assert!(record(1).is_some());
    });
}

#[test]
fn a_recorder_goes_on_after_a_look_and_a_new_one_starts_anew() {
    watched(|| {
        let (recorder, _one) = record_alone(10);
        note(|| "first".to_owned());
        assert_eq!(in_short(&of_this_thread(recorder.recording())), ["noted first"]);
        note(|| "second".to_owned());
        assert_eq!(in_short(&of_this_thread(recorder.recording())), ["noted first", "noted second"]);
        drop(recorder);
        note(|| "third".to_owned());
        let recorder = record(10).expect("there is no other recorder");
        note(|| "fourth".to_owned());
        let recording = of_this_thread(recorder.stop());
        assert_eq!(in_short(&recording), ["noted fourth"]);
        assert!(recording.steps.is_sorted_by_key(|it| it.time));
    });
}

#[test]
fn a_note_is_made_only_while_it_is_recorded() {
    watched(|| {
        let calls = Cell::new(0);
        let call = || note(|| format!("call {}", calls.replace(calls.get() + 1)));
        let (recorder, _one) = record_alone(10);
        call();
        drop(recorder);
        call();
        assert_eq!(calls.get(), 1);
    });
}

#[test]
fn steps_in_a_note_are_recorded_before_it() {
    watched(|| {
        let (recorder, _one) = record_alone(10);
        note(|| {
            drop(oneshot::<u8>());
            "made one".to_owned()
        });
        let expected = ["made oneshot of u8", "sender closed oneshot of u8", "receiver closed oneshot of u8"];
        assert_eq!(in_short(&of_this_thread(recorder.stop())), [&expected[..], &["noted made one"]].concat());
    });
}

#[test]
fn steps_of_threads_that_have_ended_stay() {
    watched(|| {
        let (recorder, _one) = record_alone(10);
        let ended = crate::start("has ended", || drop(oneshot::<u32>()));
        ended.join().expect("it does not panic");
        let recording = of_threads(recorder.stop(), &["has ended"]);
        assert_eq!(recording.steps.len(), 3, "{:?}", recording.steps);
        assert!(!recording.has_more_threads);
    });
}

#[test]
fn the_number_of_recorded_threads_is_limited() {
    watched(|| {
        let (recorder, _one) = record_alone(1);
        for _ in 0..1025 {
            let one = thread::spawn(|| note(|| "one of many".to_owned()));
            one.join().expect("it does not panic");
        }
        let recording = recorder.stop();
        assert!(recording.has_more_threads);
        assert!(recording.threads.len() <= 1024, "{}", recording.threads.len());
    });
}
