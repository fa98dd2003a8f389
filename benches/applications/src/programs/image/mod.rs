//! Five filters over pictures: `Image Processing` of the Rust-SSP paper.
//!
//! An item is a picture. The stages are its filters: saturation 0.2, emboss, gamma 2.0, sharpen, grayscale.
//! Small pictures have 640 by 427 pixels and big ones 1920 by 1280, as in the paper; `mixed` has both in
//! turn.
//!
//! Pictures are generated or decoded before the clock starts, and encoded after it has stopped. The source
//! copies none of them: the first filter makes a copy, which the others change, except that a convolution
//! makes a new picture. At most sixteen pictures are generated; if there are to be more, they are used again.
//! Workers share nothing but the pictures of the source, which are not changed.
//!
//! The sink takes the pictures in order and hashes their pixels, within the timed run, so that it need not
//! keep them: the results of a long run do not fit into memory. Hashing takes about a fiftieth of the time of
//! the filters. Queues hold two pictures for each worker, which are ten megabytes each if they are big; but
//! `rayon` has all results in memory before the first one reaches the sink.
//!
//! Verified: a hash of number, size and pixels of all pictures in order, against the sequential program.

mod filters;
mod generated;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, value_parser};
use image::RgbaImage;
use serde::Serialize;

use crate::pictures::{self, folder};
use crate::streams::{Class, Digest, Flow, Shape, Stream};
use generated::{Kind, NARROWEST, generated};
use pipes_benches::files::as_text;
use pipes_benches::options::up_to;

/// The options of the filters.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Image {
    /// Sizes of generated pictures [default: mixed]
    #[arg(long, value_name = "KIND", value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
    /// Width of all generated pictures, whose height is two thirds of it
    #[arg(long, value_name = "N", conflicts_with = "kind")]
    #[arg(value_parser = value_parser!(u32).range(i64::from(NARROWEST)..=8192))]
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    /// Pictures to filter, overriding the class; if there are fewer, they are used again
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pictures: Option<u64>,
    /// Filter the pictures in this folder (PNG, JPEG, BMP) instead of generated ones, whatever the class
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["kind", "width"])]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    input: Option<PathBuf>,
    /// Write the results into this folder, as PNG
    #[arg(long, value_name = "FOLDER")]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    output: Option<PathBuf>,
}

impl Stream for Image {
    const NAME: &'static str = "image";
    const ABOUT: &'static str = "Apply five filters to pictures; one op is one picture";
    const UNIT: &'static str = "pictures";
    const QUICK: &'static [&'static str] = &["--width", "32", "--pictures", "10"];
    const VARIANTS: &'static [&'static [&'static str]] =
        &[&["--shape", "farm"], &["--shape", "pipe-of-farms"], &["--shape", "farm-of-pipes"]];
    const SHAPES: &'static [Shape] = &[Shape::Farm, Shape::PipeOfFarms, Shape::FarmOfPipes];

    type Flow = Filters;

    fn flow(&self, class: Class) -> io::Result<Filters> {
        if let Some(folder) = &self.output {
            // If results cannot be written there, this is reported before anything runs.
            folder::check(folder)?;
        }
        let (named, count, bad) = match &self.input {
            Some(folder) => {
                let (named, bad) = folder::read(folder)?;
                let count = self.pictures.unwrap_or(named.len() as u64);
                (named, count, bad)
            }
            None => {
                let kind = self.kind.unwrap_or(Kind::Mixed);
                let count = self.pictures.unwrap_or(kind.count(class));
                let pictures = generated(count, |number| self.width.unwrap_or(kind.width(number)));
                let named =
                    (1..).zip(pictures).map(|(number, picture)| (format!("{number:02}").into(), picture));
                (named.collect(), count, 0)
            }
        };
        let (names, pictures): (_, Vec<_>) = named.into_iter().unzip();
        let pictures = pictures.into_iter().map(Arc::new).collect();
        Ok(Filters { pictures, names, count, bad, keeps: self.output.is_some() })
    }

    fn keep(&self, filters: &Filters, results: Results) -> io::Result<()> {
        let Some(folder) = &self.output else { return Ok(()) };
        let kept = results.kept.iter().map(|pixels| &**pixels);
        folder::write(folder, filters.names.iter().map(|name| &**name).zip(kept))
    }

    fn regrets(&self, filters: &Filters) -> Result<(), String> {
        folder::regret(filters.bad, filters.pictures.len())
    }
}

/// The pictures before the filters.
#[derive(Debug)]
pub struct Filters {
    pictures: Vec<Arc<RgbaImage>>,
    names: Vec<OsString>,
    /// The number of items. If it is larger than that of the pictures, they are used again.
    count: u64,
    /// The number of files that could not be used.
    bad: usize,
    /// Whether results are to be written.
    keeps: bool,
}

/// A picture on its way.
#[derive(Debug)]
pub struct Picture {
    number: u64,
    pixels: Arc<RgbaImage>,
}

/// What became of the pictures.
#[derive(Debug, Default)]
pub struct Results {
    digest: Digest,
    /// The first result for each picture, if they are to be written.
    kept: Vec<Arc<RgbaImage>>,
}

impl Flow for Filters {
    type Item = Picture;
    type Sink = Results;
    type Answer = Digest;

    const STAGES: &'static [&'static str] = filters::NAMES;

    fn ops(&self) -> u64 {
        self.count
    }

    fn source(&self) -> io::Result<impl Iterator<Item = Picture> + Send + 'static> {
        let pictures = self.pictures.clone();
        let pixels = move |number| pictures[(number % pictures.len() as u64) as usize].clone();
        Ok((0..self.count).map(move |number| Picture { number, pixels: pixels(number) }))
    }

    fn work(&self, stage: usize, mut picture: Picture) -> Picture {
        // Copies the picture in the first stage, where it is shared with the source, and nowhere else.
        filters::apply(stage, Arc::make_mut(&mut picture.pixels));
        picture
    }

    fn sink(&self) -> io::Result<Results> {
        Ok(Results::default())
    }

    fn take(&self, results: &mut Results, Picture { number, pixels }: Picture) -> io::Result<()> {
        pictures::note(&mut results.digest, number, pixels.dimensions(), &pixels);
        if self.keeps && number < self.pictures.len() as u64 {
            results.kept.push(pixels);
        }
        Ok(())
    }

    fn answer(&self, results: &Results) -> io::Result<Digest> {
        Ok(results.digest)
    }

    fn verify(&self, digest: &Digest, due: &Digest) -> Result<(), String> {
        digest.verify(due)
    }

    fn spoil(&self, results: &mut Results) {
        results.digest.note(0);
    }

    fn window(&self, replicas: usize) -> usize {
        2 * replicas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_size_and_pixel_counts() {
        let flow = Image { kind: None, width: Some(17), pictures: Some(3), input: None, output: None }
            .flow(Class::Test)
            .expect("the pictures are made");
        let of = |change: fn(&mut Vec<Picture>)| {
            let mut pictures: Vec<_> = flow.source().expect("there is a source").collect();
            change(&mut pictures);
            let mut results = flow.sink().expect("there is a sink");
            pictures.into_iter().for_each(|picture| flow.take(&mut results, picture).expect("it is taken"));
            flow.answer(&results).expect("there is an answer")
        };
        let due = of(|_| {});
        assert_eq!(of(|_| {}), due);
        let changes: [fn(&mut Vec<Picture>); 5] = [
            |pictures| pictures.swap(0, 1),
            |pictures| pictures.truncate(2),
            |pictures| pictures[2].number = 3,
            |pictures| *Arc::make_mut(&mut pictures[2].pixels).iter_mut().next_back().expect("a byte") ^= 1,
            |pictures| {
                let turned = image::imageops::rotate90(&*pictures[1].pixels);
                let pixels =
                    RgbaImage::from_raw(turned.width(), turned.height(), pictures[1].pixels.to_vec());
                pictures[1].pixels = Arc::new(pixels.expect("the sides are swapped"));
            },
        ];
        assert!(changes.into_iter().all(|change| of(change) != due));
    }
}
