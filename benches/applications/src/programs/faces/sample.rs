//! A picture seen at another place, size and angle.

use image::GrayImage;

use super::area::{Point, Square};

/// Where the pixels of a new picture are in an old one: a grid that may be shifted, scaled and turned.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// The place of the corner at the top left of the first pixel.
    pub corner: Point,
    /// The way from a pixel to its neighbor on the right. The one below is at a right angle to it.
    pub step: Point,
}

impl Grid {
    /// The grid that has this many pixels in each row of a square.
    pub fn over(square: Square, width: u32) -> Grid {
        Grid { corner: square.corner, step: Point { x: square.side / width as f32, y: 0.0 } }
    }

    /// The place in the old picture of a place in the new one.
    pub fn place(&self, x: f32, y: f32) -> Point {
        let Point { x: right, y: down } = self.step;
        Point { x: self.corner.x + x * right - y * down, y: self.corner.y + x * down + y * right }
    }

    /// The new picture. What lies outside of the old one is like its nearest edge. If pixels become larger,
    /// each is the mean of several places.
    pub fn sampled(&self, from: &GrayImage, width: u32, height: u32) -> GrayImage {
        let parts = (self.step.x.hypot(self.step.y).round() as u32).max(1);
        let share = 1.0 / parts as f32;
        let mut new = Vec::with_capacity((width * height) as usize);
        for y in 0..height {
            for x in 0..width {
                let mut sum = 0.0;
                for part in 0..parts * parts {
                    let (across, down) = (part % parts, part / parts);
                    let (across, down) = ((across as f32 + 0.5) * share, (down as f32 + 0.5) * share);
                    sum += brightness(from, self.place(x as f32 + across, y as f32 + down));
                }
                new.push((sum * share * share + 0.5) as u8);
            }
        }
        GrayImage::from_raw(width, height, new).expect("there is a brightness for each pixel")
    }
}

/// The brightness at a place, between the middles of four pixels.
fn brightness(of: &GrayImage, place: Point) -> f32 {
    let (width, height) = of.dimensions();
    let x = (place.x - 0.5).clamp(0.0, (width - 1) as f32);
    let y = (place.y - 0.5).clamp(0.0, (height - 1) as f32);
    let (left, top) = (x as u32, y as u32);
    let (across, down) = (x - left as f32, y - top as f32);
    let first = (top * width + left) as usize;
    // At the edge, there is no other pixel, and it would count nothing.
    let right = if left + 1 < width { 1 } else { 0 };
    let below = if top + 1 < height { width as usize } else { 0 };
    let pixels: &[u8] = of;
    let upper = pixels[first] as f32 * (1.0 - across) + pixels[first + right] as f32 * across;
    let lower = pixels[first + below] as f32 * (1.0 - across) + pixels[first + below + right] as f32 * across;
    upper * (1.0 - down) + lower * down
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    /// Brightness grows by ten for each column, and by one for each row.
    fn slope() -> GrayImage {
        GrayImage::from_fn(20, 20, |x, y| Luma([(10 * x + y) as u8]))
    }

    #[test]
    fn the_same_grid_gives_the_same_picture() {
        let slope = slope();
        assert_eq!(Grid::over(Square::new(0.0, 0.0, 20.0), 20).sampled(&slope, 20, 20), slope);
    }

    #[test]
    fn larger_pixels_are_means_and_smaller_ones_lie_between() {
        let half = Grid::over(Square::new(2.0, 4.0, 16.0), 8).sampled(&slope(), 8, 8);
        // Columns 2 and 3, rows 4 and 5: 25 + 4.5, rounded.
        assert_eq!((half.get_pixel(0, 0).0, half.get_pixel(1, 2).0), ([30], [54]));
        let double = Grid::over(Square::new(4.0, 4.0, 4.0), 8).sampled(&slope(), 8, 8);
        // A quarter of a pixel to the left of the middle of column 4, and to the right.
        assert_eq!((double.get_pixel(0, 1).0, double.get_pixel(1, 1).0), ([42], [47]));
    }

    #[test]
    fn a_turn_exchanges_rows_and_columns() {
        let grid = Grid { corner: Point { x: 20.0, y: 0.0 }, step: Point { x: 0.0, y: 1.0 } };
        let turned = grid.sampled(&slope(), 20, 20);
        assert!(turned.enumerate_pixels().all(|(x, y, pixel)| pixel == slope().get_pixel(19 - y, x)));
    }

    #[test]
    fn outside_is_like_the_edge() {
        let around = Grid::over(Square::new(-100.0, 0.0, 220.0), 220).sampled(&slope(), 220, 1);
        assert_eq!((around.get_pixel(0, 0).0, around.get_pixel(219, 0).0), ([0], [190]));
    }
}
