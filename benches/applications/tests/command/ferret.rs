//! The program `ferret`: what it reads and writes, what it refuses or reports, and how good its results are.

use std::fs;
use std::path::Path;
use std::process::Output;

use image::{Rgb, RgbImage, Rgba, RgbaImage};

use crate::bzip2::{folder, names, run_on_full_disk, text};
use crate::support::{assert_refused, lines, run, run_args, stderr, stdout};

/// A small size in each shape, and the contenders that must be there.
pub const TINY: &[(&str, &str)] = &[
    ("ferret --queries 5 --base 20 --side 24", "sequential threads tokio pariter rayon"),
    ("ferret --queries 1 --base 1 --side 1 --top 1 --replicas 7", "sequential threads tokio pariter rayon"),
    (
        "ferret --queries 5 --base 20 --side 24 --work real --shape pipe-of-farms",
        "sequential threads tokio pariter rayon",
    ),
    (
        "ferret --queries 5 --base 20 --side 24 --work real --shape farm-of-pipes",
        "sequential threads tokio rayon",
    ),
    ("ferret --queries 2 --work costs", "sequential threads tokio pariter rayon"),
];

/// What makes a run small, of our own pipeline alone.
const SMALL: [&str; 7] = ["ferret", "--contenders", "pipes", "--repeat", "1", "--side", "24"];

/// Runs a small search with more options.
fn search(more: &[&str]) -> Output {
    run_args(&[&SMALL, more].concat())
}

/// Writes a picture whose left and right halves have these colors.
fn put(folder: &Path, name: &str, left: [u8; 3], right: [u8; 3]) {
    let picture = RgbImage::from_fn(40, 30, |x, _| Rgb(if x < 20 { left } else { right }));
    picture.save(folder.join(name)).expect("it can be written");
}

#[test]
fn the_best_are_written_to_a_file_line_by_line() {
    let folder = folder("ferret-output");
    let output = folder.join("lines");
    fs::write(&output, "old").expect("the file can be written");
    let args = ["--queries", "12", "--base", "40", "--top", "3", "--output", text(&output)];
    for shape in ["farm", "pipe-of-farms"] {
        let ran = search(&[&args[..], &["--shape", shape]].concat());
        assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
        let written = fs::read_to_string(&output).expect("it is text");
        let lines: Vec<_> = written.lines().collect();
        assert!(lines.len() == 12 && lines.is_sorted(), "{lines:?}");
        for line in lines {
            let (query, best) = line.split_once('\t').expect("there is a tab");
            let best: Vec<_> =
                best.split(' ').map(|found| found.rsplit_once(':').expect("there is a distance")).collect();
            assert!(query.starts_with('q') && best.len() == 3, "{line}");
            let distances = best.iter().map(|(_, distance)| distance.parse::<f64>().expect("a number"));
            assert!(distances.is_sorted(), "{line}");
        }
    }
    assert_eq!(names(&folder), ["lines"]);
}

#[test]
fn a_sheet_shows_queries_and_their_best() {
    let folder = folder("ferret-sheet");
    let sheet = folder.join("sheet.png");
    let ran = search(&["--queries", "9", "--base", "32", "--picture", text(&sheet)]);
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    let drawn = image::open(&sheet).expect("it is a picture").into_rgb8();
    let framed = |color| drawn.pixels().filter(|pixel| pixel.0 == color).count();
    // Six queries in black frames, and most of what was found in green ones.
    assert!(framed([0, 0, 0]) > 6 * 4 * 48 && framed([20, 160, 60]) > 30 * 4 * 48);
    assert_eq!(names(&folder), ["sheet.png"]);
}

#[test]
fn pictures_of_a_folder_find_what_resembles_them() {
    let (input, output) = (folder("ferret-input"), folder("ferret-found").join("lines"));
    let sheet = output.with_file_name("sheet.png");
    put(&input, "fire.png", [230, 60, 20], [250, 200, 40]);
    put(&input, "ember.png", [220, 70, 30], [240, 190, 50]);
    put(&input, "lake.bmp", [20, 80, 200], [30, 160, 90]);
    put(&input, "pond.png", [30, 90, 190], [40, 150, 100]);
    // A single pixel, one color, and nothing that can be seen.
    RgbImage::from_pixel(1, 1, Rgb([9, 9, 9])).save(input.join("dot.png")).expect("it can be written");
    RgbImage::from_pixel(300, 2, Rgb([9, 9, 9])).save(input.join("line.png")).expect("it can be written");
    RgbaImage::from_pixel(5, 5, Rgba([9, 9, 9, 0])).save(input.join("none.png")).expect("it can be written");
    fs::write(input.join("notes.txt"), "no picture").expect("the file can be written");
    let places = ["--input", text(&input), "--output", text(&output), "--picture", text(&sheet)];
    let ran = search(&[&places[..], &["--json"]].concat());
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    // It is not known what should be found, only what an exhaustive search finds.
    assert!(
        stdout(&ran).contains("\"recall_at_10\":") && !stdout(&ran).contains("family"),
        "{}",
        stdout(&ran)
    );
    let written = fs::read_to_string(&output).expect("it is text");
    assert_eq!(written.lines().count(), 7);
    let twins = [("fire.png", "ember.png"), ("lake.bmp", "pond.png"), ("dot.png", "line.png")];
    for (one, other) in twins.into_iter().flat_map(|(one, other)| [(one, other), (other, one)]) {
        let found = written.lines().find_map(|line| line.strip_prefix(&format!("{one}\t")));
        let found = found.expect("each picture is a query");
        let mut best = found.split(' ');
        assert_eq!(best.next(), Some(&*format!("{one}:0.00000")), "{found}");
        assert!(best.next().is_some_and(|second| second.starts_with(other)), "{found}");
    }
    assert_eq!(names(sheet.parent().expect("a folder")), ["lines", "sheet.png"]);
    // More queries than pictures use them again.
    let ran = search(&["--input", text(&input), "--queries", "9", "--output", text(&output)]);
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    assert_eq!(fs::read_to_string(&output).expect("it is text").lines().count(), 9);
}

#[test]
fn bad_pictures_are_reported_and_the_rest_is_searched() {
    let (input, output) = (folder("ferret-bad"), folder("ferret-bad-output").join("lines"));
    put(&input, "good.png", [200, 0, 0], [0, 200, 0]);
    let bytes = fs::read(input.join("good.png")).expect("it is there");
    fs::write(input.join("cut.png"), &bytes[..60]).expect("the file can be written");
    fs::write(input.join("text.jpg"), "This is no picture.").expect("the file can be written");
    let ran = search(&["--input", text(&input), "--output", text(&output)]);
    assert_eq!(ran.status.code(), Some(1));
    let lines: Vec<_> = stderr(&ran).lines().collect();
    assert!(lines.len() == 3 && lines[0].contains("cut.png") && lines[1].contains("text.jpg"), "{lines:?}");
    assert_eq!(lines[2], "pipes-benches: ferret: 2 of 3 pictures could not be used");
    assert_eq!(fs::read_to_string(&output).expect("it is text"), "good.png\tgood.png:0.00000\n");
}

#[test]
fn folders_without_pictures_are_refused_by_ferret() {
    let (folder, results) = (folder("ferret-none"), folder("ferret-none-output"));
    let missing = folder.join("missing");
    let output = results.join("lines");
    let refused = |input: &Path, told| {
        let args = ["ferret", "--input", text(input), "--output", text(&output)];
        assert_refused(&args, 1, &[text(input), told]);
    };
    refused(&missing, "could not be read");
    refused(&folder, "has no pictures");
    assert!(names(&folder).is_empty() && names(&results).is_empty());
}

#[test]
fn places_that_cannot_be_written_are_named_before_the_search() {
    let folder = folder("ferret-places");
    for option in ["--output", "--picture"] {
        for place in [folder.join("none").join("file"), folder.clone()] {
            assert_refused(&["ferret", option, text(&place)], 1, &[text(&place), "could not be created"]);
        }
    }
    assert!(names(&folder).is_empty());
}

#[test]
fn bad_arguments_of_ferret_are_refused() {
    let folder = folder("ferret-arguments");
    let (file, folder) = (folder.join("file"), text(&folder).to_owned());
    let (file, folder) = (text(&file), &*folder);
    let cases: &[(&[&str], &[&str])] = &[
        (&["--work", "sleep"], &["--work", "real, costs"]),
        (&["--queries", "0"], &["--queries"]),
        (&["--base", "100001"], &["--base", "1..=100000"]),
        (&["--top", "0"], &["--top", "1..=1000"]),
        (&["--side", "0"], &["--side", "1..=1024"]),
        (&["--input", folder, "--base", "9"], &["--input", "--base"]),
        (&["--input", folder, "--output", folder], &["--input and --output name the same place", folder]),
        (&["--output", file, "--picture", file], &["--output and --picture name the same place", file]),
        (&["--input", folder, "--picture", file], &["--picture names", "in the folder that --input reads"]),
        (&["--input", folder, "--output", file], &["--output names", "in the folder that --input reads"]),
        (&["--input", folder, "--csv", file], &["--csv names", "in the folder that --input reads"]),
        (&["--work", "costs", "--base", "9"], &["--base is of no use with --work costs"]),
        (&["--work", "costs", "--picture", file], &["--picture is of no use with --work costs"]),
        (&["--shape", "ring"], &["--shape", "farm, pipe-of-farms, farm-of-pipes"]),
    ];
    for (args, told) in cases {
        assert_refused(&[&["ferret"], *args].concat(), 2, told);
    }
}

#[test]
fn a_wrong_line_is_an_error() {
    for words in [
        "ferret --queries 2 --base 4 --side 8 --contenders faulty",
        "ferret --work costs --queries 1 --contenders faulty",
    ] {
        let args: Vec<_> = words.split_whitespace().collect();
        assert_refused(&args, 1, &["`faulty`", "bytes with the MD5", "came out, instead of"]);
    }
}

/// The seed is the same in every run, so these figures are, too; the limits are below what was measured.
#[test]
fn most_of_what_should_be_found_is() {
    for line in lines("ferret --queries 12 --base 96 --side 48 --contenders sequential") {
        let figure = |name: &str| line[name].as_f64().expect("it is a number");
        assert!(figure("recall_at_10") >= 0.9 && figure("right_family_at_10") >= 0.7, "{line}");
    }
    // The figures are named after what is counted.
    let few = lines("ferret --queries 2 --base 9 --side 9 --top 4 --contenders sequential");
    assert!(few.iter().all(|line| line["recall_at_4"].is_f64() && line["right_family_at_4"].is_f64()));
}

#[test]
fn who_watches_ferret_sees_its_stages() {
    let ran = search(&["--queries", "3", "--base", "20", "--shape", "pipe-of-farms", "--watch"]);
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    for stage in ["segmentation", "extraction", "vectorization", "ranking", "bottleneck"] {
        assert!(stderr(&ran).contains(stage), "{stage}: {}", stderr(&ran));
    }
}

#[test]
fn costs_have_lines_too() {
    let output = folder("ferret-costs").join("lines");
    let ran = run(&format!(
        "ferret --work costs --queries 3 --contenders sequential --repeat 1 --output {}",
        text(&output)
    ));
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    let written = fs::read_to_string(&output).expect("it is text");
    assert!(written.lines().count() == 3 && written.starts_with("q00000\t"), "{written}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_incomplete_file_of_ferret() {
    let folder = folder("ferret-full");
    for option in ["--output", "--picture"] {
        let place = folder.join("file");
        // More than the disk has room for.
        let args = ["--queries", "20", "--base", "60", option, text(&place)];
        let ran = run_on_full_disk(&[&SMALL, &args[..]].concat());
        assert_eq!(ran.status.code(), Some(1), "{option}: {}", stderr(&ran));
        assert!(stderr(&ran).contains("could not be written"), "{}", stderr(&ran));
        assert!(names(&folder).is_empty());
    }
}
