//! Experiments with the programs about streams of items: sweeps, batches, frequencies, and what is measured.

use std::fs;
use std::path::Path;

use crate::files::fresh_file;
use crate::support::{assert_refused, lines_of, run, stderr, stdout};

/// The fields of each line of a file of comma-separated values, without the heads.
fn rows(file: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let text = fs::read_to_string(file).expect("the file is there");
    let mut rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect());
    let heads: Vec<String> = rows.next().expect("there are heads");
    let rows: Vec<Vec<String>> = rows.collect();
    assert!(rows.iter().all(|row| row.len() == heads.len()), "{text}");
    (heads, rows)
}

fn run_well(words: &str) -> String {
    let output = run(words);
    assert_eq!(output.status.code(), Some(0), "{words}: {}", stderr(&output));
    stdout(&output).to_owned()
}

#[test]
fn a_sweep_leaves_a_table_and_a_file() {
    for (option, words) in [
        ("replicas", "mandelbrot --size 20 --replicas 1:3"),
        ("replicas", "fraud --items 3000 --replicas 3:1"),
        ("batch", "pipe4 --items 3000 --batch 1:10:21"),
        ("batch", "fraud --items 3000 --batch 1:10:21"),
        ("frequency", "ofarm --items 100 --work 1us --frequency 10000:1000:12000"),
    ] {
        let csv = fresh_file(&format!("{}.csv", words.replace([' ', ':'], "")));
        let table = run_well(&format!("{words} --contenders pipes,sequential --repeat 2 --csv {csv}"));
        let heads = table.lines().nth(1).expect("there are heads");
        for head in [option, "contender", "median", "mean", "deviation", "95 %", "ratio"] {
            assert!(heads.contains(head), "{head}: {table}");
        }
        assert_eq!(table.matches(" ± ").count() % 6, 0, "{table}");
        let (heads, rows) = rows(&csv);
        assert_eq!(rows.len(), 6, "three values, two contenders: {rows:?}");
        for head in [option, "contender", "mean_seconds", "deviation_seconds", "confidence_seconds"] {
            assert!(heads.iter().any(|it| it == head), "{head}: {heads:?}");
        }
        let place = heads.iter().position(|it| it == option).expect("it was found");
        let values: Vec<_> = rows.iter().step_by(2).map(|row| row[place].clone()).collect();
        assert!(values[0] != values[1] && values[1] != values[2], "{values:?}");
    }
}

#[test]
fn what_is_measured_is_reported() {
    for words in [
        "mandelbrot --size 20 --iterations 50",
        "bzip2 --blocks 2",
        "pipe4 --items 3000 --batch 100",
        "ofarm --items 300 --work 10us",
        "fraud --items 30000",
    ] {
        let lines = lines_of(&format!("{words} --metrics --repeat 1"));
        assert!(lines.len() >= 6, "{words}");
        for line in lines {
            let figure =
                |name: &str| line[name].as_f64().unwrap_or_else(|| panic!("{words}: {name}: {line}"));
            let [p50, p99] = ["latency_p50_ms", "latency_p99_ms"].map(figure);
            assert!(0.0 <= p50 && p50 <= p99 && p99 <= figure("latency_max_ms"), "{words}: {line}");
            for stage in line["stage"].as_object().expect("there are stages").values() {
                assert!(stage["p50_us"].as_f64() <= stage["max_us"].as_f64(), "{words}: {line}");
            }
            if cfg!(target_os = "linux") {
                assert!(figure("cpu_seconds") >= 0.0 && figure("memory_mib") > 0.0, "{words}: {line}");
            }
        }
    }
    // Without the option nothing is measured.
    let lines = lines_of("ofarm --items 100 --repeat 1");
    assert!(lines.iter().all(|line| line.get("latency_p50_ms").is_none()), "{lines:?}");
}

/// A batch is full, or incomplete when its time is over; either way all items come out, which is verified.
#[test]
fn batches_close_by_number_and_by_time() {
    let words = "ofarm --items 200 --work 1us --frequency 20000 --batch-interval 1 --repeat 1";
    for line in lines_of(words).into_iter().chain(lines_of(&format!("{words} --batch 3"))) {
        assert_eq!(line["verified"], true, "{line}");
        // A run takes as long as its schedule, at least.
        assert!(line["min_seconds"].as_f64() >= Some(0.0099), "{line}");
    }
}

#[test]
fn every_pattern_is_kept_and_watched() {
    let file = fresh_file("monitor.csv");
    for pattern in ["constant", "wave", "binary", "spike", "rising", "falling"] {
        let words = format!("mandelbrot --size 30 --iterations 50 --frequency-pattern {pattern} --repeat 1");
        let table = run_well(&format!("{words} --monitor {file} --every 5 --contenders pipes,tokio"));
        assert!(table.contains(&format!("--frequency-pattern {pattern}")), "{table}");
        let (heads, rows) = rows(&file);
        assert_eq!(heads[..3], ["contender", "run", "seconds"], "{heads:?}");
        let last = rows.iter().rfind(|row| row[0] == "tokio").expect("it was watched");
        assert_eq!(last[5], "30", "all lines have come out: {rows:?}");
        // No line stands for less than half of the interval, which is 5 ms (rounded by one), so that its
        // rates mean something.
        for pair in rows.windows(2).filter(|pair| pair[0][..2] == pair[1][..2]) {
            let seconds = |row: &[String]| row[2].parse::<f64>().expect("a time");
            assert!(seconds(&pair[1]) - seconds(&pair[0]) > 0.001, "{rows:?}");
        }
        let due = heads.iter().position(|head| head == "target_rate").expect("it is there");
        assert!(rows.iter().all(|row| row[due].parse::<f64>().is_ok_and(|rate| rate > 0.0)), "{rows:?}");
    }
}

#[test]
fn experiments_that_make_no_sense_are_refused() {
    let cases: &[(&str, &[&str])] = &[
        ("ofarm --replicas 1:0:4", &["--replicas", "a step of 0"]),
        ("ofarm --replicas 0:4", &["--replicas", "0 is not in 1..=256"]),
        ("ofarm --replicas 1:2:3:4", &["--replicas", "a:step:b"]),
        ("ofarm --replicas two", &["--replicas", "`two` is no number"]),
        ("ofarm --batch 1:1000", &["--batch", "1000 numbers, more than 100"]),
        ("ofarm --replicas 1:2 --batch 1:2", &["only one of --replicas and --batch"]),
        ("fraud --replicas 1:2 --batch 1:2", &["only one of --replicas and --batch"]),
        ("ofarm --frequency 0", &["--frequency", "0 is not in"]),
        (
            "ofarm --frequency-pattern square",
            &["--frequency-pattern", "constant, wave, binary, spike, rising, falling"],
        ),
        ("ofarm --lowest 3", &["--lowest and --period need a --frequency-pattern"]),
        ("ofarm --frequency 9 --period 3", &["--lowest and --period need a --frequency-pattern"]),
        ("ofarm --frequency-pattern wave --frequency 9 --lowest 10", &["10, is above the highest, 9"]),
        ("graph500 --csv g.sg --write g.sg", &["--csv and --write name the same place, g.sg"]),
        ("bzip2 --input Cargo.toml --csv Cargo.toml", &["--input and --csv name the same place, Cargo.toml"]),
        ("ofarm --every 3", &["--every needs --monitor"]),
        ("ofarm --csv x.csv --monitor x.csv", &["--csv and --monitor name the same place, x.csv"]),
        ("ofarm --replicas 1:2 --monitor x.csv", &["--monitor watches single values"]),
        ("ofarm --batch-interval 0", &["--batch-interval"]),
        ("ofarm --frequency-pattern wave --lowest 10", &["--lowest needs --frequency"]),
        ("fraud --predictors 3 --replicas 1:3", &["with --predictors, --replicas changes nothing"]),
        ("mandelbrot --shape all --contenders pariter", &["it has no farm of pipelines"]),
        ("mandelbrot --shape ring", &["--shape", "pipe-of-farms, farm, farm-of-pipes, all"]),
        ("mandelbrot --shape all --replicas 1:2", &["only one of --replicas and --shape"]),
        ("bzip2 --shape farm", &["--shape"]),
        ("mandelbrot --shape farm-of-pipes --contenders pariter", &["it has no farm of pipelines"]),
    ];
    for (words, told) in cases {
        assert_refused(&words.split_whitespace().collect::<Vec<_>>(), 2, told);
    }
}

/// What cannot be written is reported before anything runs.
#[test]
fn files_that_cannot_be_written_fail_before_the_race() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-such-folder").join("x.csv");
    let path = path.to_str().expect("it is text");
    for option in ["--csv", "--monitor"] {
        assert_refused(&["ofarm", "--items", "10", option, path], 1, &[path, "could not be created"]);
    }
}

#[test]
fn shapes_are_compared() {
    let table = run_well("mandelbrot --size 20 --shape all --repeat 1");
    let heading = "--shape pipe-of-farms, farm, farm-of-pipes: 1 round, all verified";
    // With several processors, their placement follows.
    let (line, _) = table.split_once('\n').expect("there are lines");
    let line = line.split_once(", processors ").map_or(line, |(line, _)| line);
    assert!(line.ends_with(heading), "{table}");
    for shape in ["farm", "pipe-of-farms", "farm-of-pipes"] {
        let rows = table.lines().filter(|line| line.starts_with(&format!("{shape} ")));
        assert_eq!(rows.count(), if shape == "farm-of-pipes" { 5 } else { 6 }, "{shape}: {table}");
    }
}
