//! The program `graph500`: its output block, graphs in files, and what it refuses.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::fresh_file;
use crate::support::{assert_refused, lines, run, stderr, stdout};

/// Tiny sizes, and the contenders that must be there.
pub const TINY: &[(&str, &str)] = &[
    ("graph500 --scale 10", "pipes pipes-alone pipes-2012 sequential sequential-do rayon-do petgraph"),
    (
        "graph500 --scale 10 --workers 1 --keys 9",
        "pipes pipes-2012 sequential sequential-do rayon-do petgraph",
    ),
    (
        "graph500 --scale 12 --workers 3 --keys 8 --seed 7",
        "pipes pipes-alone pipes-2012 sequential-do rayon-do",
    ),
    // More workers than words of bits.
    ("graph500 --scale 7 --workers 5", "pipes pipes-2012 rayon-do"),
    ("graph500 --scale 1", "pipes pipes-2012 sequential sequential-do rayon-do petgraph"),
];

/// A graph of a known size in a file that no other test uses.
fn serialized(name: &str) -> String {
    let path = fresh_file(name);
    let words = format!("graph500 --scale 8 --keys 2 --repeat 1 --contenders sequential --write {path}");
    let output = run(&words);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    path
}

#[test]
fn the_block_of_the_specification_follows_the_table() {
    let output = run("graph500 --scale 10 --keys 16 --repeat 3 --contenders pipes,sequential");
    let text = stdout(&output);
    let (table, block) = text.split_once("\n\n").expect("a table and a block");
    assert!(table.starts_with("graph500 --scale 10 --keys 16 --workers 2"), "{table}");
    assert!(
        block.starts_with("pipes, the run in the middle:\nSCALE: 10\nedgefactor: 16\nNBFS: 16\n"),
        "{block}"
    );
    let value = |name: &str| -> f64 {
        let line = block.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
        line.expect(name).parse().expect("a number")
    };
    assert!(value("construction_time") > 0.0);
    for name in ["time", "nedge", "TEPS"] {
        let orders = ["min", "firstquartile", "median", "thirdquartile", "max"];
        let values = orders.map(|order| value(&format!("{order}_{name}")));
        assert!(values.is_sorted() && values[0] > 0.0, "{name}: {values:?}");
    }
    assert!((value("min_TEPS")..=value("max_TEPS")).contains(&value("harmonic_mean_TEPS")));
    assert!((value("min_time")..=value("max_time")).contains(&value("mean_time")));
    assert!(value("max_nedge") <= 16.0 * 1024.0 && value("stddev_nedge") >= 0.0);
    assert_eq!(block.matches("SCALE").count(), 1, "{block}");
    let all = run("graph500 --scale 8 --keys 4 --repeat 1 --contenders pipes,sequential --blocks");
    assert_eq!(stdout(&all).matches("SCALE: 8").count(), 2, "{}", stdout(&all));
}

#[test]
fn the_block_is_in_every_line_of_json() {
    let lines = lines("graph500 --scale 9 --keys 5 --contenders sequential,rayon-do");
    for line in &lines {
        assert_eq!((&line["SCALE"], &line["NBFS"]), (&9.into(), &5.into()), "{line}");
        let (mean, ops) =
            (line["mean_nedge"].as_f64().expect("a mean"), line["ops"].as_f64().expect("a number"));
        assert!((mean * 5.0 - ops).abs() < 1e-6, "one op is one edge: {line}");
        assert!(line["harmonic_mean_TEPS"].as_f64() > Some(0.0), "{line}");
    }
    assert_eq!(lines.len(), 2);
}

#[test]
fn a_falsified_parent_is_rejected() {
    let args = ["graph500", "--scale", "10", "--contenders", "pipes,faulty"];
    assert_refused(&args, 1, &["`faulty`", "wrong result", "search 64", "it is no tree", "cycle"]);
}

#[test]
fn a_graph_that_was_written_is_read() {
    let path = serialized("round.sg");
    let again = fresh_file("again.sg");
    let words = format!("graph500 --graph {path} --keys 300 --workers 3 --write {again}");
    let lines = lines(&words);
    assert_eq!(lines.len(), 6, "every contender but that of 2012");
    // Fewer keys than requested: some vertices have no edge.
    assert!(lines.iter().all(|line| line["NBFS"].as_u64() < Some(256) && line["SCALE"] == 8), "{lines:?}");
    assert!(fs::read(&path).expect("it is there") == fs::read(&again).expect("it is there"));
}

#[test]
fn files_that_are_no_graphs_are_named_with_the_place() {
    let whole = fs::read(serialized("whole.sg")).expect("it is there");
    let file = |name: &str, bytes: &[u8]| {
        let path = fresh_file(name);
        fs::write(&path, bytes).expect("the file can be written");
        path
    };
    let changed = |place: usize, bytes: &[u8]| {
        let mut all = whole.clone();
        all[place..place + bytes.len()].copy_from_slice(bytes);
        all
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).to_str().expect("the path is text").to_owned();
    let cases = [
        (fresh_file("missing.sg"), "No such file"),
        (folder, "no regular file"),
        (file("empty.sg", &[]), "at byte 0, it ends"),
        (file("short.sg", &whole[..whole.len() - 1]), "at byte 1, "),
        (file("header.sg", &whole[..11]), "at byte 11, it ends"),
        (file("long.sg", &[&whole[..], &[0]].concat()), "at byte 1, "),
        (
            file("huge.sg", &changed(9, &i64::MAX.to_le_bytes())),
            "at byte 9, it says that it has 9223372036854775807",
        ),
        (file("many.sg", &changed(9, &2_000_000_000_u64.to_le_bytes())), "at byte 1, 2000000000 vertices"),
        (file("directed.sg", &changed(0, &[1])), "at byte 0, it says that it is directed"),
        (file("disorder.sg", &changed(17 + 8 * 100, &u64::MAX.to_le_bytes())), "at byte 817, offset 100"),
        (
            file("stranger.sg", &changed(17 + 8 * 257, &256_u32.to_le_bytes())),
            "at byte 2073, 256 is said to be",
        ),
        (
            file("nothing.sg", &[&[0; 9][..], &3_u64.to_le_bytes(), &[0; 32]].concat()),
            "at byte 1, it says that it has no",
        ),
    ];
    for (path, told) in &cases {
        let args = ["graph500", "--graph", path, "--contenders", "pipes"];
        assert_refused(&args, 1, &["graph500 could not be made ready", path, told]);
    }
}

#[test]
fn files_that_cannot_be_written_are_named_and_nothing_is_left() {
    let folder = PathBuf::from(fresh_file("no-such-folder"));
    let path = folder.join("graph.sg");
    let path = path.to_str().expect("the path is text");
    assert_refused(&["graph500", "--scale", "4", "--write", path], 1, &[path, "could not be created"]);
    assert!(!folder.exists());
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_leaves_no_graph() {
    let path = fresh_file("full.sg");
    let args = ["graph500", "--scale", "9", "--keys", "1", "--contenders", "sequential", "--write", &path];
    let ran = crate::bzip2::run_on_full_disk(&args);
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    let sentence = stderr(&ran);
    assert!(sentence.contains(&path) && sentence.contains("could not be written"), "{sentence}");
    assert!(!Path::new(&path).exists());
}

#[test]
fn bad_arguments_are_refused() {
    let cases: &[(&str, &[&str])] = &[
        ("graph500 --scale 0", &["--scale", "1..=22"]),
        ("graph500 --scale 64", &["--scale", "1..=22"]),
        ("graph500 --scale -1", &["-1"]),
        ("graph500 --keys 0", &["--keys"]),
        ("graph500 --workers 0", &["--workers", "1..=64"]),
        (
            "graph500 --scale 22 --keys 1000",
            &["1000 trees of 4194304 vertices, with 134217728 entries in their rows, need 34829500416 bytes"],
        ),
        ("graph500 --scale 10 --graph any.sg", &["--scale", "--graph"]),
        ("graph500 --scale 19 --contenders pipes-2012", &["pipes-2012", "--scale 18"]),
        ("graph500 --on threads", &["--on"]),
    ];
    for (words, told) in cases {
        assert_refused(&words.split_whitespace().collect::<Vec<_>>(), 2, told);
    }
}

/// A sparse file claims to be a graph for which no machine has room. It is refused before memory is allocated
/// for it.
#[test]
fn a_graph_too_large_is_refused_at_once() {
    let path = fresh_file("hole.sg");
    let (vertices, entries) = (i32::MAX as u64, 10_u64);
    let mut header = vec![0];
    header.extend(entries.to_le_bytes());
    header.extend(vertices.to_le_bytes());
    fs::write(&path, header).expect("the file can be written");
    let file = fs::OpenOptions::new().write(true).open(&path).expect("it is there");
    if file.set_len(17 + 8 * (vertices + 1) + 4 * entries).is_ok() {
        assert_refused(
            &["graph500", "--graph", &path],
            1,
            &["hole.sg", "at byte 1", "trees of 2147483647 vertices"],
        );
    }
    fs::remove_file(&path).expect("it is there");
}

/// The command does not wait for the other end of a named pipe.
#[test]
fn a_pipe_is_no_graph() {
    let path = fresh_file("pipe.sg");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if made.is_ok_and(|status| status.success()) {
        assert_refused(&["graph500", "--graph", &path], 1, &["pipe.sg", "no regular file"]);
        fs::remove_file(&path).expect("it is there");
    } else {
        eprintln!("skipped: there is no mkfifo here");
    }
}
