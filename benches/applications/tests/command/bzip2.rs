//! The program `bzip2` with files: what it writes, how other programs read that, and what it refuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{assert_refused, run_args, stderr};

/// An empty folder that no other test uses.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path).expect("the old folder goes");
    }
    fs::create_dir(&path).expect("the folder can be made");
    path
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("the path is text")
}

/// The names of the files in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<_> = entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Two blocks and a part of a third; the first two differ.
fn data() -> Vec<u8> {
    let numbers = (0..230_000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (number % 60));
    numbers.flat_map(u64::to_le_bytes).chain(*b"the end").collect()
}

/// Compresses or decompresses a file with every contender.
fn convert(mode: &str, medium: &str, input: &Path, output: &Path) {
    let args =
        ["bzip2", "--mode", mode, "--medium", medium, "--input", text(input), "--output", text(output)];
    let ran = run_args(&[&args[..], &["--repeat", "1"]].concat());
    assert_eq!(ran.status.code(), Some(0), "{args:?}: {}", stderr(&ran));
}

#[test]
fn what_was_compressed_comes_back_and_any_bzip2_would_have_made_it() {
    for medium in ["memory", "disk"] {
        let folder = folder(&format!("bzip2-{medium}"));
        let file = |name: &str| folder.join(name);
        for (name, data) in [("large", data()), ("small", b"a".to_vec()), ("empty", Vec::new())] {
            let (original, streams, back) = (file(name), file(&format!("{name}.bz2")), file("back"));
            fs::write(&original, &data).expect("the file can be written");
            convert("compress", medium, &original, &streams);
            convert("decompress", medium, &streams, &back);
            assert!(fs::read(&back).expect("it is there") == data, "{name} in {medium}");
            match Command::new("pbzip2").args(["-9", "-b9", "-c"]).arg(&original).output() {
                Ok(theirs) => {
                    assert!(fs::read(&streams).expect("it is there") == theirs.stdout, "{name} in {medium}");
                }
                Err(_) => {
                    println!("pbzip2 is not installed: {name} in {medium} was not compared with its output")
                }
            }
        }
        let left = ["back", "empty", "empty.bz2", "large", "large.bz2", "small", "small.bz2"];
        assert_eq!(names(&folder), left);
    }
}

#[test]
fn a_file_of_one_long_stream_is_decompressed_too() {
    let folder = folder("bzip2-stream");
    let (original, streams, back) = (folder.join("data"), folder.join("data.bz2"), folder.join("back"));
    fs::write(&original, data()).expect("the file can be written");
    // The system's `bzip2` writes a stream of several blocks.
    let Ok(theirs) = Command::new("bzip2").args(["-9", "-c"]).arg(&original).output() else {
        return println!("bzip2 is not installed: nothing was decompressed");
    };
    fs::write(&streams, theirs.stdout).expect("the file can be written");
    convert("decompress", "memory", &streams, &back);
    assert!(fs::read(&back).expect("it is there") == data());
}

#[test]
fn inputs_that_cannot_be_used_are_named_and_nothing_is_left() {
    let folder = folder("bzip2-inputs");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("the file can be written");
        path
    };
    let whole = folder.join("whole.bz2");
    convert("compress", "memory", &file("data", &data()), &whole);
    let streams = fs::read(&whole).expect("it is there");
    let mut corrupt = streams.clone();
    corrupt[streams.len() / 2] ^= 0x10;
    let cases = [
        (folder.join("missing"), "could not be read"),
        (folder.clone(), "could not be read"),
        (file("truncated.bz2", &streams[..streams.len() - 100]), "block 3"),
        (file("short.bz2", &streams[..5]), "truncated"),
        (file("corrupt.bz2", &corrupt), "corrupt"),
        (file("longer.bz2", &[&streams[..], b"x"].concat()), "block 3"),
        (file("text.bz2", b"This is no such file."), "corrupt"),
    ];
    let before = names(&folder);
    let output = folder.join("output");
    for (input, told) in &cases {
        for medium in ["memory", "disk"] {
            let (input, output) = (text(input), text(&output));
            let args =
                ["bzip2", "--mode", "decompress", "--medium", medium, "--input", input, "--output", output];
            assert_refused(&args, 1, &["bzip2 could not be made ready", input, told]);
            assert_eq!(names(&folder), before, "{args:?}");
        }
    }
    let missing = text(&cases[0].0);
    assert_refused(&["bzip2", "--input", missing], 1, &[missing, "could not be read"]);
}

#[test]
fn outputs_that_cannot_be_made_are_named() {
    let folder = folder("bzip2-outputs");
    let no_folder = folder.join("missing").join("output");
    let mut cases = vec![text(&no_folder), text(&folder)];
    if Path::new("/dev/full").exists() {
        cases.push("/dev/full");
    }
    for output in cases {
        for medium in ["memory", "disk"] {
            let args = ["bzip2", "--blocks", "1", "--medium", medium, "--output", output];
            assert_refused(&args, 1, &[output, "could not be created"]);
        }
    }
    assert!(names(&folder).is_empty());
}

/// Runs the command with a limit on the size of files, which has the same effect on a writer as a full disk.
#[cfg(unix)]
pub fn run_on_full_disk(args: &[&str]) -> Output {
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(crate::executable()).args(args).output().expect("sh starts")
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_leaves_what_was_there() {
    let (inputs, folder) = (folder("bzip2-full-inputs"), folder("bzip2-full"));
    let (input, output) = (inputs.join("input"), folder.join("output"));
    fs::write(&input, data()).expect("the file can be written");
    let files = ["bzip2", "--input", text(&input), "--output", text(&output), "--repeat", "1", "--medium"];
    for old in [None, Some("old")] {
        old.iter().for_each(|old| fs::write(&output, old).expect("the file can be written"));
        let before = names(&folder);
        // With `--medium memory` the first write to a file comes after everything else.
        for (medium, attempt) in [("memory", "the result could not be kept"), ("disk", "made ready")] {
            let ran = run_on_full_disk(&[&files[..], &[medium]].concat());
            assert_eq!(ran.status.code(), Some(1), "{medium}: {}", stderr(&ran));
            for words in [attempt, text(&output), "could not be written"] {
                assert!(stderr(&ran).contains(words), "{medium}: {words}: {}", stderr(&ran));
            }
            assert_eq!(names(&folder), before, "{medium}");
            assert_eq!(fs::read_to_string(&output).ok().as_deref(), old, "{medium}");
        }
    }
    let ran = run_on_full_disk(&["bzip2", "--blocks", "1", "--medium", "disk"]);
    assert_eq!(ran.status.code(), Some(1));
    assert!(stderr(&ran).contains("could not be written"), "{}", stderr(&ran));
}
