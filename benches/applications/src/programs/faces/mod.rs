//! Finding and recognizing faces in the frames of a film: `Eye Detector` and `Face Recognizer` of SPBench.
//!
//! The film is made from a photograph: that of the 29 participants of the Solvay conference of 1927. Each
//! frame shows a part of it, larger or smaller, brighter or darker, and blurred. So it is known which faces
//! are in a frame, where, and whose they are. Instead, frames may be read from a folder.
//!
//! An item is a frame. Its stages are
//!
//! - `detect`: the detector of the crate `rustface` finds the faces. It has a cascade of classifiers that was
//!   trained by the authors of SeetaFace. The crate is under the BSD 2-clause license, and its folder has the
//!   trained model and the photograph; see `photograph`.
//! - `eyes`: the middles of the eyes of each face, by Timm and Barth; see `eyes`.
//! - `recognize`: the person that each face resembles most, by local binary patterns (Ahonen, Hadid and
//!   Pietikäinen), among 29 that were learnt from other renderings of the photograph; see `patterns` and
//!   `gallery`.
//! - `draw`: a square around each face, with its eyes and the number of the person, or a question mark.
//!
//! The detector takes most of the time, and more of it where there are more faces. Frames are rendered, and
//! persons learnt, before the clock starts. At most 64 frames are different; if there are to be more, they
//! are used again. Each thread has a detector, because a detector has memory that it changes. The source
//! copies no frame, and the last stage copies each. The sink takes the frames in order, hashes their pixels,
//! and counts what was found. None is kept, except that `rayon` has all results in memory before the first
//! one reaches the sink. If they are to be written, they are made once more, one at a time, when the race is
//! over.
//!
//! Verified: a hash of number, size and pixels of all frames in order, and the numbers of faces that were
//! found and recognized, against the sequential program. The figures say how many of the faces were found
//! (`detection_rate`), how many squares are around no face, and how many of those found were taken for the
//! right person (`recognition_rate`) and for another (`confusion_rate`), beside the rate of guessing.
//! `stranger_acceptance_rate` is how many would be taken for another person if their own was not in the
//! gallery: without it, right answers are impossible, and the rate says how much the right ones are worth.

mod area;
mod detect;
mod draw;
mod eyes;
mod gallery;
mod known;
mod patterns;
mod photograph;
mod sample;
mod scene;
mod tally;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use image::{GrayImage, RgbImage, imageops};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::pictures::{self, Frames, film};
use crate::streams::{Class, Digest, Flow, Shape, Stream};
use area::{Point, Square};
use gallery::Verdict;
use known::{Known, known};
use patterns::Description;
use pipes_benches::files::as_text;
use pipes_benches::options::up_to;
use scene::{DIFFERENT, Scene, Seen};
use tally::Tally;

/// The options of the film.
#[derive(Args, Clone, Debug, Default, Serialize)]
pub struct Faces {
    /// How many faces the frames have [default: mixed]
    #[arg(long, value_name = "SCENE", value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    scene: Option<Scene>,
    /// Frames of the film, overriding the class; if there are fewer, they are used again
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    frames: Option<u64>,
    /// Use the pictures in this folder (PNG, JPEG, BMP) as frames, whatever the class
    #[arg(long, value_name = "FOLDER", conflicts_with = "scene")]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    input: Option<PathBuf>,
    /// Write the frames with what was found: an animation if the name ends with `.gif`, otherwise a folder of
    /// PNG
    #[arg(long, value_name = "FILE.gif|FOLDER")]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    output: Option<PathBuf>,
}

impl Scene {
    /// The number of frames that take as long as the class is intended to.
    fn count(self, class: Class) -> u64 {
        class.of(match self {
            Scene::One => [2, 12, 120, 700, 2400],
            Scene::Several => [2, 6, 54, 320, 1060],
            Scene::Mixed => [2, 8, 70, 420, 1400],
        })
    }
}

impl Stream for Faces {
    const NAME: &'static str = "faces";
    const ABOUT: &'static str = "Find and recognize the faces in a film; one op is one frame";
    const UNIT: &'static str = "frames";
    const ABSENT: Option<&'static str> = match photograph::FILES {
        Some(_) => None,
        None => Some(known::ABSENT),
    };
    const QUICK: &'static [&'static str] = &["--scene", "one", "--frames", "1"];
    const VARIANTS: &'static [&'static [&'static str]] =
        &[&["--shape", "farm"], &["--shape", "pipe-of-farms"], &["--shape", "farm-of-pipes"]];
    const SHAPES: &'static [Shape] = &[Shape::Farm, Shape::PipeOfFarms, Shape::FarmOfPipes];

    type Flow = Film;

    fn flow(&self, class: Class) -> io::Result<Film> {
        if let Some(place) = &self.output {
            // If frames cannot be written there, this is reported before anything runs.
            film::check(place)?;
        }
        if let Some(folder) = &self.input {
            let frames = Frames::read(folder, |_| None)?;
            self.output.as_ref().map_or(Ok(()), |place| film::check_size(place, frames.size()))?;
            let count = self.frames.unwrap_or(frames.len());
            return Ok(Film { known: known()?, frames, seen: Vec::new(), count });
        }
        let known = known()?;
        let scene = self.scene.unwrap_or(Scene::Mixed);
        let count = self.frames.unwrap_or(scene.count(class));
        let views = (0..count.min(DIFFERENT)).map(|number| scene.view(&known.photograph, number));
        let frames = views.map(|view| (view.frame(&known.photograph), view.seen(&known.photograph)));
        let (frames, seen): (Vec<_>, _) = frames.unzip();
        Ok(Film { known, frames: frames.into_iter().collect(), seen, count })
    }

    fn figures(&self, _: &Film, found: &Found) -> Map<String, Value> {
        found.tally.figures()
    }

    fn keep(&self, film: &Film, _: Found) -> io::Result<()> {
        let Some(place) = &self.output else { return Ok(()) };
        let numbers = 0..film.count.min(film.frames.len());
        let stages = || 0..Film::STAGES.len();
        let frames = numbers
            .map(|number| stages().fold(frame(&film.frames, number), |frame, stage| film.work(stage, frame)));
        film::write(place, film.frames.size(), frames.map(|frame| Arc::unwrap_or_clone(frame.pixels)))
    }

    fn regrets(&self, film: &Film) -> Result<(), String> {
        film.frames.regret()
    }
}

/// The frames before anything was found.
pub struct Film {
    known: &'static Known,
    frames: Frames,
    /// The persons in each frame, if they are known.
    seen: Vec<Vec<Seen>>,
    /// The number of items. If it is larger than that of the frames, they are used again.
    count: u64,
}

/// A frame on its way.
#[derive(Debug)]
pub struct Frame {
    number: u64,
    pixels: Arc<RgbImage>,
    /// The frame in gray, in which the stages before the last one search. Empty before the first one.
    gray: GrayImage,
    faces: Vec<Face>,
}

/// What is known about a face.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    area: Square,
    eyes: Option<[Point; 2]>,
    verdict: Option<Verdict>,
}

/// What came out.
#[derive(Debug, Default)]
pub struct Found {
    digest: Digest,
    tally: Tally,
}

/// The frame with this number, as it comes from the source.
fn frame(frames: &Frames, number: u64) -> Frame {
    Frame { number, pixels: frames.get(number), gray: GrayImage::default(), faces: Vec::new() }
}

impl Flow for Film {
    type Item = Frame;
    type Sink = Found;
    type Answer = (Digest, Tally);

    const STAGES: &'static [&'static str] = &["detect", "eyes", "recognize", "draw"];

    fn ops(&self) -> u64 {
        self.count
    }

    fn source(&self) -> io::Result<impl Iterator<Item = Frame> + Send + 'static> {
        let frames = self.frames.clone();
        Ok((0..self.count).map(move |number| frame(&frames, number)))
    }

    fn work(&self, stage: usize, mut frame: Frame) -> Frame {
        let Frame { pixels, gray, faces, .. } = &mut frame;
        match stage {
            0 => {
                *gray = imageops::grayscale(&**pixels);
                let areas = detect::faces(&self.known.model, gray).into_iter();
                *faces = areas.map(|area| Face { area, eyes: None, verdict: None }).collect();
            }
            1 => faces.iter_mut().for_each(|face| face.eyes = Some(eyes::centers(gray, face.area))),
            2 => {
                for face in faces {
                    face.verdict = Some(self.known.gallery.verdict(&Description::of(gray, face.area)));
                }
            }
            _ => {
                // The frame is shared with the source, so this copies it.
                let pixels = Arc::make_mut(pixels);
                faces.iter().for_each(|face| draw::face(pixels, face));
                *gray = GrayImage::default();
            }
        }
        frame
    }

    fn sink(&self) -> io::Result<Found> {
        Ok(Found::default())
    }

    fn take(&self, found: &mut Found, Frame { number, pixels, faces, .. }: Frame) -> io::Result<()> {
        pictures::note(&mut found.digest, number, pixels.dimensions(), &pixels);
        match self.seen.get(self.frames.place(number)) {
            Some(seen) => found.tally.compare(&faces, seen),
            None => found.tally.note(&faces),
        }
        Ok(())
    }

    fn answer(&self, found: &Found) -> io::Result<(Digest, Tally)> {
        Ok((found.digest, found.tally))
    }

    fn verify(
        &self,
        (digest, tally): &(Digest, Tally),
        (due, tally_due): &(Digest, Tally),
    ) -> Result<(), String> {
        digest.verify(due)?;
        if tally == tally_due {
            Ok(())
        } else {
            Err(format!("{tally:?} was counted, instead of {tally_due:?}"))
        }
    }

    fn spoil(&self, found: &mut Found) {
        found.digest.note(0);
    }

    fn window(&self, replicas: usize) -> usize {
        2 * replicas
    }
}

#[cfg(test)]
mod tests;
