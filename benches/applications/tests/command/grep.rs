//! The program `grep`: the race, and the small tool for a person, with the exit codes of GNU grep.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::bzip2::{folder, text};
use crate::support::{assert_refused, lines, stderr, stdout};

/// Tiny races, and the contenders that must be there.
pub const TINY: &[(&str, &str)] = &[
    ("grep --files 1", "sequential threads tokio pariter rayon ignore"),
    ("grep --files 300 --replicas 7", "sequential threads tokio pariter rayon ignore"),
    ("grep --files 300 --pattern device$ --batch 3", "sequential threads tokio pariter rayon ignore"),
    ("grep --files 300 --sorted", "sequential threads tokio pariter rayon"),
];

/// A folder with files of several kinds.
fn tree(name: &str) -> PathBuf {
    let root = folder(name);
    let put = |name: &str, bytes: &[u8]| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("the folder can be made");
        fs::write(path, bytes).expect("the file can be written");
    };
    put("a.txt", b"foo one\nbar\nFOO two\nfoo");
    put("sub/b.txt", b"bar\nfoo in sub\n");
    put("sub/none.txt", b"bar\n");
    put("sub/empty.txt", b"");
    put(".hidden/h.txt", b"foo hidden\n");
    put("binary", b"foo\0foo\nfoo\n");
    put("latin", b"foo good\nfoo \xff bad\nfoo last\n");
    root
}

/// Runs the command in a folder.
fn grep_in(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(crate::executable());
    command.arg("grep").args(args).current_dir(folder).output().expect("the command starts")
}

/// Asserts what a search prints, and with which exit code.
fn assert_prints(folder: &Path, words: &str, due: (i32, &str, &str)) {
    let output = grep_in(folder, &words.split_whitespace().collect::<Vec<_>>());
    let printed = (output.status.code().expect("an exit code"), stdout(&output), stderr(&output));
    assert_eq!(printed, due, "{words}");
}

#[test]
fn lines_are_printed_in_the_order_of_names() {
    let root = tree("grep-tool");
    let cases: &[(&str, i32, &str)] = &[
        ("foo a.txt", 0, "foo one\nfoo\n"),
        ("foo sub", 0, "sub/b.txt:foo in sub\n"),
        ("foo sub a.txt", 0, "sub/b.txt:foo in sub\na.txt:foo one\na.txt:foo\n"),
        ("foo .hidden", 0, ".hidden/h.txt:foo hidden\n"),
        ("foo binary", 0, "foo\0foo\nfoo\n"),
        ("in|hidden|two", 0, "./.hidden/h.txt:foo hidden\n./a.txt:FOO two\n./sub/b.txt:foo in sub\n"),
        ("nothing sub", 1, ""),
        ("foo sub/none.txt sub/empty.txt", 1, ""),
    ];
    for (words, code, printed) in cases {
        assert_prints(&root, words, (*code, printed, ""));
    }
}

#[test]
fn what_cannot_be_read_is_told_after_which_the_rest_is_searched() {
    let root = tree("grep-unreadable");
    let missing = "grep: missing: No such file or directory\n";
    assert_prints(&root, "foo missing sub", (2, "sub/b.txt:foo in sub\n", missing));
    assert_prints(&root, "nothing missing", (2, "", missing));
    assert_prints(&root, "foo sub/b.txt/", (2, "", "grep: sub/b.txt/: Not a directory\n"));
}

#[cfg(unix)]
#[test]
fn links_are_followed_only_where_they_are_named() {
    use std::os::unix::fs::symlink;
    let root = tree("grep-links");
    for (to, from) in [("a.txt", "link"), ("loop", "loop"), ("missing", "dangling"), ("..", "sub/up")] {
        symlink(to, root.join(from)).expect("a link");
    }
    assert_prints(&root, "foo link", (0, "foo one\nfoo\n", ""));
    assert_prints(&root, "in sub", (0, "sub/b.txt:foo in sub\n", ""));
    assert_prints(&root, "sub sub/up", (0, "sub/up/sub/b.txt:foo in sub\n", ""));
    assert_prints(
        &root,
        "foo loop dangling sub",
        (
            2,
            "sub/b.txt:foo in sub\n",
            "grep: loop: Too many levels of symbolic links\ngrep: dangling: No such file or directory\n",
        ),
    );
}

#[cfg(unix)]
#[test]
fn folders_and_files_without_permission_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let root = tree("grep-permission");
    let closed = |name: &str, mode| {
        fs::set_permissions(root.join(name), fs::Permissions::from_mode(mode))
            .expect("the owner may do that");
    };
    closed("a.txt", 0);
    closed("sub", 0);
    let output = grep_in(&root, &["good", "."]);
    let may_read_all = fs::read(root.join("a.txt")).is_ok();
    closed("sub", 0o755);
    if may_read_all {
        return println!("this user may read everything: permissions were not tested");
    }
    assert_eq!(output.status.code(), Some(2));
    for name in ["a.txt", "sub"] {
        assert!(stderr(&output).contains(&format!("grep: ./{name}: Permission denied\n")), "{output:?}");
    }
    assert_eq!(stdout(&output), "./latin:foo good\n");
}

#[cfg(unix)]
#[test]
fn names_may_be_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let root = folder("grep-names");
    let name = OsStr::from_bytes(b"\xff name\n");
    if fs::write(root.join(name), "foo\n").is_err() {
        return println!("this file system has no names that are not text: they were not tested");
    }
    assert_eq!(grep_in(&root, &["foo"]).stdout, b"./\xff name\n:foo\n");
    let mut named = Command::new(crate::executable());
    let output = named.args(["grep", "foo"]).arg(root.join(name)).output().expect("it starts");
    assert_eq!(output.stdout, b"foo\n");
}

#[test]
fn the_output_is_not_searched() {
    let root = tree("grep-output");
    let out = fs::File::create(root.join("sub/out")).expect("a file");
    let mut command = Command::new(crate::executable());
    let command = command.args(["grep", "foo", "sub"]).current_dir(&root);
    let output = command.stdout(out).stderr(Stdio::piped()).output().expect("the command starts");
    if cfg!(unix) {
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stderr(&output), "grep: sub/out: input file is also the output\n");
    }
    assert_eq!(fs::read_to_string(root.join("sub/out")).expect("text"), "sub/b.txt:foo in sub\n");
}

#[test]
fn a_reader_that_closes_early_is_no_error() {
    let root = folder("grep-head");
    fs::write(root.join("long"), "foo and some more\n".repeat(100_000)).expect("it can be written");
    let mut command = Command::new(crate::executable());
    let command = command.args(["grep", "foo", "."]).current_dir(&root);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut first = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("its output"));
    out.read_line(&mut first).expect("a line");
    drop(out);
    assert_eq!(first, "./long:foo and some more\n");
    let mut told = String::new();
    child.stderr.take().expect("its messages").read_to_string(&mut told).expect("text");
    assert_eq!((child.wait().expect("it ends").code(), told.as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told() {
    if !Path::new("/dev/full").exists() {
        return println!("there is no /dev/full: a full disk was not tested");
    }
    let root = tree("grep-full");
    let full = fs::File::options().write(true).open("/dev/full").expect("it can be opened");
    let mut command = Command::new(crate::executable());
    let command = command.args(["grep", "foo", "sub"]).current_dir(&root);
    let output = command.stdout(full).stderr(Stdio::piped()).output().expect("the command starts");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "grep: write error: No space left on device\n");
}

/// Compares with the GNU grep of this machine, in a tree of all kinds of files.
#[test]
fn gnu_grep_prints_the_same() {
    let told = Command::new("grep").arg("--version").output();
    if !told.is_ok_and(|told| told.stdout.starts_with(b"grep (GNU grep) 3.")) {
        return println!("GNU grep 3 is not installed: nothing was compared with it");
    }
    let root = tree("grep-gnu");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let sorted = |bytes: &[u8]| {
        let mut lines: Vec<_> = bytes.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        lines.sort();
        lines
    };
    for folder in [&root, &source] {
        for pattern in ["foo", "[fF]oo|bar$", "^$", "fn [a-z_]+\\(", "", "nothing at all"] {
            for paths in [&["."][..], &[".", "missing"]] {
                let args = [&[pattern], paths].concat();
                let ours = grep_in(folder, &args);
                let mut theirs = Command::new("grep");
                theirs.env("LC_ALL", "C").arg("-raE").args(&args).current_dir(folder);
                let theirs = theirs.output().expect("it starts");
                assert_eq!(sorted(&ours.stdout), sorted(&theirs.stdout), "{args:?}");
                assert_eq!(ours.stderr, theirs.stderr, "{args:?}");
                assert_eq!(ours.status.code(), theirs.status.code(), "{args:?}");
            }
        }
    }
}

#[test]
fn a_race_searches_folders_that_exist() {
    let root = tree("grep-race");
    let race = lines(&format!("grep --input {} --pattern [fF]oo", text(&root)));
    let names: Vec<_> = race.iter().map(|line| line["contender"].as_str().expect("a name")).collect();
    for (name, version) in [("rg", "ripgrep "), ("grep", "grep (GNU grep) ")] {
        let told = Command::new(name).arg("--version").output();
        let is_there = told.is_ok_and(|told| told.stdout.starts_with(version.as_bytes()));
        assert_eq!(names.contains(&name), is_there, "{name}: {names:?}");
    }
    for line in &race {
        // Hidden and binary files are searched, too, as text.
        assert_eq!((line["ops"].as_u64(), line["lines"].as_u64()), (Some(7), Some(9)), "{line}");
    }
}

#[test]
fn bad_arguments_of_grep_are_refused() {
    let root = tree("grep-bad");
    let (file, missing) = (root.join("a.txt"), root.join("missing"));
    let (root, file, missing) = (text(&root), text(&file), text(&missing));
    let cases: &[(&[&str], i32, &[&str])] = &[
        (&["foo", root, "--contenders", "pipes"], 2, &["--contenders", "the race"]),
        (&["foo", root, "--repeat", "3"], 2, &["--repeat", "the race"]),
        (&["foo", root, "--json"], 2, &["--json", "the race"]),
        (&["foo", root, "--class", "test"], 2, &["--class", "the race"]),
        (&["foo", root, "--replicas", "2"], 2, &["--replicas", "the race"]),
        (&["foo", root, "--files", "3"], 2, &["--files"]),
        (&["foo", "--pattern", "bar"], 2, &["--pattern"]),
        (&["foo", root, "--input", root], 2, &["--input"]),
        (&["foo", root, "--unknown"], 2, &["--unknown"]),
        (&["foo", root, "--sorted"], 2, &["--sorted", "the race"]),
        (&["foo", "-n"], 2, &["-n"]),
        (&["(", root], 2, &["invalid pattern: unclosed group"]),
        (&["--pattern", "("], 2, &["invalid pattern: unclosed group"]),
        (&["--pattern", "a\nb"], 2, &["invalid pattern"]),
        (&["--files", "0"], 2, &["--files"]),
        (&["--input", missing], 1, &[missing, "No such file or directory"]),
        (&["--input", file], 1, &[file, "no folder"]),
        (&["--files", "200", "--contenders", "faulty"], 1, &["`faulty`", "where", "is due"]),
    ];
    for (words, code, told) in cases {
        assert_refused(&[&["grep"], *words].concat(), *code, told);
    }
    let empty = folder("grep-empty");
    assert_refused(&["grep", "--input", text(&empty)], 1, &["there is no file to search", text(&empty)]);
}

#[test]
fn the_help_has_the_options_of_both() {
    for word in ["-h", "--help"] {
        let output = crate::support::run(&format!("grep {word}"));
        assert_eq!(output.status.code(), Some(0));
        for option in ["[PATTERN]", "[PATH]", "--input", "--contenders"] {
            assert!(stdout(&output).contains(option), "{option}: {}", stdout(&output));
        }
    }
}
