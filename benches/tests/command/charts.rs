//! The charts: what they show, and where they may go.

use std::fs;
use std::path::Path;

use crate::support::{assert_refused, fresh_file, run_args, stderr, stdout};

#[test]
fn charts_are_drawn() {
    let small = ["pingpong", "--rounds", "3", "--repeat", "2", "--contenders", "pipes,std", "--plot"];
    let svg = fresh_file("chart.svg");
    let output = run_args(&[small.as_slice(), &[&svg]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let drawing = fs::read_to_string(svg).expect("the SVG is there");
    assert!(drawing.starts_with("<svg"), "{drawing}");
    for label in ["pipes", "std", "pingpong --rounds 3", "3 rounds", "ns/op"] {
        assert!(drawing.contains(label), "{label}: {drawing}");
    }

    let png = fresh_file("chart.png");
    let output = run_args(&[small.as_slice(), &[&png]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(fs::read(png).expect("the PNG is there").starts_with(b"\x89PNG\r\n"));
}

#[test]
fn a_chart_that_cannot_be_written_fails_before_the_race() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-such-folder").join("chart.svg");
    let path = path.to_str().expect("the path is text");
    let output = run_args(&["oneshot", "--rounds", "3", "--repeat", "1", "--plot", path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "{}", stdout(&output));
    let sentence = stderr(&output);
    assert!(sentence.contains(path) && sentence.lines().count() == 1, "{sentence}");
    assert!(!sentence.contains(".part"), "it is about a file that the user has named: {sentence}");
}

#[test]
fn charts_have_no_place_in_these() {
    let file = fresh_file("file.txt");
    fs::write(&file, "a file").expect("the file can be written");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("folder.svg");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let kept = fresh_file("kept.svg");
    fs::write(&kept, "to be kept").expect("the file can be written");
    let mut permissions = fs::metadata(&kept).expect("it is there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&kept, permissions).expect("they can be set");
    let places = [
        format!("{file}/chart.svg"),
        folder.to_str().expect("the path is text").to_owned(),
        fresh_file("missing.svg/"),
        fresh_file(&format!("{}.svg", "x".repeat(300))),
        kept.clone(),
    ];
    for place in &places {
        let args = ["oneshot", "--rounds", "3", "--repeat", "1", "--plot", place];
        assert_refused(&args, 1, &[place, "no chart"]);
    }
    assert_eq!(fs::read_to_string(kept).expect("it is there"), "to be kept");
}

#[cfg(unix)]
#[test]
fn a_chart_goes_to_the_end_of_a_link() {
    let (link, end) = (fresh_file("link.svg"), fresh_file("end.svg"));
    fs::write(&end, "an old one").expect("the file can be written");
    std::os::unix::fs::symlink(&end, &link).expect("a link can be made");
    let output =
        run_args(&["oneshot", "--rounds", "3", "--repeat", "1", "--contenders", "pipes", "--plot", &link]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert!(fs::read_to_string(&end).expect("it is there").starts_with("<svg"));
}
