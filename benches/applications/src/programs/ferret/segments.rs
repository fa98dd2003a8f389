//! The regions of a picture: the graph-based segmentation of Felzenszwalb and Huttenlocher ("Efficient
//! Graph-Based Image Segmentation", 2004), after a slight blur, as they advise.
//!
//! Pixels are joined along the pairs of neighbours, the most similar pair first, as long as a pair differs no
//! more than the pixels within each of its two regions do. Then small regions are joined to a neighbour. All
//! is in integers, but for square roots, which are exact to the last bit on every machine.

use image::RgbImage;
use imageproc::filter::filter;
use imageproc::kernel::Kernel;

/// The most regions of a picture.
pub const MOST: usize = 16;

/// Differences of colors are counted in this part of one.
const FINE: f32 = 16.0;

/// How readily regions are joined: the parameter `k` of the paper, in the same parts. It was chosen for the
/// default size of pictures, and does not change with theirs.
const SCALE: u32 = 300 * FINE as u32;

/// A region has at least this part of the pixels. So what is blurred between two areas is none.
const LEAST: usize = 64;

/// The number of possible differences: between black and white, there are 441.7 times [`FINE`].
const DIFFERENCES: usize = 442 * FINE as usize;

/// Which region each pixel belongs to.
#[derive(Debug, PartialEq, Eq)]
pub struct Segments {
    /// For each pixel, in rows, the number of its region. Regions are numbered by their first pixels.
    pub labels: Vec<u8>,
    /// The number of regions, at least one and at most [`MOST`].
    pub count: usize,
}

/// Two pixels that are neighbours.
#[derive(Clone, Copy, Default)]
struct Pair {
    one: u32,
    other: u32,
    difference: u32,
}

/// Divides a picture into regions. There must be a pixel.
pub fn segments(picture: &RgbImage) -> Segments {
    let pairs = sorted(&pairs(&blurred(picture)));
    let pixels = picture.width() * picture.height();
    let mut forest = Forest::new(pixels);
    for pair in &pairs {
        forest.join_similar(pair);
    }
    let mut least = (pixels as usize / LEAST) as u32;
    loop {
        for pair in &pairs {
            forest.join_small(pair, least);
        }
        if forest.count <= MOST {
            return forest.segments();
        }
        least = 2 * least + 1;
    }
}

/// Each pixel is mixed with those around it.
fn blurred(picture: &RgbImage) -> RgbImage {
    filter(picture, Kernel::new(&[1, 2, 1, 2, 4, 2, 1, 2, 1], 3, 3), |sum: i16| (sum / 16) as u8)
}

/// All pairs of neighbours, also diagonal ones.
fn pairs(picture: &RgbImage) -> Vec<Pair> {
    let (width, height) = picture.dimensions();
    let (colors, _) = picture.as_chunks();
    let mut pairs = Vec::with_capacity(4 * colors.len());
    for y in 0..height {
        for x in 0..width {
            let one = y * width + x;
            let mut add = |other: u32| {
                let difference = difference(colors[one as usize], colors[other as usize]);
                pairs.push(Pair { one, other, difference });
            };
            if x + 1 < width {
                add(one + 1);
            }
            if y + 1 < height {
                if x > 0 {
                    add(one + width - 1);
                }
                add(one + width);
                if x + 1 < width {
                    add(one + width + 1);
                }
            }
        }
    }
    pairs
}

/// The distance of two colors.
fn difference(one: [u8; 3], other: [u8; 3]) -> u32 {
    let squares = (0..3).map(|channel| u32::from(one[channel].abs_diff(other[channel])).pow(2));
    (FINE * (squares.sum::<u32>() as f32).sqrt()) as u32
}

/// The pairs by their differences, in their order where these are the same.
fn sorted(pairs: &[Pair]) -> Vec<Pair> {
    let mut places = vec![0; DIFFERENCES + 1];
    for pair in pairs {
        places[pair.difference as usize + 1] += 1;
    }
    for difference in 0..DIFFERENCES {
        places[difference + 1] += places[difference];
    }
    let mut sorted = vec![Pair::default(); pairs.len()];
    for pair in pairs {
        let place = &mut places[pair.difference as usize];
        sorted[*place] = *pair;
        *place += 1;
    }
    sorted
}

/// The regions while they are joined: trees of pixels, each of which points to another one.
struct Forest {
    parents: Vec<u32>,
    /// Of the region, at the root of its tree.
    sizes: Vec<u32>,
    /// The largest difference to another region at which this one is joined to it, at the root.
    limits: Vec<u32>,
    count: usize,
}

impl Forest {
    /// Each pixel is a region.
    fn new(pixels: u32) -> Forest {
        let all = pixels as usize;
        Forest { parents: (0..pixels).collect(), sizes: vec![1; all], limits: vec![SCALE; all], count: all }
    }

    /// The root of a pixel's tree. The way there is shorter next time.
    fn root(&mut self, mut pixel: u32) -> u32 {
        loop {
            let parent = self.parents[pixel as usize];
            if parent == pixel {
                return pixel;
            }
            let above = self.parents[parent as usize];
            self.parents[pixel as usize] = above;
            pixel = above;
        }
    }

    /// The roots of two pixels, if they are in different regions.
    fn roots(&mut self, pair: &Pair) -> Option<[u32; 2]> {
        let roots = [self.root(pair.one), self.root(pair.other)];
        (roots[0] != roots[1]).then_some(roots)
    }

    /// Joins two regions at a pair that differs no more than their own pixels do.
    fn join_similar(&mut self, pair: &Pair) {
        if let Some(roots) = self.roots(pair)
            && roots.iter().all(|root| pair.difference <= self.limits[*root as usize])
        {
            let root = self.join(roots);
            // It is the largest difference so far, because pairs are sorted.
            self.limits[root as usize] = pair.difference + SCALE / self.sizes[root as usize];
        }
    }

    /// Joins two regions one of which has fewer pixels than this.
    fn join_small(&mut self, pair: &Pair, least: u32) {
        if let Some(roots) = self.roots(pair)
            && roots.iter().any(|root| self.sizes[*root as usize] < least)
        {
            self.join(roots);
        }
    }

    /// Puts the smaller tree below the root of the other, which is returned.
    fn join(&mut self, [one, other]: [u32; 2]) -> u32 {
        let is_larger = self.sizes[one as usize] >= self.sizes[other as usize];
        let (root, below) = if is_larger { (one, other) } else { (other, one) };
        self.parents[below as usize] = root;
        self.sizes[root as usize] += self.sizes[below as usize];
        self.count -= 1;
        root
    }

    /// Numbers the regions.
    fn segments(mut self) -> Segments {
        const NONE: u8 = u8::MAX;
        let pixels = self.parents.len();
        let (mut numbers, mut count) = (vec![NONE; pixels], 0);
        let mut labels = Vec::with_capacity(pixels);
        for pixel in 0..pixels {
            let number = &mut numbers[self.root(pixel as u32) as usize];
            if *number == NONE {
                *number = count;
                count += 1;
            }
            labels.push(*number);
        }
        Segments { labels, count: count.into() }
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::chance::Chance;

    /// The regions of a square picture with these colors.
    fn of(side: u32, color: impl Fn(u32, u32) -> [u8; 3]) -> Segments {
        segments(&RgbImage::from_fn(side, side, |x, y| Rgb(color(x, y))))
    }

    #[test]
    fn areas_of_one_color_are_regions() {
        // A blue square and a green one on red.
        let is_in = |at: u32, first: u32| (first..first + 12).contains(&at);
        let segments = of(64, |x, y| match (is_in(x, 4) && is_in(y, 4), is_in(x, 20) && is_in(y, 24)) {
            (true, _) => [20, 40, 220],
            (_, true) => [30, 200, 60],
            _ => [200, 30, 30],
        });
        assert_eq!(segments.count, 3);
        let at = |x: usize, y: usize| segments.labels[y * 64 + x];
        assert_eq!([at(0, 0), at(63, 63), at(18, 18), at(10, 10), at(5, 14), at(26, 30)], [0, 0, 0, 1, 1, 2]);
    }

    #[test]
    fn a_smooth_change_and_noise_are_one_region() {
        assert_eq!(of(32, |x, y| [4 * x as u8, 4 * y as u8, 90]).count, 1);
        let mut chance = Chance::new(1);
        let noise: Vec<_> = (0..64 * 64).map(|_| 100 + chance.below(16) as u8).collect();
        assert_eq!(of(64, |x, y| [noise[(64 * y + x) as usize], 80, 80]).count, 1);
    }

    #[test]
    fn one_pixel_one_row_and_one_color_are_pictures() {
        let of = |width, height| segments(&RgbImage::from_pixel(width, height, Rgb([7, 8, 9])));
        for (width, height) in [(1, 1), (1, 50), (50, 1), (2, 2), (20, 20)] {
            let due = Segments { labels: vec![0; (width * height) as usize], count: 1 };
            assert_eq!(of(width, height), due, "{width} by {height}");
        }
    }

    #[test]
    fn there_are_never_too_many_regions() {
        // 64 squares of different colors.
        let color = |x: u32, y: u32| {
            let bytes = Chance::row(2, u64::from(x / 6 + 8 * (y / 6))).next().to_le_bytes();
            [bytes[0], bytes[1], bytes[2]]
        };
        let segments = of(48, color);
        assert!((8..=MOST).contains(&segments.count), "{}", segments.count);
        assert!(segments.labels.iter().all(|label| usize::from(*label) < segments.count));
        assert_eq!(segments, of(48, color));
    }
}
