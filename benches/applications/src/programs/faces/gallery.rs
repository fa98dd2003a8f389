//! Recognizing persons: what each looks like, and who it is that a face resembles most.
//!
//! The persons are learnt from renderings of the photograph that are not frames of the film: they show one
//! face each, at other sizes, with another blur and other light. The squares around the faces are not those
//! that the detector would find in them, but are shifted and scaled by chance.

use image::DynamicImage;

use super::area::Square;
use super::patterns::Description;
use super::photograph::Photograph;
use super::sample::Grid;
use super::scene::{between, lit};
use crate::chance::Chance;

/// The sizes of the renderings of each person, as multiples of that in the photograph.
const SIZES: [f32; 3] = [0.8, 1.1, 1.6];

/// The number of squares in each rendering.
const SQUARES: usize = 4;

/// A square is shifted by up to this share of its side, and scaled by factors between these.
const SHIFT: f32 = 0.1;
const SCALES: (f32, f32) = (0.85, 1.2);

/// What is around a face in a rendering, as a share of its side.
const MARGIN: f32 = 0.3;

/// A face is taken for a person if it is nearer than this. Chosen with frames that the film does not have:
/// of the faces in the gallery, about 95 % are nearer to the right person, and 2 % to another if the right
/// one is not there.
const NEAR: f32 = 0.39;

/// The descriptions of each person.
#[derive(Debug)]
pub struct Gallery(Vec<Vec<Description>>);

/// Whom a face resembles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// The number of the nearest person, from 0.
    pub who: usize,
    /// The distance to that person.
    pub distance: f32,
    /// The distance to the nearest of all others: what the distance would be without that person.
    pub next: f32,
}

impl Gallery {
    /// Learns all persons.
    pub fn of(photograph: &Photograph) -> Gallery {
        let persons = photograph.faces.iter().enumerate();
        Gallery(persons.map(|(who, face)| learnt(photograph, who as u64, *face)).collect())
    }

    /// Finds the person that this face resembles most.
    pub fn verdict(&self, face: &Description) -> Verdict {
        let mut verdict = Verdict { who: 0, distance: f32::INFINITY, next: f32::INFINITY };
        for (who, person) in self.0.iter().enumerate() {
            let distance = person.iter().map(|known| face.distance(known)).fold(f32::INFINITY, f32::min);
            if distance < verdict.distance {
                verdict = Verdict { who, distance, next: verdict.distance };
            } else {
                verdict.next = verdict.next.min(distance);
            }
        }
        verdict
    }
}

impl Verdict {
    /// Returns `true` if the face is taken for the person that it resembles most.
    pub fn is_near(&self) -> bool {
        self.distance < NEAR
    }

    /// Returns `true` if it would be taken for someone if this person was not in the gallery.
    pub fn is_near_without(&self, who: usize) -> bool {
        (if self.who == who { self.next } else { self.distance }) < NEAR
    }
}

/// The descriptions of a person.
fn learnt(photograph: &Photograph, who: u64, face: Square) -> Vec<Description> {
    let mut chance = Chance::row(0x9a11, who);
    let around = face.with_margin(MARGIN);
    let mut descriptions = Vec::new();
    for size in SIZES {
        let side = (around.side * size).round();
        let picture = Grid::over(around, side as u32).sampled(&photograph.pixels, side as u32, side as u32);
        let picture = DynamicImage::ImageLuma8(lit(picture, between(0.6, 1.3, &mut chance)));
        let picture = picture.blur(between(0.1, 1.5, &mut chance)).into_luma8();
        let face = Square::new(0.0, 0.0, side).with_margin(-MARGIN / (1.0 + 2.0 * MARGIN));
        descriptions.extend((0..SQUARES).map(|_| {
            let square = face.with_margin((between(SCALES.0, SCALES.1, &mut chance) - 1.0) / 2.0);
            let mut shift = || between(-SHIFT, SHIFT, &mut chance);
            let corner = square.at(shift(), shift());
            Description::of(&picture, Square { corner, side: square.side })
        }));
    }
    descriptions
}

#[cfg(test)]
mod tests {
    use super::super::known::known;
    use super::*;

    #[test]
    fn persons_are_recognized_and_strangers_are_not() {
        let known = known().expect("the files are there");
        let faces = known.photograph.faces.iter();
        let verdicts: Vec<_> = faces
            .map(|face| known.gallery.verdict(&Description::of(&known.photograph.pixels, *face)))
            .collect();
        let right =
            verdicts.iter().enumerate().filter(|(who, verdict)| verdict.who == *who && verdict.is_near());
        assert!(right.count() >= 28, "{verdicts:?}");
        let wrong = verdicts.iter().enumerate().filter(|(who, verdict)| verdict.is_near_without(*who));
        assert!(wrong.count() <= 3, "{verdicts:?}");
    }

    #[test]
    fn the_next_is_the_nearest_without_the_first() {
        let Gallery(persons) = &known().expect("the files are there").gallery;
        let gallery = |persons: &[usize], all: &[Vec<Description>]| {
            Gallery(persons.iter().map(|who| all[*who].clone()).collect())
        };
        let face = &persons[3][0];
        let all = gallery(&[5, 3, 8, 9], persons).verdict(face);
        assert_eq!((all.who, all.distance), (1, 0.0));
        let others = gallery(&[5, 8, 9], persons).verdict(face);
        assert_eq!(all.next, others.distance);
        assert_eq!(gallery(&[3], persons).verdict(face).next, f32::INFINITY);
    }
}
