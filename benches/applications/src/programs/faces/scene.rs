//! The film: what is seen of the photograph in each frame.
//!
//! A shot has eight frames. In its course the view moves and becomes narrower or wider, and the picture
//! becomes brighter or darker, and more or less blurred.

use clap::ValueEnum;
use image::{DynamicImage, GrayImage, RgbImage};
use serde::Serialize;

use super::area::{Point, Square};
use super::photograph::Photograph;
use super::sample::Grid;
use crate::chance::Chance;

/// The size of a frame.
pub const WIDTH: u32 = 640;
pub const HEIGHT: u32 = 360;

/// The number of different frames. If more are needed, they are used again.
pub const DIFFERENT: u64 = 64;

/// The number of frames in a shot.
const SHOT: u64 = 8;

/// A face counts as inside a frame if this much around it is inside, too, as a share of its side: what is
/// found is the part between forehead and chin.
const MARGIN: f32 = 0.1;

/// How many persons are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Scene {
    /// One face in each frame.
    One,
    /// Several faces in each frame.
    Several,
    /// Frames with several faces and with one in turn.
    Mixed,
}

/// What is seen of the photograph, and how.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The middle.
    pub middle: Point,
    /// How many pixels of the photograph are seen from left to right.
    pub width: f32,
    /// By which brightness is multiplied.
    pub light: f32,
    /// How far pixels are blurred: a standard deviation, in pixels of the frame.
    pub blur: f32,
}

/// A person of whom something is in a frame.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The number of the person, from 0.
    pub who: usize,
    /// The face.
    pub face: Square,
    /// Whether all of the face is in the frame.
    pub is_whole: bool,
}

impl Scene {
    /// The view of this frame.
    pub fn view(self, photograph: &Photograph, number: u64) -> View {
        if self == Scene::Mixed {
            let scene = [Scene::Several, Scene::One][number as usize % 2];
            return scene.view(photograph, number / 2);
        }
        let mut chance = Chance::row(0xface, number / SHOT);
        let (first, last) = if self == Scene::One {
            let who = chance.below(photograph.faces.len() as u64) as usize;
            (close(photograph, who, &mut chance), close(photograph, who, &mut chance))
        } else {
            (wide(&mut chance), wide(&mut chance))
        };
        first.towards(last, (number % SHOT) as f32 / (SHOT - 1) as f32)
    }
}

/// A number in this range.
pub fn between(low: f32, high: f32, chance: &mut Chance) -> f32 {
    low + (high - low) * chance.unit() as f32
}

/// A view of several persons.
fn wide(chance: &mut Chance) -> View {
    let width = between(500.0, 740.0, chance);
    let half = width / 2.0;
    let middle = Point { x: between(half, 1600.0 - half, chance), y: between(180.0, 260.0, chance) };
    View { middle, width, light: between(0.6, 1.3, chance), blur: between(0.0, 1.5, chance) }
}

/// A view of one person.
fn close(photograph: &Photograph, who: usize, chance: &mut Chance) -> View {
    let face = photograph.faces[who];
    loop {
        let view = View {
            middle: face.at(between(0.2, 0.8, chance), between(0.4, 0.6, chance)),
            width: face.side * between(2.4, 3.4, chance),
            light: between(0.6, 1.3, chance),
            blur: between(0.0, 2.5, chance),
        };
        // There are such views of each person.
        if view.seen(photograph).iter().filter(|seen| seen.is_whole).count() == 1 {
            return view;
        }
    }
}

impl View {
    /// The view that is this far on the way to another one, which is at 1.
    fn towards(self, other: View, part: f32) -> View {
        let on_the_way = |from: f32, to: f32| from + (to - from) * part;
        View {
            middle: Point {
                x: on_the_way(self.middle.x, other.middle.x),
                y: on_the_way(self.middle.y, other.middle.y),
            },
            width: on_the_way(self.width, other.width),
            light: on_the_way(self.light, other.light),
            blur: on_the_way(self.blur, other.blur),
        }
    }

    /// Where the pixels of the frame are in the photograph.
    fn grid(&self) -> Grid {
        let step = self.width / WIDTH as f32;
        let (left, top) = (step * WIDTH as f32 / 2.0, step * HEIGHT as f32 / 2.0);
        let corner = Point { x: self.middle.x - left, y: self.middle.y - top };
        Grid { corner, step: Point { x: step, y: 0.0 } }
    }

    /// The persons in the frame.
    pub fn seen(&self, photograph: &Photograph) -> Vec<Seen> {
        let Grid { corner, step } = self.grid();
        let frame = |face: &Square| {
            let Point { x, y } = face.corner;
            Square::new((x - corner.x) / step.x, (y - corner.y) / step.x, face.side / step.x)
        };
        let seen = |(who, face): (usize, &Square)| {
            let face = frame(face);
            let is_whole = face.with_margin(MARGIN).is_within(WIDTH, HEIGHT);
            let Point { x, y } = face.corner;
            let is_there =
                x < WIDTH as f32 && y < HEIGHT as f32 && x + face.side > 0.0 && y + face.side > 0.0;
            is_there.then_some(Seen { who, face, is_whole })
        };
        photograph.faces.iter().enumerate().filter_map(seen).collect()
    }

    /// The frame.
    pub fn frame(&self, photograph: &Photograph) -> RgbImage {
        let sharp = self.grid().sampled(&photograph.pixels, WIDTH, HEIGHT);
        // A blur of nothing is not defined.
        DynamicImage::ImageLuma8(lit(sharp, self.light)).blur(self.blur.max(0.1)).into_rgb8()
    }
}

/// A picture with other brightnesses.
pub fn lit(mut picture: GrayImage, light: f32) -> GrayImage {
    picture.iter_mut().for_each(|pixel| *pixel = (*pixel as f32 * light + 0.5) as u8);
    picture
}

#[cfg(test)]
mod tests {
    use super::super::known::known;
    use super::*;

    /// How many whole faces each frame has.
    fn counts(scene: Scene) -> Vec<usize> {
        let photograph = &known().expect("the files are there").photograph;
        let whole = |number| {
            scene.view(photograph, number).seen(photograph).iter().filter(|seen| seen.is_whole).count()
        };
        (0..DIFFERENT).map(whole).collect()
    }

    #[test]
    fn frames_have_as_many_faces_as_the_scene_says() {
        let [one, several, mixed] = [Scene::One, Scene::Several, Scene::Mixed].map(counts);
        assert_eq!(one, [1; DIFFERENT as usize]);
        assert!(several.iter().all(|count| (3..=20).contains(count)), "{several:?}");
        let due = several.iter().zip(&one).flat_map(|(several, one)| [*several, *one]);
        assert!(due.take(DIFFERENT as usize).eq(mixed));
    }

    #[test]
    fn faces_are_where_the_frame_shows_them() {
        let photograph = &known().expect("the files are there").photograph;
        let view = View { light: 1.0, blur: 0.0, ..Scene::Several.view(photograph, 3) };
        let frame = DynamicImage::ImageRgb8(view.frame(photograph)).into_luma8();
        let seen = view.seen(photograph);
        for Seen { who, face, .. } in seen.iter().filter(|seen| seen.is_whole) {
            let small = |picture: &GrayImage, face: Square| Grid::over(face, 16).sampled(picture, 16, 16);
            let (found, due) = (small(&frame, *face), small(&photograph.pixels, photograph.faces[*who]));
            let differences =
                found.iter().zip(due.iter()).map(|(found, due)| u32::from(found.abs_diff(*due)));
            assert!(differences.sum::<u32>() < 12 * 256, "person {who}");
        }
    }

    #[test]
    fn frames_differ_and_are_the_same_each_time() {
        let photograph = &known().expect("the files are there").photograph;
        let frame = |number| Scene::One.view(photograph, number).frame(photograph);
        let first = frame(0);
        assert_eq!(first.dimensions(), (WIDTH, HEIGHT));
        assert!(first == frame(0) && first != frame(1));
    }

    #[test]
    fn light_is_multiplied_up_to_white() {
        let picture = GrayImage::from_raw(3, 1, vec![0, 100, 250]).expect("a row of three");
        assert_eq!(lit(picture, 1.5).into_raw(), [0, 150, 255]);
    }
}
