//! Frames: the pictures of a film, which programs search one after another.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use image::{DynamicImage, RgbImage};

use super::folder;
use pipes_benches::console::note;
use pipes_benches::files::shown;

/// The frames of a film. They are shared, and used again after the last one.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    pixels: Vec<Arc<RgbImage>>,
    /// The number of files that could not be used.
    bad: usize,
}

impl Frames {
    /// Reads the pictures in a folder, without their alpha. One that cannot be read or that `problem` has
    /// something to say about, given its size, is reported at once. Fails if none is left.
    pub fn read(path: &Path, problem: impl Fn((u32, u32)) -> Option<String>) -> io::Result<Frames> {
        let rgb = |picture| DynamicImage::ImageRgba8(picture).into_rgb8();
        let (named, mut bad) = folder::read_each(path, rgb)?;
        let mut pixels = Vec::new();
        for (name, picture) in named {
            if let Some(problem) = problem(picture.dimensions()) {
                note(&format!("{} {problem}\n", shown(path.join(name))));
                bad += 1;
            } else {
                pixels.push(Arc::new(picture));
            }
        }
        if pixels.is_empty() {
            let told = format!("{} has no pictures that can be used", shown(path));
            return Err(io::Error::new(ErrorKind::NotFound, told));
        }
        Ok(Frames { pixels, bad })
    }

    /// The number of different frames.
    pub fn len(&self) -> u64 {
        self.pixels.len() as u64
    }

    /// The place of a frame among the different ones. There must be a frame.
    pub fn place(&self, number: u64) -> usize {
        (number % self.len()) as usize
    }

    /// The frame with this number. There must be one.
    pub fn get(&self, number: u64) -> Arc<RgbImage> {
        self.pixels[self.place(number)].clone()
    }

    /// The width of the widest frame, and the height of the highest one.
    pub fn size(&self) -> (u32, u32) {
        let sizes = self.pixels.iter().map(|frame| frame.dimensions());
        sizes.fold((0, 0), |(width, height), frame| (width.max(frame.0), height.max(frame.1)))
    }

    /// Fails if files could not be used.
    pub fn regret(&self) -> Result<(), String> {
        folder::regret(self.bad, self.pixels.len())
    }
}

impl FromIterator<RgbImage> for Frames {
    fn from_iter<I: IntoIterator<Item = RgbImage>>(frames: I) -> Frames {
        Frames { pixels: frames.into_iter().map(Arc::new).collect(), bad: 0 }
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn frames_are_used_again_and_have_a_size_together() {
        let frames: Frames = [(3, 9), (8, 2)]
            .map(|(width, height)| RgbImage::from_pixel(width, height, Rgb([7; 3])))
            .into_iter()
            .collect();
        assert_eq!((frames.len(), frames.size(), frames.regret()), (2, (8, 9), Ok(())));
        assert_eq!([0, 1, 2, 5].map(|number| frames.get(number).width()), [3, 8, 3, 8]);
    }
}
