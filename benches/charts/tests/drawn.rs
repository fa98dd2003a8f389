//! The executable: what it draws, and what it refuses.

use std::env::{self, consts::EXE_SUFFIX};
use std::io::Write;
use std::process::{Command, Output, Stdio};

use pipes_charts::{Bar, Chart, Curve, Drawing, Line, Panel};

/// Draws what this describes. `cargo test` builds the executable before the tests begin, unless it is asked
/// for single tests.
fn draw(format: &str, description: &[u8]) -> Output {
    let test = env::current_exe().expect("the test has a file");
    let profile = test.ancestors().nth(2).expect("it is in `deps`");
    let mut child = Command::new(profile.join("examples").join(format!("pipes-charts{EXE_SUFFIX}")))
        .arg(format)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // An error is ignored: if the format is refused, the input is not read.
    let _ = child.stdin.take().expect("it is piped").write_all(description);
    child.wait_with_output().expect("it ends")
}

/// Asserts that these labels are in the drawing, and that it can be drawn in pixels.
fn assert_drawn(drawing: Drawing, labels: &[&str]) {
    let (title, explanation) = ("ring --nodes 5".to_owned(), "what is shown".to_owned());
    let chart = serde_json::to_vec(&Chart { title, explanation, drawing }).expect("it has a description");
    let output = draw("svg", &chart);
    assert!(output.status.success(), "{output:?}");
    let svg = String::from_utf8(output.stdout).expect("it is text");
    assert!(svg.starts_with("<svg"), "{svg}");
    for label in ["ring --nodes 5", "what is shown"].iter().chain(labels) {
        assert!(svg.contains(label), "{label}: {svg}");
    }
    let output = draw("png", &chart);
    assert!(output.status.success() && output.stdout.starts_with(b"\x89PNG\r\n"), "{output:?}");
}

#[test]
fn bars() {
    let bar = |name: &str, ours, median| Bar {
        name: name.to_owned(),
        ours,
        min: median * 0.9,
        median,
        max: median * 1.5,
    };
    let bars = vec![bar("pipes", true, 1234.5), bar("another", false, 9876.5)];
    assert_drawn(Drawing::Bars(bars), &["pipes", "another", "1234", "9876", "10,000", "ns/op"]);
}

#[test]
fn lines() {
    let line = |name: &str, ours, speed_up| Line {
        name: name.to_owned(),
        ours,
        points: vec![(1, 1.0), (2, speed_up), (4, 2.0 * speed_up)],
    };
    let lines = vec![line("pipes", true, 1.9), line("another", false, 1.6)];
    assert_drawn(Drawing::Lines(lines), &["pipes", "another", "workers", "speed-up"]);
}

#[test]
fn panels() {
    let curve = |name: &str, ours, points: &[(f64, f64)]| Curve {
        name: name.to_owned(),
        ours,
        points: points.to_vec(),
    };
    let many: Vec<_> = (0..100).map(|x| (f64::from(x), 1e6 * f64::from(x))).collect();
    let curves = vec![curve("pipes", true, &many), curve("another", false, &[(2.0, 5e6)])];
    let rates = Panel { across: "seconds".to_owned(), up: "items a second".to_owned(), curves };
    let curves = vec![curve("third", false, &[(3.0, 0.25)])];
    let latencies = Panel { across: "batch".to_owned(), up: "milliseconds".to_owned(), curves };
    let labels = ["pipes", "another", "third", "seconds", "items a second", "batch", "milliseconds", " M"];
    assert_drawn(Drawing::Panels(vec![rates, latencies]), &labels);
}

#[test]
fn nothing_to_draw_is_drawn() {
    assert_drawn(Drawing::Bars(Vec::new()), &[]);
    assert_drawn(Drawing::Lines(Vec::new()), &[]);
    assert_drawn(Drawing::Panels(Vec::new()), &[]);
    let empty = Panel { across: "x".to_owned(), up: "y".to_owned(), curves: Vec::new() };
    assert_drawn(Drawing::Panels(vec![empty]), &["y"]);
}

#[test]
fn what_is_not_a_chart_is_refused() {
    for (format, description, code) in [("gif", "", 2), ("svg", "{\"title\": 3}", 1), ("png", "", 1)] {
        let output = draw(format, description.as_bytes());
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let sentence = String::from_utf8(output.stderr).expect("it is text");
        assert!(output.stdout.is_empty() && sentence.lines().count() == 1, "{sentence}");
    }
}
