//! How recordings are drawn.

use super::{of_this_thread, of_threads, record_alone};
use crate::start;
use pipes::inspect::note;
use pipes::{oneshot, stream};
use pipes_tests::watched;
use roxmltree::Document;

/// Names and texts with signs that mean something to Mermaid or XML.
#[test]
fn special_signs_are_escaped() {
    const NAME: &str = "<b>'&\"; end\n#1: %%{x}";
    watched(|| {
        let (recorder, _one) = record_alone(10);
        let noting = start(NAME, || note(|| "a;b\u{7}\u{ffff}]]><!--".to_owned()));
        noting.join().expect("it does not panic");
        let recording = of_threads(recorder.stop(), &[NAME]);
        let mermaid = recording.to_mermaid();
        let expected = "\
sequenceDiagram
    participant t0 as #60;b#62;'&#34;#59; end #35;1#58; #37;#37;#123;x#125;
    Note over t0: a#59;b #65535;#93;#93;#62;#60;!--
";
        assert_eq!(mermaid, expected);
        let picture = recording.to_svg();
        let texts = Document::parse(&picture).expect("it is XML");
        let texts: Vec<_> =
            texts.descendants().filter(|it| it.has_tag_name("text")).filter_map(|it| it.text()).collect();
        assert_eq!(texts, [NAME.replace('\n', " "), "a;b \u{fffd}]]><!--".to_owned()]);
        assert!(!picture.contains("\n\n"), "Markdown ends a picture at a blank line");
    });
}

#[test]
fn an_empty_recording_is_a_picture_too() {
    watched(|| {
        let (recorder, _one) = record_alone(10);
        let recording = of_threads(recorder.stop(), &[]);
        assert_eq!(recording.to_mermaid(), "sequenceDiagram\n");
        Document::parse(&recording.to_svg()).expect("it is XML");
    });
}

/// A message to itself, one that was not received, and a long text.
#[test]
fn what_has_no_other_thread_is_drawn() {
    watched(|| {
        let (recorder, _one) = record_alone(10);
        let (mut chan, mut port) = stream();
        chan.send(1_u8).and(chan.send(2)).expect("the port is there");
        assert_eq!(port.recv(), Ok(1));
        let long = "long ".repeat(20);
        note(|| long.clone());
        drop(chan);
        let recording = of_this_thread(recorder.stop());
        let mermaid = recording.to_mermaid();
        let expected = format!(
            "    t0->>t0: u8\n    Note over t0: sends u8\n    Note over t0: {long}\n    \
             Note over t0: closes stream of u8\n"
        );
        assert!(mermaid.ends_with(&expected), "{mermaid}");
        let picture = recording.to_svg();
        let picture = Document::parse(&picture).expect("it is XML");
        let is_whole = |it: roxmltree::Node<'_, '_>| it.has_tag_name("title") && it.text() == Some(&long);
        assert!(picture.descendants().any(is_whole));
    });
}

/// Without the steps of one thread, its messages are notes of the others.
#[test]
fn threads_that_are_left_out_have_no_column() {
    watched(|| {
        let (recorder, _one) = record_alone(10);
        let (chan, port) = oneshot::<u8>();
        let sending = start("sends one", move || chan.send(1).expect("the port is there"));
        sending.join().expect("it does not panic");
        start("receives one", move || assert_eq!(port.recv(), Ok(1))).join().expect("it does not panic");
        let recording = recorder.stop();
        let both = of_threads(recording.clone(), &["sends one", "receives one"]).to_mermaid();
        assert!(both.ends_with(" as receives one\n    t0->>t1: u8\n"), "{both}");
        let first = of_threads(recording.clone(), &["sends one"]).to_mermaid();
        assert!(first.ends_with(" as sends one\n    Note over t0: sends u8\n"), "{first}");
        let second = of_threads(recording, &["receives one"]).to_mermaid();
        assert!(second.ends_with(" as receives one\n    Note over t0: receives u8\n"), "{second}");
    });
}
