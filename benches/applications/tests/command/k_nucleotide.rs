//! The programs `fasta` and `k-nucleotide`: the output of the first, and texts that the second counts or
//! refuses.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use md5::{Digest, Md5};

use crate::files::fresh_file;
use crate::support::{assert_refused, run, run_args, stderr, stdout};

/// A small size in every variant, and the contenders that must be there.
pub const TINY: &[(&str, &str)] = &[
    ("k-nucleotide --n 1000 --shape fast", "pipes sequential std crossbeam crossbeam-sizes rayon"),
    (
        "k-nucleotide --n 1000 --shape fast --workers 9",
        "pipes sequential std crossbeam crossbeam-sizes rayon",
    ),
    ("k-nucleotide --n 1 --shape fast --workers 1", "pipes sequential std crossbeam crossbeam-sizes rayon"),
    ("k-nucleotide --n 1000 --shape 2012", "pipes sequential std crossbeam"),
    ("k-nucleotide --n 3 --shape 2012", "pipes sequential std crossbeam"),
    ("k-nucleotide --n 1000 --shape 2012 --counting off", "pipes sequential std crossbeam"),
];

/// The ways in which a text is read and counted.
const WAYS: &[&[&str]] =
    &[&["--shape", "fast"], &["--shape", "2012"], &["--shape", "2012", "--counting", "off"]];

/// The text for `n` as the command writes it.
fn fasta(n: u64) -> Vec<u8> {
    let output = run(&format!("fasta {n}"));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    output.stdout
}

/// Starts the command, with its output piped to the test.
fn started(args: &[&str], input: Stdio) -> Child {
    let mut command = Command::new(crate::executable());
    command.args(args).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the command starts")
}

/// Writes a text to a file that no other test writes.
fn file(name: &str, text: &[u8]) -> String {
    let path = fresh_file(name);
    fs::write(&path, text).expect("the file can be written");
    path
}

/// Asserts that every contender counts this text, and that it has this number of letters.
fn assert_counted(name: &str, text: &[u8], letters: u64) {
    let path = file(name, text);
    for way in WAYS {
        let args = [&["k-nucleotide", "--input", &path, "--repeat", "1", "--json"], *way].concat();
        let output = run_args(&args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        for line in stdout(&output).lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect(line);
            assert_eq!(
                (line["ops"].as_u64(), line["verified"].as_bool()),
                (Some(letters), Some(true)),
                "{line}"
            );
            assert_eq!(line["params"]["n"], serde_json::Value::Null, "{line}");
        }
    }
}

/// Asserts that no contender counts this text, and that the error names the file, the place and the reason.
fn assert_wrong(name: &str, text: &[u8], line: usize, column: usize, told: &str) {
    let path = file(name, text);
    let place = format!("{path}, line {line}, column {column}: ");
    for way in WAYS {
        let args = [&["k-nucleotide", "--input", &path], *way].concat();
        assert_refused(&args, 1, &["k-nucleotide could not be made ready: ", &place, told]);
    }
}

#[test]
fn fasta_writes_the_bytes_of_the_game() {
    let md5 = |bytes: &[u8]| format!("{:032x}", u128::from_be_bytes(Md5::digest(bytes).into()));
    assert_eq!(md5(&fasta(1_000)), "60cbd78a7793bcc8032ef153b4a37b56");
    assert_eq!(md5(&fasta(250_000)), "6618b1e75e036a9a81f29aa5affb04ab");
    assert_eq!(run("fasta --n 1000").stdout, fasta(1_000));
}

#[test]
fn fasta_writes_the_longest_input_of_the_game() {
    let mut child = started(&["fasta", "25000000"], Stdio::null());
    let mut out = child.stdout.take().expect("it is piped");
    let (mut md5, mut block) = (Md5::new(), vec![0; 1 << 16]);
    loop {
        match out.read(&mut block).expect("it can be read") {
            0 => break,
            length => md5.update(&block[..length]),
        }
    }
    assert!(child.wait().expect("it ends").success());
    let digits = format!("{:032x}", u128::from_be_bytes(md5.finalize().into()));
    assert_eq!(digits, "fd55b9e8011c781131046b6dd87511e1");
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let mut child = started(&["fasta", "1000000"], Stdio::null());
    let mut begin = [0; 21];
    child.stdout.take().expect("it is piped").read_exact(&mut begin).expect("there is more");
    assert_eq!(&begin, b">ONE Homo sapiens alu");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = std::fs::File::create("/dev/full").expect("it is there");
    let mut command = Command::new(crate::executable());
    let output = command.args(["fasta", "1000"]).stdout(full).output().expect("the command starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("pipes-benches: the sequences could not be written: "));
}

#[test]
fn bad_arguments_of_both_are_refused() {
    let cases: &[(&str, &[&str])] = &[
        ("fasta 0", &["0", "1..=1000000000000"]),
        ("fasta -5", &["-5"]),
        ("fasta many", &["many"]),
        ("fasta --n", &["--n"]),
        ("fasta 5 6", &["6"]),
        ("fasta 5 --n 5", &["--n"]),
        ("fasta --repeat 3", &["--repeat"]),
        ("k-nucleotide --n 0", &["--n", "1..=400000000"]),
        ("k-nucleotide --n 400000001", &["400000001"]),
        ("k-nucleotide --n 5 --input x", &["--n", "--input"]),
        ("k-nucleotide --shape round", &["--shape", "fast, 2012"]),
        ("k-nucleotide --workers 0", &["--workers", "1..=256"]),
        ("k-nucleotide --counting off", &["--counting off", "--shape 2012"]),
        ("k-nucleotide --shape 2012 --contenders rayon", &["rayon", "--shape fast"]),
    ];
    for (words, told) in cases {
        assert_refused(&words.split_whitespace().collect::<Vec<_>>(), 2, told);
    }
}

#[test]
fn a_count_that_is_missing_is_noticed() {
    for way in &WAYS[..2] {
        let args = [&["k-nucleotide", "--n", "1000", "--contenders", "std,faulty"], *way].concat();
        let told = ["`faulty`", "wrong result: line 23 is `0\tGGT` instead of `54\tGGT`"];
        assert_refused(&args, 1, &told);
    }
    let args = ["k-nucleotide", "--n", "250000", "--contenders", "faulty"];
    assert_refused(&args, 1, &["wrong result", "where the MD5 0d65ee5e08fda82ad57d28b91b3c62c7 was due"]);
}

#[test]
fn texts_are_counted_however_they_are_written() {
    let text = fasta(100);
    assert_counted("plain.fa", &text, 500);
    assert_counted("upper.fa", &text.to_ascii_uppercase(), 500);
    let mixed: Vec<_> = (0..)
        .zip(&text)
        .map(|(n, byte)| if n % 3 == 0 { byte.to_ascii_uppercase() } else { *byte })
        .collect();
    assert_counted("mixed.fa", &mixed, 500);
    let lines = |end: &str| {
        let lines = str::from_utf8(&text).expect("it is text").lines();
        lines.map(|line| format!("{line}{end}")).collect::<String>().into_bytes()
    };
    assert_counted("returns.fa", &lines("\r\n"), 500);
    assert_counted("gaps.fa", &lines("\n\n"), 500);
    assert_counted("open.fa", text.trim_ascii_end(), 500);
    assert_counted("open-return.fa", &[text.trim_ascii_end(), b"\r"].concat(), 500);
    assert_counted("more.fa", &[&text, &b">FOUR\nxyz\n>THREE\nacgt\n"[..]].concat(), 500);
    assert_counted("alone.fa", b"\n>THREE\nacgt", 4);
    assert_counted("tab.fa", b">THREER\nxxx\n>THREE\tGGT\nggtgg\nt\n", 6);
}

#[test]
fn sequences_may_be_shorter_than_windows() {
    for letters in 1..20 {
        let text = format!(">THREE\n{}\n", &"ggtattttaatttatagtc"[..letters]);
        assert_counted("short.fa", text.as_bytes(), letters as u64);
    }
}

#[test]
fn lines_may_be_longer_than_blocks() {
    let letters: Vec<u8> = (0..270_000_u64).map(|n| b"acgt"[(n * n % 1009 % 4) as usize]).collect();
    let text = |end: &str| [b">THREE\n", &letters[..], end.as_bytes()].concat();
    for end in ["", "\r\n"] {
        assert_counted("one-line.fa", &text(end), 270_000);
    }
    let mut wrong = text("\n");
    wrong[7 + 262_777] = b'n';
    assert_wrong("one-line-wrong.fa", &wrong, 2, 262_778, "`n` is none of the letters");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let text = fasta(100);
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    let three = text.windows(6).position(|header| header == b">THREE").expect("it is there");
    let above = text[..three].iter().filter(|byte| **byte == b'\n').count();

    for (place, letter, shown) in
        [(0, b'n', "`n`"), (59, b'-', "`-`"), (7, 0, "`\\x00`"), (8, b'\r', "`\\r`")]
    {
        let mut wrong = text.clone();
        let begin =
            three + text[three..].iter().position(|byte| *byte == b'\n').expect("the header ends") + 1;
        wrong[begin + 61 + place] = letter;
        assert_wrong("letter.fa", &wrong, above + 3, place + 1, shown);
    }
    assert_wrong("blank.fa", b">THREE\nacgt \n", 2, 5, "` ` is none of the letters");
    assert_wrong("later.fa", b">THREE\nac>gt\n", 2, 3, "`>` is none of the letters");
    assert_wrong("ends.fa", b">THREE\nacgt\nac\rgt\n", 3, 3, "`\\r`");
    assert_wrong("none.fa", &text[..three], above + 1, 1, "no sequence THREE");
    assert_wrong("cut.fa", &text[..three + 4], above + 1, 5, "no sequence THREE");
    assert_wrong("header.fa", &text[..three + 6], above + 1, 7, "sequence THREE is empty");
    assert_wrong(
        "empty-three.fa",
        &[&text[..three], b">THREE\n\r\n\n>FOUR\nacgt\n"].concat(),
        above + 4,
        1,
        "is empty",
    );
    assert_wrong("nothing.fa", b"", 1, 1, "no sequence THREE");
    assert_wrong("bare.fa", b"\nacgt\n>THREE\nacgt\n", 2, 1, "there is no header");
    assert!(lines > above);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let missing = fresh_file("missing.fa");
    assert_refused(&["k-nucleotide", "--input", &missing], 1, &[&missing, "could not be read"]);
    let folder = env!("CARGO_TARGET_TMPDIR");
    assert_refused(&["k-nucleotide", "--input", folder], 1, &[folder, "could not be read"]);
}

#[test]
fn the_standard_input_is_read_once() {
    // The standard input is also read by its name in the file system, where it has one.
    let names = ["-", "/dev/stdin"].into_iter().filter(|name| *name == "-" || Path::new(name).exists());
    for name in names {
        let mut child = started(
            &["k-nucleotide", "--input", name, "--repeat", "2", "--contenders", "pipes,std"],
            Stdio::piped(),
        );
        child.stdin.take().expect("it is piped").write_all(&fasta(50)).expect("it is read");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let head = format!("k-nucleotide --input {name} --shape fast");
        assert!(stdout(&output).starts_with(&head), "{}", stdout(&output));
    }
    let wrong =
        started(&["k-nucleotide", "--input", "-"], Stdio::null()).wait_with_output().expect("it ends");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stderr(&wrong).contains("the standard input, line 1, column 1: "), "{}", stderr(&wrong));
}
