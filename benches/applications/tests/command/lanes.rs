//! The program `lanes` with folders: what it reads and writes, and what it refuses or reports.

use std::fs;

use image::{AnimationDecoder, ImageFormat, Rgb, RgbImage};

use crate::bzip2::{folder, names, text};
use crate::image::put;
use crate::support::{assert_refused, run_args, stderr, stdout};

/// A small size in each shape, and the contenders that must be there.
pub const TINY: &[(&str, &str)] = &[
    ("lanes --frames 1", "sequential threads tokio pariter rayon"),
    ("lanes --frames 1 --shape pipe-of-farms --replicas 1", "sequential threads tokio pariter rayon"),
    ("lanes --frames 2 --shape farm-of-pipes --batch 2", "sequential threads tokio rayon"),
];

/// A gray picture, as PNG.
fn gray(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = RgbImage::from_pixel(width, height, Rgb([90; 3]));
    picture.write_to(&mut bytes, ImageFormat::Png).expect("it can be encoded");
    bytes.into_inner()
}

#[test]
fn frames_are_written_with_their_lanes() {
    let output = folder("lanes-output");
    let (film, pictures) = (output.join("film.gif"), output.join("pictures"));
    for path in [&film, &pictures] {
        let ran = run_args(&[
            "lanes",
            "--frames",
            "3",
            "--repeat",
            "1",
            "--contenders",
            "sequential",
            "--output",
            text(path),
        ]);
        assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    }
    assert_eq!(names(&output), ["film.gif", "pictures"]);
    assert_eq!(names(&pictures), ["00001.png", "00002.png", "00003.png"]);
    let frame = image::open(pictures.join("00003.png")).expect("it is a picture").into_rgb8();
    assert_eq!(frame.dimensions(), (640, 360));
    // The color of the lines, which nothing else has.
    assert!(frame.pixels().any(|pixel| *pixel == Rgb([255, 40, 30])));
    let file = std::io::BufReader::new(fs::File::open(film).expect("it is there"));
    let film = image::codecs::gif::GifDecoder::new(file).expect("it is an animation");
    assert_eq!(film.into_frames().filter(|frame| frame.is_ok()).count(), 3);
}

#[test]
fn frames_of_several_sizes_and_without_lanes_are_done() {
    let (input, output) = (folder("lanes-input"), folder("lanes-mixed"));
    put(&input, "a.png", &gray(64, 48));
    put(&input, "b.png", &gray(100, 200));
    let ran =
        run_args(&["lanes", "--input", text(&input), "--repeat", "1", "--output", text(&output), "--json"]);
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    assert!(stdout(&ran).contains("\"lines_found\":0"), "{}", stdout(&ran));
    let sizes = ["00001.png", "00002.png"]
        .map(|name| image::image_dimensions(output.join(name)).expect("it is a picture"));
    assert_eq!(sizes, [(64, 48), (100, 200)]);
    let film = output.join("film.gif");
    let ran = run_args(&[
        "lanes",
        "--input",
        text(&input),
        "--repeat",
        "1",
        "--contenders",
        "sequential",
        "--output",
        text(&film),
    ]);
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    // All frames are seen wholly.
    assert_eq!(image::image_dimensions(&film).expect("it is an animation"), (100, 200));
}

#[test]
fn bad_frames_are_reported_and_the_rest_is_done() {
    let (input, output) = (folder("lanes-bad"), folder("lanes-bad-output"));
    put(&input, "cut.png", &gray(640, 360)[..100]);
    put(&input, "flat.png", &gray(100, 31));
    put(&input, "good.png", &gray(64, 64));
    let ran = run_args(&["lanes", "--input", text(&input), "--repeat", "1", "--output", text(&output)]);
    assert_eq!(ran.status.code(), Some(1));
    let told = stderr(&ran);
    for part in
        ["cut.png could not be decoded", "flat.png has 100 by 31 pixels, not 32 to 16384", "2 of 3 pictures"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!(names(&output), ["00001.png"]);
}

#[cfg(unix)]
#[test]
fn a_name_with_line_breaks_is_told_in_one_line() {
    let input = folder("lanes-names");
    put(&input, "cut\nhere.png", &gray(640, 360)[..100]);
    put(&input, "flat\nhere.png", &gray(100, 31));
    put(&input, "good.png", &gray(64, 64));
    let ran = run_args(&["lanes", "--input", text(&input), "--repeat", "1", "--contenders", "sequential"]);
    assert_eq!(ran.status.code(), Some(1));
    assert_eq!(stderr(&ran).lines().count(), 3, "{}", stderr(&ran));
}

#[test]
fn a_folder_of_frames_that_are_too_small_is_an_error() {
    let input = folder("lanes-only-bad");
    put(&input, "dot.png", &gray(1, 1));
    let ran = run_args(&["lanes", "--input", text(&input)]);
    assert_eq!(ran.status.code(), Some(1));
    let told = stderr(&ran);
    assert!(told.contains("dot.png has 1 by 1 pixels"), "{told}");
    assert!(told.contains("has no pictures that can be used"), "{told}");
}

#[test]
fn nothing_to_look_at_and_nowhere_to_write_are_errors() {
    let input = folder("lanes-none");
    let none = input.join("none/film.gif");
    assert_refused(&["lanes", "--input", text(&input)], 1, &["has no pictures"]);
    assert_refused(&["lanes", "--input", text(&input.join("gone"))], 1, &["gone could not be read"]);
    assert_refused(&["lanes", "--output", text(&none)], 1, &["film.gif could not be created"]);
    let picture = input.join("a.png");
    for option in ["--csv", "--monitor"] {
        let args = ["lanes", "--input", text(&input), option, text(&picture)];
        assert_refused(&args, 2, &[option, "in the folder that --input reads"]);
    }
    assert_refused(&["lanes", "--frames", "0"], 2, &["--frames"]);
    assert_refused(&["lanes", "--shape", "pipeline"], 2, &["--shape"]);
}
