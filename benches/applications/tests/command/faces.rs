//! The program `faces`: what it reads and writes, what it refuses or reports, and its figures.

use std::fs::{self, File};
use std::io::BufReader;

use image::codecs::gif::GifDecoder;
use image::{AnimationDecoder, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::Value;

use crate::bzip2::{folder, names, run_on_full_disk, text};
use crate::support::{assert_refused, lines_of, run_args, stderr, stdout};

/// A small size in each shape, and the contenders that must be there.
pub const TINY: &[(&str, &str)] = &[
    ("faces --scene one --frames 2", "sequential threads tokio pariter rayon"),
    (
        "faces --scene one --frames 1 --shape pipe-of-farms --replicas 3",
        "sequential threads tokio pariter rayon",
    ),
    ("faces --scene one --frames 1 --shape farm-of-pipes", "sequential threads tokio rayon"),
];

#[test]
fn frames_of_a_folder_may_have_any_size_and_no_face() {
    let (input, output) = (folder("faces-input"), folder("faces-output"));
    RgbImage::from_pixel(1, 1, Rgb([9, 8, 7])).save(input.join("a.png")).expect("it can be written");
    RgbaImage::from_pixel(41, 90, Rgba([200, 9, 8, 0])).save(input.join("b.png")).expect("it can be written");
    RgbImage::from_fn(200, 120, |x, y| Rgb([x as u8, y as u8, (x * y) as u8]))
        .save(input.join("c.bmp"))
        .expect("it can be written");
    let args = ["faces", "--input", text(&input), "--output", text(&output), "--frames", "7", "--json"];
    let ran = run_args(&[&args[..], &["--repeat", "1"]].concat());
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    for line in stdout(&ran).lines() {
        let line: Value = serde_json::from_str(line).expect(line);
        assert_eq!((&line["ops"], &line["verified"]), (&7.into(), &true.into()), "{line}");
        // It is not known what is in these frames.
        assert_eq!((&line["squares"], line.get("faces")), (&0.into(), None), "{line}");
    }
    // Each frame once, and no square in it.
    assert_eq!(names(&output), ["00001.png", "00002.png", "00003.png"]);
    for (written, read) in [("00001.png", "a.png"), ("00003.png", "c.bmp")] {
        let [written, read] = [output.join(written), input.join(read)]
            .map(|path| image::open(path).expect("it is a picture").into_rgb8());
        assert!(written == read);
    }
}

#[test]
fn bad_frames_are_reported_and_the_rest_is_done() {
    let (input, output) = (folder("faces-bad"), folder("faces-bad-output"));
    RgbImage::from_pixel(60, 50, Rgb([9, 8, 7])).save(input.join("good.png")).expect("it can be written");
    let bytes = fs::read(input.join("good.png")).expect("it is there");
    fs::write(input.join("cut.png"), &bytes[..bytes.len() / 2]).expect("the file can be written");
    fs::write(input.join("text.jpg"), "This is no picture.").expect("the file can be written");
    let args = ["faces", "--input", text(&input), "--output", text(&output), "--repeat", "1"];
    let ran = run_args(&args);
    assert_eq!(ran.status.code(), Some(1));
    assert!(stdout(&ran).contains("1 frames, 1 round, all verified"), "{}", stdout(&ran));
    let lines: Vec<_> = stderr(&ran).lines().collect();
    assert!(lines.len() == 3 && lines[0].contains("cut.png") && lines[1].contains("text.jpg"), "{lines:?}");
    assert_eq!(lines[2], "pipes-benches: faces: 2 of 3 pictures could not be used");
    assert_eq!(names(&output), ["00001.png"]);
}

#[test]
fn the_film_is_written_and_figures_are_printed() {
    let output = folder("faces-film");
    let film = output.join("film.gif");
    let lines = lines_of(&format!(
        "faces --scene one --frames 2 --contenders pipes,sequential --repeat 1 --output {}",
        text(&film)
    ));
    assert_eq!(lines.len(), 2);
    for figures in &lines {
        assert_eq!((&figures["faces"], &figures["squares"]), (&2.into(), &2.into()), "{figures}");
        let rate = |name: &str| figures[name].as_f64().expect(name);
        assert_eq!((rate("detection_rate"), rate("recognition_rate")), (1.0, 1.0), "{figures}");
        assert!(rate("guessing_rate") < 0.04 && rate("confusion_rate") == 0.0, "{figures}");
        assert!(figures["false_squares"] == 0 && rate("stranger_acceptance_rate") <= 1.0, "{figures}");
    }
    assert_eq!(names(&output), ["film.gif"]);
    let file = BufReader::new(File::open(&film).expect("it is there"));
    let frames: Vec<_> = GifDecoder::new(file).expect("it is an animation").into_frames().collect();
    assert_eq!(frames.len(), 2);
    for frame in frames {
        let frame = frame.expect("it is a frame").into_buffer();
        assert_eq!(frame.dimensions(), (640, 360));
        // All of the photograph is gray; the square is not.
        let green = frame.pixels().filter(|Rgba([red, green, ..])| green.saturating_sub(*red) > 60);
        assert!(green.count() > 500);
    }
}

#[test]
fn what_cannot_be_used_is_refused() {
    let folder = folder("faces-refused");
    let missing = folder.join("missing");
    let inside = missing.join("film.gif");
    let cases: &[(&[&str], i32, &[&str])] = &[
        (&["--input", text(&missing)], 1, &[text(&missing), "could not be read"]),
        (&["--input", text(&folder)], 1, &[text(&folder), "has no pictures"]),
        (&["--output", text(&inside)], 1, &[text(&inside), "could not be"]),
        (&["--input", text(&folder), "--output", text(&folder)], 2, &["name the same place"]),
        (&["--input", text(&folder), "--scene", "one"], 2, &["--input", "--scene"]),
        (&["--scene", "two"], 2, &["--scene", "one, several, mixed"]),
        (&["--frames", "0"], 2, &["--frames"]),
    ];
    for (args, code, told) in cases {
        assert_refused(&[&["faces"], *args].concat(), *code, told);
    }
    assert!(names(&folder).is_empty());
    RgbImage::new(65_536, 1).save(folder.join("wide.png")).expect("it can be written");
    let film = folder.join("film.gif");
    let args = ["faces", "--input", text(&folder), "--output", text(&film)];
    assert_refused(&args, 1, &["film.gif could not be written", "too many for an animation"]);
    assert_eq!(names(&folder), ["wide.png"]);
    let faulty = ["faces", "--scene", "one", "--frames", "1", "--contenders", "faulty"];
    assert_refused(&faulty, 1, &["`faulty`", "items with the hash", "instead of 1 with the hash"]);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_half_of_a_film() {
    let folder = folder("faces-full");
    for name in ["film.gif", "film"] {
        let place = folder.join(name);
        let args =
            ["faces", "--scene", "one", "--frames", "1", "--contenders", "sequential", "--repeat", "1"];
        let ran = run_on_full_disk(&[&args[..], &["--output", text(&place)]].concat());
        assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
        assert!(stderr(&ran).contains("could not be written"), "{}", stderr(&ran));
    }
    assert_eq!(names(&folder), ["film"]);
    assert!(names(&folder.join("film")).is_empty());
}
