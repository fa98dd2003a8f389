//! The pictures of the base and those of the queries: generated, or read from a folder.

use std::io;
use std::path::Path;
use std::sync::Arc;

use image::imageops::{FilterType, resize};
use image::{Rgb, RgbImage, RgbaImage};

use super::scenes;
use crate::pictures::folder;
use pipes_benches::files::shown;

/// The number of pictures of a family in the base, if it is large enough.
const FAMILY: u64 = 16;

/// All pictures. Those of queries are never in a generated base; those of a folder are both.
#[derive(Debug)]
pub enum Gallery {
    /// Made again each time they are needed.
    Generated {
        /// The number of pictures in the base.
        base: u64,
        /// Their width and height.
        side: u32,
    },
    /// In memory, with their names.
    Read(Vec<(String, Arc<RgbImage>)>),
}

impl Gallery {
    /// The pictures in a folder, made so small that they fit into a square with this side, and the number of
    /// files that could not be used.
    pub fn read(folder: &Path, side: u32) -> io::Result<(Gallery, usize)> {
        let (pictures, bad) = folder::read_each(folder, |picture| Arc::new(fitting(picture, side)))?;
        let named = pictures.into_iter().map(|(name, picture)| (shown(name), picture));
        Ok((Gallery::Read(named.collect()), bad))
    }

    /// The number of pictures in the base.
    pub fn objects(&self) -> u32 {
        match self {
            Gallery::Generated { base, .. } => *base as u32,
            Gallery::Read(pictures) => pictures.len() as u32,
        }
    }

    /// A picture of the base.
    pub fn object(&self, number: u32) -> Arc<RgbImage> {
        self.picture(u64::from(number))
    }

    /// The picture of a query.
    pub fn query(&self, number: u64) -> Arc<RgbImage> {
        self.picture(self.behind_base() + number)
    }

    /// The name of a picture of the base.
    pub fn object_name(&self, number: u32) -> String {
        match self {
            Gallery::Generated { .. } => {
                format!("f{:03}-{number:05}", u64::from(number) % self.families())
            }
            Gallery::Read(pictures) => pictures[number as usize].0.clone(),
        }
    }

    /// The name of a query.
    pub fn query_name(&self, number: u64) -> String {
        match self {
            Gallery::Generated { .. } => format!("q{number:05}-f{:03}", self.family_of_query(number)),
            Gallery::Read(pictures) => pictures[number as usize % pictures.len()].0.clone(),
        }
    }

    /// Whether this picture of the base belongs to the family of the query, if there are families.
    pub fn are_related(&self, query: u64, object: u32) -> Option<bool> {
        match self {
            Gallery::Generated { .. } => {
                Some(u64::from(object) % self.families() == self.family_of_query(query))
            }
            Gallery::Read(_) => None,
        }
    }

    /// The number of the first query among all pictures, if those of the base are the first ones.
    fn behind_base(&self) -> u64 {
        match self {
            Gallery::Generated { base, .. } => *base,
            Gallery::Read(_) => 0,
        }
    }

    fn picture(&self, number: u64) -> Arc<RgbImage> {
        match self {
            Gallery::Generated { side, .. } => {
                Arc::new(scenes::picture(number % self.families(), number, *side))
            }
            Gallery::Read(pictures) => pictures[number as usize % pictures.len()].1.clone(),
        }
    }

    fn family_of_query(&self, number: u64) -> u64 {
        (self.behind_base() + number) % self.families()
    }

    /// The number of families. Pictures belong to one after another.
    fn families(&self) -> u64 {
        (u64::from(self.objects()) / FAMILY).max(1)
    }
}

/// A picture on white, made smaller if it does not fit into a square with this side.
fn fitting(picture: RgbaImage, side: u32) -> RgbImage {
    let (width, height) = picture.dimensions();
    let longer = width.max(height);
    let picture = if longer > side {
        // Each side has a pixel at least.
        let shorter = |length: u32| (u64::from(length) * u64::from(side) / u64::from(longer)).max(1) as u32;
        resize(&picture, shorter(width), shorter(height), FilterType::Triangle)
    } else {
        picture
    };
    let on_white = |channel: u8, alpha: u8| {
        let (channel, alpha) = (u32::from(channel), u32::from(alpha));
        ((channel * alpha + 255 * (255 - alpha) + 127) / 255) as u8
    };
    let mut flat = RgbImage::new(picture.width(), picture.height());
    for (Rgb(flat), pixel) in flat.pixels_mut().zip(picture.pixels()) {
        let [red, green, blue, alpha] = pixel.0;
        *flat = [red, green, blue].map(|channel| on_white(channel, alpha));
    }
    flat
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use image::Rgba;

    use super::*;

    #[test]
    fn queries_have_relatives_in_the_base_but_are_not_in_it() {
        let gallery = Gallery::Generated { base: 50, side: 16 };
        let base: Vec<_> = (0..gallery.objects()).map(|object| gallery.object(object)).collect();
        for query in 0..5 {
            assert!(!base.contains(&gallery.query(query)));
            let relatives = (0..50).filter(|object| gallery.are_related(query, *object) == Some(true));
            assert!((16..=17).contains(&relatives.count()));
        }
        assert_eq!(gallery.query_name(1), "q00001-f000");
        let names: HashSet<_> = (0..50).map(|object| gallery.object_name(object)).collect();
        assert!(names.len() == 50 && names.contains("f001-00049"), "{names:?}");
    }

    #[test]
    fn pictures_become_smaller_never_larger() {
        let of = |width, height| {
            fitting(RgbaImage::from_pixel(width, height, Rgba([255, 0, 100, 51])), 20).dimensions()
        };
        assert_eq!(
            [of(1, 1), of(20, 20), of(40, 20), of(30, 60), of(1000, 1)],
            [(1, 1), (20, 20), (20, 10), (10, 20), (20, 1)]
        );
    }

    #[test]
    fn what_is_transparent_is_on_white() {
        let glass = fitting(RgbaImage::from_pixel(2, 1, Rgba([255, 0, 100, 51])), 20);
        // A fifth of the color, and four fifths of white.
        assert_eq!(glass[(1, 0)].0, [255, 204, 224]);
    }
}
