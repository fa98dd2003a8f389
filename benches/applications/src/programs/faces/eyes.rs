//! Finding the middles of eyes.
//!
//! Method: Fabian Timm and Erhardt Barth, "Accurate eye centre localisation by means of gradients", in:
//! Proceedings of the International Conference on Computer Vision Theory and Applications (VISAPP), 2011.
//!
//! An iris is a dark disc. At its edge brightness grows outwards, so the gradients there point away from its
//! middle. The middle is the place for which the directions to all strong gradients agree best with the
//! gradients themselves. Dark places count more.

use std::sync::LazyLock;

use image::GrayImage;

use super::area::{Point, Square};
use super::sample::Grid;

/// The size of the part of the face in which an eye is searched, in pixels after it was scaled.
const WIDTH: usize = 28;
const HEIGHT: usize = 20;

/// The left and the top end of this part for the eye at the left, and its width, as shares of the face's
/// side. The part for the other eye is its mirror image.
const PART: (f32, f32, f32) = (0.12, 0.22, 0.34);

/// The middles of the eyes of a face, the one at the left in the picture first.
pub fn centers(picture: &GrayImage, face: Square) -> [Point; 2] {
    let (left, top, width) = PART;
    [left, 1.0 - left - width].map(|left| {
        let Point { x, y } = face.at(left, top);
        let grid = Grid::over(Square::new(x, y, width * face.side), WIDTH as u32);
        let part = grid.sampled(picture, WIDTH as u32, HEIGHT as u32);
        let (x, y) = center(&part);
        grid.place(x, y)
    })
}

/// The direction of a gradient, with length one, and where it is.
struct Gradient {
    place: usize,
    x: f32,
    y: f32,
}

/// The directions of length one from the middle of this table to all other places in it. Those from any place
/// of a picture are a part of it.
static DIRECTIONS: LazyLock<Vec<(f32, f32)>> = LazyLock::new(|| {
    let (middle_x, middle_y) = (WIDTH as f32 - 1.0, HEIGHT as f32 - 1.0);
    let places = (0..2 * HEIGHT - 1).flat_map(|y| (0..ROW).map(move |x| (x as f32, y as f32)));
    let direction = |(x, y): (f32, f32)| {
        let (x, y) = (x - middle_x, y - middle_y);
        let length = x.hypot(y).max(1.0);
        (x / length, y / length)
    };
    places.map(direction).collect()
});

/// The width of the table of directions.
const ROW: usize = 2 * WIDTH - 1;

/// The middle of the eye.
fn center(part: &[u8]) -> (f32, f32) {
    let gradients = strong(part);
    let mut scores = [0.0; WIDTH * HEIGHT];
    for (place, score) in scores.iter_mut().enumerate() {
        let (x, y) = (place % WIDTH, place / WIDTH);
        let first = (HEIGHT - 1 - y) * ROW + WIDTH - 1 - x;
        let from_here = &DIRECTIONS[first..];
        let mut sum = 0.0;
        for Gradient { place, x, y } in &gradients {
            let direction = from_here[place / WIDTH * ROW + place % WIDTH];
            let agreement = (direction.0 * x + direction.1 * y).max(0.0);
            sum += agreement * agreement;
        }
        *score = sum * (255.0 - smooth(part, x, y));
    }
    let place = best(scores);
    ((place % WIDTH) as f32 + 0.5, (place / WIDTH) as f32 + 0.5)
}

/// The gradients that are longer than most.
fn strong(part: &[u8]) -> Vec<Gradient> {
    let inner = (1..HEIGHT - 1).flat_map(|y| (1..WIDTH - 1).map(move |x| y * WIDTH + x));
    let difference = |more: usize, less: usize| f32::from(part[more]) - f32::from(part[less]);
    let all: Vec<_> = inner
        .map(|place| {
            let (x, y) = (difference(place + 1, place - 1), difference(place + WIDTH, place - WIDTH));
            (place, x, y, x.hypot(y))
        })
        .collect();
    let count = all.len() as f32;
    let mean = all.iter().map(|(.., length)| length).sum::<f32>() / count;
    let variance = all.iter().map(|(.., length)| (length - mean) * (length - mean)).sum::<f32>() / count;
    let least = mean + 0.3 * variance.sqrt();
    let strong = all.into_iter().filter(|(.., length)| *length > least);
    strong.map(|(place, x, y, length)| Gradient { place, x: x / length, y: y / length }).collect()
}

/// The mean brightness around a place.
fn smooth(part: &[u8], x: usize, y: usize) -> f32 {
    let columns = x.saturating_sub(1)..(x + 2).min(WIDTH);
    let rows = y.saturating_sub(1)..(y + 2).min(HEIGHT);
    let count = (columns.len() * rows.len()) as f32;
    let row = |y: usize| columns.clone().map(|x| f32::from(part[y * WIDTH + x])).sum::<f32>();
    rows.map(row).sum::<f32>() / count
}

/// The place with the highest score, except those that are connected with the edge of the part by high
/// scores: these belong to hair, brows or glasses, most of which lie outside.
fn best(mut scores: [f32; WIDTH * HEIGHT]) -> usize {
    let highest = |scores: &[f32]| {
        let all = scores.iter().enumerate();
        all.max_by(|one, two| one.1.total_cmp(two.1)).map_or((0, 0.0), |(place, score)| (place, *score))
    };
    let (first, score) = highest(&scores);
    if score <= 0.0 {
        // There are no gradients.
        return HEIGHT / 2 * WIDTH + WIDTH / 2;
    }
    let least = 0.9 * score;
    let is_edge = |place: &usize| {
        let (x, y) = (place % WIDTH, place / WIDTH);
        x == 0 || y == 0 || x == WIDTH - 1 || y == HEIGHT - 1
    };
    let mut connected: Vec<_> = (0..scores.len()).filter(is_edge).collect();
    while let Some(place) = connected.pop() {
        if scores[place] < least {
            continue;
        }
        scores[place] = 0.0;
        let (x, y) = (place % WIDTH, place / WIDTH);
        connected.extend((x > 0).then(|| place - 1));
        connected.extend((x + 1 < WIDTH).then_some(place + 1));
        connected.extend((y > 0).then(|| place - WIDTH));
        connected.extend((y + 1 < HEIGHT).then_some(place + WIDTH));
    }
    let (place, score) = highest(&scores);
    if score > 0.0 { place } else { first }
}

#[cfg(test)]
mod tests {
    use image::Luma;
    use imageproc::drawing::{draw_filled_circle_mut, draw_filled_rect_mut};
    use imageproc::rect::Rect;

    use super::*;

    /// A bright face of this side with a dark disc at each of these places.
    fn face(side: u32, eyes: [(i32, i32); 2]) -> GrayImage {
        let mut picture = GrayImage::from_pixel(side, side, Luma([190]));
        let radius = side as i32 / 25;
        for eye in eyes {
            draw_filled_circle_mut(&mut picture, eye, 2 * radius, Luma([230]));
            draw_filled_circle_mut(&mut picture, eye, radius, Luma([40]));
        }
        picture
    }

    /// How far the eyes that are found are from these, as a share of the side.
    fn error(picture: &GrayImage, eyes: [(i32, i32); 2]) -> f32 {
        let side = picture.width() as f32;
        let found = centers(picture, Square::new(0.0, 0.0, side));
        let far = |(found, (x, y)): (Point, (i32, i32))| {
            (found.x - x as f32 - 0.5).hypot(found.y - y as f32 - 0.5) / side
        };
        found.into_iter().zip(eyes).map(far).fold(0.0, f32::max)
    }

    #[test]
    fn dark_discs_are_found() {
        for (side, eyes) in [
            (200, [(62, 68), (140, 70)]),
            (200, [(50, 80), (150, 60)]),
            (60, [(19, 20), (40, 22)]),
            (45, [(15, 15), (30, 16)]),
        ] {
            let error = error(&face(side, eyes), eyes);
            assert!(error < 0.03, "{side} {eyes:?}: {error}");
        }
    }

    #[test]
    fn hair_at_the_side_is_no_eye() {
        let eyes = [(66, 68), (140, 70)];
        let mut picture = face(200, eyes);
        draw_filled_rect_mut(&mut picture, Rect::at(0, 0).of_size(35, 200), Luma([0]));
        let error = error(&picture, eyes);
        assert!(error < 0.03, "{error}");
    }

    #[test]
    fn where_nothing_changes_the_middle_is_found() {
        for gray in [0, 255] {
            let found = centers(&GrayImage::from_pixel(50, 50, Luma([gray])), Square::new(0.0, 0.0, 50.0));
            assert!((found[0].x - 0.29 * 50.0).abs() < 1.0 && found[0].y == found[1].y, "{found:?}");
        }
    }

    #[test]
    fn a_face_may_be_partly_outside() {
        let picture = face(60, [(19, 20), (40, 22)]);
        for square in
            [Square::new(-70.0, 10.0, 60.0), Square::new(50.0, 50.0, 41.0), Square::new(0.0, 0.0, 0.0)]
        {
            assert!(centers(&picture, square).iter().all(|eye| eye.x.is_finite() && eye.y.is_finite()));
        }
    }
}
