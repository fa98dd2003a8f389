//! A sheet for people to look at: some queries, each with its ten best beside it.

use image::imageops::{FilterType, replace, resize};
use image::{Rgb, RgbImage};

use super::search::{BEST, Sample, Search};

/// The number of queries on a sheet.
const ROWS: usize = 6;

/// The sides of a picture on the sheet, and of the frame around it.
const INNER: u32 = 44;
const OUTER: u32 = INNER + 6;

/// The distance between frames, and of the query from its best.
const GAP: u32 = 4;

const WHITE: Rgb<u8> = Rgb([255; 3]);
const BLACK: Rgb<u8> = Rgb([0; 3]);
const GRAY: Rgb<u8> = Rgb([160; 3]);
const GREEN: Rgb<u8> = Rgb([20, 160, 60]);
const RED: Rgb<u8> = Rgb([210, 30, 30]);

/// Draws queries from all of the sample, and their best. What is of the right family has a green frame, what
/// is not a red one; if there are no families, frames are gray.
pub fn sheet(search: &Search, sample: &Sample) -> RgbImage {
    let rows = sample.len().min(ROWS) as u32;
    let drawn = sample.iter().step_by((sample.len() / ROWS).max(1));
    let left = |column: u32| GAP + column * (OUTER + GAP) + if column > 0 { 2 * GAP } else { 0 };
    let top = |row: u32| GAP + row * (OUTER + GAP);
    let mut sheet = RgbImage::from_pixel(left(BEST as u32 + 1), top(rows), WHITE);
    for (row, (query, best)) in (0..rows).zip(drawn) {
        let mut put = |column, picture: &RgbImage, frame| {
            replace(&mut sheet, &framed(picture, frame), left(column).into(), top(row).into());
        };
        put(0, &search.gallery.query(*query), BLACK);
        for (column, found) in (1..).zip(best) {
            let frame = match search.gallery.are_related(*query, found.object) {
                Some(true) => GREEN,
                Some(false) => RED,
                None => GRAY,
            };
            put(column, &search.gallery.object(found.object), frame);
        }
    }
    sheet
}

/// A picture in the middle of a frame.
fn framed(picture: &RgbImage, color: Rgb<u8>) -> RgbImage {
    let longer = picture.width().max(picture.height());
    let [width, height] = [picture.width(), picture.height()].map(|side| (side * INNER / longer).max(1));
    let mut framed = RgbImage::from_pixel(OUTER, OUTER, color);
    let small = resize(picture, width, height, FilterType::Triangle);
    let [x, y] = [width, height].map(|side| i64::from((OUTER - side) / 2));
    replace(&mut framed, &small, x, y);
    framed
}

#[cfg(test)]
mod tests {
    use super::super::base::Match;
    use super::super::gallery::Gallery;
    use super::*;

    #[test]
    fn frames_tell_what_is_right() {
        let search = Search::new(Gallery::Generated { base: 32, side: 8 }, 1, 2);
        // Of the family of the query, and of the other one.
        let best = [0, 1].map(|object| Match { distance: 0, object }).to_vec();
        let sheet = sheet(&search, &Sample::from([(0, best)]));
        let frame = |column: u32| sheet[(GAP + column * (OUTER + GAP) + 2 * GAP * column.min(1), GAP)];
        assert_eq!([0, 1, 2, 3].map(frame), [BLACK, GREEN, RED, WHITE]);
    }

    #[test]
    fn any_picture_fits_into_its_frame() {
        for (width, height) in [(1, 1), (128, 128), (500, 1), (1, 500), (30, 20)] {
            let framed = framed(&RgbImage::from_pixel(width, height, RED), GREEN);
            assert_eq!(framed.dimensions(), (OUTER, OUTER));
            assert_eq!((framed[(2, 2)], framed[((OUTER - 1) / 2, (OUTER - 1) / 2)]), (GREEN, RED));
        }
    }
}
