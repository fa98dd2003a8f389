//! The charts: what they show, and where they may be written.

use std::fs;
use std::path::Path;

#[cfg(unix)]
use crate::fake::Target;
use crate::files::fresh_file;
use crate::support::{assert_refused, run_args, stderr, stdout};

#[cfg(unix)]
#[test]
fn charts_are_drawn() {
    let small = "ring --nodes 3 --messages 2 --repeat 2 --contenders pipes,std";
    let target = Target::new("drawn");
    for file in ["chart.svg", "chart.png"] {
        let chart = target.drawn(small, &fresh_file(file));
        assert_eq!(chart["title"], "ring --nodes 3 --messages 2 --on threads");
        let explanation = "6 messages, median of 2 rounds, whiskers from shortest to longest";
        assert_eq!(chart["explanation"], explanation);
        let bars = chart["drawing"]["Bars"].as_array().expect("bars");
        assert_eq!(bars.len(), 2, "{bars:?}");
        let medians: Vec<_> = bars.iter().map(|bar| bar["median"].as_f64().expect("a median")).collect();
        assert!(medians[0] <= medians[1], "the fastest comes first: {medians:?}");
        for bar in bars {
            assert_eq!(bar["ours"], bar["name"] == "pipes", "{bar}");
            assert!(bar["min"].as_f64() <= bar["median"].as_f64(), "{bar}");
            assert!(bar["median"].as_f64() <= bar["max"].as_f64(), "{bar}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_chart_that_cannot_be_drawn_is_not_there() {
    let target = Target::new("undrawn");
    let file = fresh_file("undrawn.svg");
    let words = format!("ring --nodes 3 --messages 2 --repeat 1 --contenders pipes --plot {file}");
    target.charts("echo no ink >&2; exit 1");
    // The results are printed all the same, because measuring them takes time.
    let output = target.run(&target.script("cargo", "exit 0"), &words);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("pipes"), "{}", stdout(&output));
    assert_eq!(stderr(&output), format!("pipes-benches: {file} could not be drawn: no ink\n"));
    target.charts("kill -9 $$");
    let output = target.run(&target.script("cargo", "exit 0"), &words);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("could not be drawn: signal: 9"), "{}", stderr(&output));
    // Invalid requests are refused before anything is built, and the package that draws is built before the
    // race.
    let output = target.run(&target.script("cargo", "exit 101"), &format!("{words} --contenders go"));
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    let output = target.run(&target.script("cargo", "exit 101"), &words);
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""));
    assert_eq!(stderr(&output), "pipes-benches: what draws charts could not be built\n");
    assert!(!Path::new(&file).exists());
}

#[test]
fn a_chart_that_cannot_be_written_fails_before_the_race() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-such-folder").join("chart.svg");
    let path = path.to_str().expect("the path is text");
    let output = run_args(&["ring", "--nodes", "3", "--messages", "2", "--repeat", "1", "--plot", path]);
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
        let args = ["ring", "--nodes", "3", "--messages", "2", "--repeat", "1", "--plot", place];
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
    Target::new("link").drawn("ring --nodes 3 --messages 2 --repeat 1 --contenders pipes", &link);
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    assert_eq!(fs::read_to_string(&end).expect("it is there"), "drawn as svg\n");
}
