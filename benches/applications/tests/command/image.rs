//! The program `image` with folders: what it reads and writes, and what it refuses or reports.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use image::{ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

use crate::bzip2::{folder, names, run_on_full_disk, text};
use crate::support::{assert_refused, run_args, stderr, stdout};

/// A small size in each shape, and the contenders that must be there.
pub const TINY: &[(&str, &str)] = &[
    ("image --width 16 --pictures 20", "sequential threads tokio pariter rayon"),
    ("image --width 30 --pictures 1 --replicas 7", "sequential threads tokio pariter rayon"),
    ("image --width 30 --pictures 9 --shape pipe-of-farms", "sequential threads tokio pariter rayon"),
    ("image --width 30 --pictures 9 --shape farm-of-pipes", "sequential threads tokio rayon"),
];

/// The bytes of a file with a small picture.
fn encoded(format: ImageFormat) -> Vec<u8> {
    let picture = RgbImage::from_fn(20, 10, |x, y| Rgb([12 * x as u8, 25 * y as u8, (x * y) as u8]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).expect("it can be encoded");
    bytes.into_inner()
}

/// The header of a BMP file that claims this width and height, and a few pixels.
fn lying_bmp(side: u32) -> Vec<u8> {
    let mut bytes = encoded(ImageFormat::Bmp);
    bytes[18..22].copy_from_slice(&side.to_le_bytes());
    bytes[22..26].copy_from_slice(&side.to_le_bytes());
    bytes
}

/// The header of a PNG file that claims this width and height: with eight bits for each of four channels, and
/// no data.
fn lying_png(side: u32) -> Vec<u8> {
    let mut chunk = b"IHDR".to_vec();
    chunk.extend(side.to_be_bytes());
    chunk.extend(side.to_be_bytes());
    chunk.extend([8, 6, 0, 0, 0]);
    let sum = chunk.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(
            sum ^ u32::from(*byte),
            |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 },
        )
    });
    [b"\x89PNG\r\n\x1a\n\0\0\0\x0d", &chunk[..], &(!sum).to_be_bytes(), b"\0\0\0\0IDAT\x35\xaf\x06\x1e"]
        .concat()
}

/// Writes a file into a folder.
pub fn put(folder: &Path, name: impl AsRef<Path>, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, bytes).expect("the file can be written");
    path
}

/// Filters the pictures in a folder.
fn filter(input: &Path, more: &[&str]) -> Output {
    run_args(&[&["image", "--input", text(input), "--repeat", "1"], more].concat())
}

#[test]
fn results_are_written_under_the_names_of_their_pictures() {
    let (input, output) = (folder("image-input"), folder("image-output"));
    put(&input, "a.png", &encoded(ImageFormat::Png));
    put(&input, "a.jpg", &encoded(ImageFormat::Jpeg));
    put(&input, "b.BMP", &encoded(ImageFormat::Bmp));
    put(&input, "notes.txt", b"no picture");
    let glass = RgbaImage::from_pixel(3, 2, Rgba([200, 100, 50, 7]));
    glass.save(input.join("glass.png")).expect("it can be written");
    // The folder may be there or not.
    for output in [output.clone(), output.join("new")] {
        let ran = filter(&input, &["--output", text(&output), "--pictures", "9"]);
        assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
        let read = |name: &str| image::open(output.join(name)).expect("it is a picture").into_rgba8();
        // Saturation gives 200, 93, 40; gamma 157, 34, 6; and what is the same everywhere is not convolved.
        assert_eq!(read("glass.png"), RgbaImage::from_pixel(3, 2, Rgba([68, 68, 68, 7])));
        // Both are lossless; the one of the JPEG differs.
        assert_eq!(read("a.png.png"), read("b.png"));
        assert!(read("a.png") != read("b.png") && read("a.png").dimensions() == (20, 10));
    }
    assert_eq!(names(&output.join("new")), ["a.png", "a.png.png", "b.png", "glass.png"]);
    assert_eq!(names(&output), ["a.png", "a.png.png", "b.png", "glass.png", "new"]);
}

#[test]
fn generated_pictures_are_written_once_each() {
    let output = folder("image-generated");
    let ran =
        run_args(&["image", "--width", "16", "--pictures", "40", "--repeat", "1", "--output", text(&output)]);
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    let names = names(&output);
    assert_eq!((names.len(), &names[0], &names[15]), (16, &"01.png".to_owned(), &"16.png".to_owned()));
}

#[test]
fn bad_pictures_are_reported_and_the_rest_is_done() {
    let (input, output) = (folder("image-bad"), folder("image-bad-output"));
    put(&input, "good.png", &encoded(ImageFormat::Png));
    put(&input, "better.jpeg", &encoded(ImageFormat::Jpeg));
    fs::create_dir(input.join("folder.png")).expect("the folder can be made");
    let bad: &[(&str, Vec<u8>, &str)] = &[
        ("cut.png", encoded(ImageFormat::Png)[..60].to_vec(), "truncated"),
        ("cut.jpg", encoded(ImageFormat::Jpeg)[..500].to_vec(), "truncated"),
        ("cut.bmp", encoded(ImageFormat::Bmp)[..100].to_vec(), "truncated"),
        ("huge.bmp", lying_bmp(60_000), "60000 by 60000 pixels"),
        ("huge.png", lying_png(60_000), "60000 by 60000 pixels"),
        // As many pixels as may be, but there are no data for them.
        ("large.png", lying_png(8192), "could not be decoded"),
        ("empty.png", Vec::new(), "could not be decoded"),
        ("text.jpg", b"This is no picture.".to_vec(), "could not be decoded"),
    ];
    for (name, bytes, _) in bad {
        put(&input, name, bytes);
    }
    let ran = filter(&input, &["--output", text(&output)]);
    assert_eq!(ran.status.code(), Some(1));
    assert!(stdout(&ran).contains("2 pictures, 1 round, all verified"), "{}", stdout(&ran));
    let lines: Vec<_> = stderr(&ran).lines().collect();
    assert_eq!(lines.len(), bad.len() + 1, "{lines:?}");
    for (name, _, told) in bad {
        let about = |line: &&&str| line.contains(text(&input.join(name)));
        let line = lines.iter().find(about).expect("each is named");
        assert!(line.contains(told), "{line}");
    }
    assert_eq!(lines[bad.len()], "pipes-benches: image: 8 of 10 pictures could not be used");
    assert_eq!(names(&output), ["better.png", "good.png"]);
}

#[test]
fn folders_without_pictures_are_refused() {
    let folder = folder("image-none");
    let missing = folder.join("missing");
    assert_refused(&["image", "--input", text(&missing)], 1, &[text(&missing), "could not be read"]);
    assert_refused(&["image", "--input", text(&folder)], 1, &[text(&folder), "has no pictures"]);
    let file = put(&folder, "bad.png", b"no picture");
    assert_refused(&["image", "--input", text(&file)], 1, &[text(&file), "could not be read"]);
    let output = folder.join("output");
    let ran = filter(&folder, &["--output", text(&output)]);
    assert_eq!((ran.status.code(), stdout(&ran)), (Some(1), ""));
    let lines: Vec<_> = stderr(&ran).lines().collect();
    assert!(lines.len() == 2 && lines[0].contains("bad.png could not be decoded"), "{lines:?}");
    assert!(lines[1].ends_with("has no pictures that can be read"), "{lines:?}");
    assert_eq!(names(&folder), ["bad.png"]);
}

#[test]
fn outputs_that_cannot_be_written_are_named() {
    let folder = folder("image-outputs");
    let file = put(&folder, "file", b"");
    for output in [file, folder.join("missing").join("output")] {
        let args = ["image", "--width", "16", "--output", text(&output)];
        assert_refused(&args, 1, &[text(&output), "could not be written to"]);
    }
    assert_eq!(names(&folder), ["file"]);
    // What may not be replaced is not, and no incomplete file is left.
    fs::create_dir(folder.join("01.png")).expect("the folder can be made");
    let ran = run_args(&["image", "--width", "16", "--pictures", "1", "--output", text(&folder)]);
    assert_eq!(ran.status.code(), Some(1));
    assert!(stderr(&ran).contains("the result could not be kept"), "{}", stderr(&ran));
    assert_eq!(names(&folder), ["01.png", "file"]);
}

/// A picture may get the name of any file among the results.
#[test]
fn other_files_among_the_results_are_refused() {
    let folder = folder("image-among");
    let file = |name: &str| folder.join(name);
    let output = file("output");
    fs::create_dir_all(output.join("sub")).expect("the folders can be made");
    let small = ["image", "--width", "16", "--contenders", "sequential", "--repeat", "1", "--output"];
    let among = |output: &Path, option: &str, file: &Path| {
        let told = format!("--{option} names {}, in the folder that --output writes to", text(file));
        let option = format!("--{option}");
        assert_refused(&[&small[..], &[text(output), &option, text(file)]].concat(), 2, &[&told]);
    };
    for option in ["csv", "plot", "monitor"] {
        among(&output, option, &output.join("01.png"));
    }
    among(&output, "csv", &file("output/sub/../x.csv"));
    among(&file("output/sub/.."), "csv", &output.join("x.csv"));
    among(&file("new"), "csv", &file("new/01.png"));
    among(Path::new("."), "csv", Path::new("01.png"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        put(&output, "old.png", b"");
        put(&folder, "target", b"");
        symlink("output/old.png", file("to")).expect("a link");
        symlink("../target", output.join("from")).expect("a link");
        symlink("output", file("other")).expect("a link");
        among(&output, "csv", &file("to"));
        among(&output, "csv", &output.join("from"));
        among(&file("other"), "csv", &output.join("01.png"));
    }
    // Beside the folder, and below it, no picture is written.
    let (beside, below) = (file("output.csv"), output.join("sub/x.csv"));
    let ran =
        run_args(&[&small[..], &[text(&output), "--csv", text(&beside), "--monitor", text(&below)]].concat());
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    assert!(beside.exists() && below.exists() && output.join("01.png").exists());
}

#[test]
fn bad_arguments_of_image_are_refused() {
    let folder = folder("image-arguments");
    let folder = text(&folder);
    let cases: &[(&[&str], &[&str])] = &[
        (&["--kind", "large"], &["--kind", "small, big, mixed"]),
        (&["--width", "15"], &["--width", "16..=8192"]),
        (&["--width", "16", "--kind", "big"], &["--width", "--kind"]),
        (&["--pictures", "0"], &["--pictures"]),
        (&["--input", folder, "--kind", "big"], &["--input", "--kind"]),
        (&["--input", folder, "--width", "20"], &["--input", "--width"]),
        (&["--input", folder, "--output", folder], &["--input and --output name the same place", folder]),
        (&["--shape", "ring"], &["--shape", "farm, pipe-of-farms, farm-of-pipes"]),
    ];
    for (args, told) in cases {
        assert_refused(&[&["image"], *args].concat(), 2, told);
    }
}

#[test]
fn a_wrong_picture_is_an_error() {
    let args = ["image", "--width", "16", "--pictures", "4", "--contenders", "faulty"];
    assert_refused(&args, 1, &["`faulty`", "items with the hash", "instead of 4 with the hash"]);
}

#[cfg(unix)]
#[test]
fn names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = folder("image-names");
    let input = folder.join(OsStr::from_bytes(b"in\xff"));
    let output = folder.join(OsStr::from_bytes(b"out\xfe"));
    fs::create_dir(&input).expect("the folder can be made");
    let name = |bytes| OsStr::from_bytes(bytes);
    put(&input, name(b"good\xff.png"), &encoded(ImageFormat::Png));
    put(&input, name(b"good\xfe.png"), &encoded(ImageFormat::Png));
    put(&input, name(b"bad\xff.png"), b"no picture");
    let words = ["image", "--repeat", "1", "--json", "--input"].map(OsStr::new);
    let args = [&words[..], &[input.as_os_str(), OsStr::new("--output"), output.as_os_str()]].concat();
    let ran =
        std::process::Command::new(crate::executable()).args(args).output().expect("the command starts");
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    assert!(stderr(&ran).contains("bad\u{fffd}.png could not be decoded"), "{}", stderr(&ran));
    assert!(stdout(&ran).lines().all(|line| line.contains("\"verified\":true")), "{}", stdout(&ran));
    assert!(output.join(name(b"good\xfe.png")).exists());
    assert_eq!(fs::read_dir(&output).expect("the folder is there").count(), 2);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_incomplete_picture() {
    let folder = folder("image-full");
    let args = ["image", "--width", "600", "--pictures", "1", "--contenders", "sequential"];
    let ran = run_on_full_disk(&[&args[..], &["--repeat", "1", "--output", text(&folder)]].concat());
    assert_eq!(ran.status.code(), Some(1), "{}", stderr(&ran));
    assert!(stderr(&ran).contains("01.png could not be written"), "{}", stderr(&ran));
    assert!(names(&folder).is_empty());
}
