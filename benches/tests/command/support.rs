//! Code shared by the tests of the command and by those of its companion.

use std::collections::BTreeSet;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the command with these words.
pub fn run(words: &str) -> Output {
    run_args(&words.split_whitespace().collect::<Vec<_>>())
}

pub fn run_args(args: &[&str]) -> Output {
    Command::new(crate::executable()).args(args).output().expect("the command starts")
}

pub fn stdout(output: &Output) -> &str {
    str::from_utf8(&output.stdout).expect("the output is text")
}

pub fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).expect("the messages are text")
}

/// The objects that a run with `--json` has printed.
pub fn lines(words: &str) -> Vec<Value> {
    lines_of(&format!("{words} --repeat 2"))
}

/// The objects that a run with `--json` has printed, with the rounds that the words request.
pub fn lines_of(words: &str) -> Vec<Value> {
    let output = run(&format!("{words} --json"));
    assert_eq!(output.status.code(), Some(0), "{words}: {}", stderr(&output));
    stdout(&output).lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Asserts that the command does nothing, and gives the reason in one sentence that contains these words.
pub fn assert_refused(args: &[&str], code: i32, words: &[&str]) {
    let output = run_args(args);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {}", stderr(&output));
    assert_eq!(stdout(&output), "", "{args:?}");
    let sentence = stderr(&output).trim_end();
    assert!(sentence.starts_with("pipes-benches: ") && sentence.lines().count() == 1, "{args:?}: {sentence}");
    for word in words {
        assert!(sentence.contains(word), "{args:?}: `{word}` is not in: {sentence}");
    }
}

/// Runs each of these, and asserts that every result is verified and that these contenders take part.
pub fn assert_verified<'a>(programs: impl Iterator<Item = &'a (&'a str, &'a str)>) {
    for (words, contenders) in programs {
        let lines = lines(words);
        let program = words.split_whitespace().next();
        let mut seen = BTreeSet::new();
        for line in &lines {
            assert_eq!(line["program"].as_str(), program, "{words}");
            assert_eq!(line["verified"], true, "{words}");
            assert_eq!(line["repeat"], 2, "{words}");
            assert!(line["params"].is_object() && line["ops"].as_u64() > Some(0), "{words}: {line}");
            let time = |key: &str| line[key].as_f64().expect(key);
            assert!(time("min_seconds") <= time("median_seconds"), "{words}: {line}");
            assert!(time("median_seconds") <= time("max_seconds"), "{words}: {line}");
            assert!(time("ns_per_op") > 0.0, "{words}: {line}");
            seen.insert(line["contender"].as_str().expect("a name"));
        }
        assert_eq!(seen.len(), lines.len(), "{words}: a contender is there twice");
        for contender in contenders.split_whitespace() {
            assert!(seen.contains(contender), "{words}: {contender} is not among {seen:?}");
        }
        assert!(!seen.contains("faulty"), "{words}");
    }
}

/// Asserts that the list has the options of these programs and these contenders.
pub fn assert_listed<'a>(list: &str, programs: impl Iterator<Item = &'a (&'a str, &'a str)>) {
    let names: BTreeSet<_> = list.split(|c: char| c.is_whitespace() || c == ',').collect();
    for (words, contenders) in programs {
        let options = words.split_whitespace().filter(|word| word.starts_with("--"));
        for name in options.chain(contenders.split_whitespace()) {
            assert!(names.contains(name), "{name}: {list}");
        }
    }
    assert!(!list.contains("faulty") && !list.contains("lines of code"), "{list}");
}

/// Asserts that the list with lines of code has them for more contenders than this.
pub fn assert_counted(list: &str, least: usize) {
    let counted = list.lines().filter_map(|line| line.strip_prefix("    "));
    let mut seen = 0;
    for (name, count) in counted.filter_map(|line| line.split_once(' ')) {
        let count: usize = count.trim().parse().expect("a number of lines");
        assert!((5..1000).contains(&count), "{name}: {count}");
        seen += 1;
    }
    assert!(seen > least, "{list}");
}
