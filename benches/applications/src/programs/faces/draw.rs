//! What is drawn into a frame: a square around each face, its eyes, and the number of the person.

use image::{Rgb, RgbImage};

use super::Face;
use super::area::Point;

/// The color for a person who is recognized, for one who is not, and for eyes.
const KNOWN: Rgb<u8> = Rgb([80, 230, 80]);
const UNKNOWN: Rgb<u8> = Rgb([255, 170, 40]);
const EYE: Rgb<u8> = Rgb([60, 220, 255]);

/// What is behind a number.
const BEHIND: Rgb<u8> = Rgb([0, 0, 0]);

/// The thickness of a line, and how many pixels wide each dot of a digit is.
const THICK: i32 = 2;

/// The number of dots in a row and in a column of a digit.
const DOTS: (i32, i32) = (5, 7);

/// The digits, and a question mark: seven rows of five dots each.
const DIGITS: [[u8; 7]; 11] = [
    [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b01000, 0b11111],
    [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110],
    [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
    [0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b00000, 0b00100],
];

/// Draws a face.
pub fn face(picture: &mut RgbImage, face: &Face) {
    let Point { x, y } = face.area.corner;
    let (x, y, side) = (x as i32, y as i32, face.area.side as i32);
    let number = face.verdict.filter(|verdict| verdict.is_near()).map(|verdict| verdict.who as u32 + 1);
    let color = if number.is_some() { KNOWN } else { UNKNOWN };
    fill(picture, (x, y), (side, THICK), color);
    fill(picture, (x, y + side - THICK), (side, THICK), color);
    fill(picture, (x, y), (THICK, side), color);
    fill(picture, (x + side - THICK, y), (THICK, side), color);
    for eye in face.eyes.into_iter().flatten() {
        let (x, y) = (eye.x as i32, eye.y as i32);
        fill(picture, (x - 3, y), (7, 1), EYE);
        fill(picture, (x, y - 3), (1, 7), EYE);
    }
    let text = number.map_or_else(|| "?".to_owned(), |number| number.to_string());
    let height = (DOTS.1 + 2) * THICK;
    // Above the square, or in it where there is no room above.
    write(picture, (x, if y < height { y } else { y - height }), &text, color);
}

/// Writes digits and question marks. The place is that of the corner at the top left.
fn write(picture: &mut RgbImage, (x, y): (i32, i32), text: &str, color: Rgb<u8>) {
    let (columns, rows) = DOTS;
    for (place, letter) in (0..).zip(text.chars()) {
        let x = x + place * (columns + 1) * THICK;
        fill(picture, (x, y), ((columns + 2) * THICK, (rows + 2) * THICK), BEHIND);
        let digit = letter.to_digit(10).map_or(DIGITS.len() - 1, |digit| digit as usize);
        for (row, dots) in (1..).zip(DIGITS[digit]) {
            for column in (0..columns).filter(|column| dots >> (columns - 1 - column) & 1 == 1) {
                fill(picture, (x + (column + 1) * THICK, y + row * THICK), (THICK, THICK), color);
            }
        }
    }
}

/// Fills a rectangle, as far as it is in the picture.
fn fill(picture: &mut RgbImage, (x, y): (i32, i32), (width, height): (i32, i32), color: Rgb<u8>) {
    let within = |from: i32, length: i32, end: u32| from.max(0)..from.saturating_add(length).min(end as i32);
    let columns = within(x, width, picture.width());
    for y in within(y, height, picture.height()) {
        columns.clone().for_each(|x| picture.put_pixel(x as u32, y as u32, color));
    }
}

#[cfg(test)]
mod tests {
    use super::super::area::Square;
    use super::super::gallery::Verdict;
    use super::*;

    /// A face at this place, which resembles person 27 this closely.
    fn found(x: f32, y: f32, distance: f32) -> Face {
        let verdict = Some(Verdict { who: 26, distance, next: 1.0 });
        Face { area: Square::new(x, y, 30.0), eyes: Some([Point { x: 60.0, y: 50.0 }; 2]), verdict }
    }

    /// The dots of a color in a row of a picture, one of each pixel.
    fn row(picture: &RgbImage, y: u32, color: Rgb<u8>) -> String {
        let dot = |x| if *picture.get_pixel(x, y) == color { '#' } else { '.' };
        (40..66).step_by(THICK as usize).map(dot).collect()
    }

    #[test]
    fn a_face_has_a_square_eyes_and_a_number() {
        let mut picture = RgbImage::new(100, 100);
        face(&mut picture, &found(40.0, 40.0, 0.1));
        let digits: Vec<_> = (24..38).step_by(2).map(|y| row(&picture, y, KNOWN)).collect();
        let due = [
            "..###..#####.",
            ".#...#.....#.",
            ".....#....#..",
            "....#....#...",
            "...#....#....",
            "..#.....#....",
            ".#####..#....",
        ];
        assert_eq!(digits, due);
        let is = |x, y, color| *picture.get_pixel(x, y) == color;
        assert!(is(40, 40, KNOWN) && is(69, 69, KNOWN) && is(41, 55, KNOWN) && is(55, 68, KNOWN));
        assert!(!is(42, 55, KNOWN) && !is(70, 69, KNOWN));
        assert!(is(60, 50, EYE) && is(57, 50, EYE) && is(60, 53, EYE) && !is(57, 53, EYE));
    }

    #[test]
    fn who_is_not_recognized_has_a_question_mark() {
        let mut picture = RgbImage::new(100, 100);
        face(&mut picture, &found(40.0, 0.0, 0.9));
        // There is no room above.
        assert_eq!(row(&picture, 2, UNKNOWN), "..###........");
    }

    #[test]
    fn what_is_outside_is_not_drawn() {
        for (width, height) in [(1, 1), (20, 20), (100, 30)] {
            let mut picture = RgbImage::new(width, height);
            for place in [(-20.0, -20.0), (-1000.0, 5.0), (90.0, 25.0), (1e6, -1e6)] {
                face(&mut picture, &found(place.0, place.1, 0.1));
            }
        }
    }
}
