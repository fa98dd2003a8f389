//! What is known of each region of a picture: fourteen features and a weight, as in Ferret.
//!
//! Nine features are moments of the colors (Stricker and Orengo, "Similarity of Color Images", 1995): mean,
//! standard deviation, and the cube root of the third moment, of each channel. The others are of the box
//! around the region, and of its place in it. Sums are in integers, so a region of one color has exactly no
//! deviation.

use image::RgbImage;

use super::segments::Segments;

/// The number of features.
pub const FEATURES: usize = 14;

/// How much each kind of feature counts, if colors go from 0 to 1. Pictures are more alike if their colors
/// are than if their regions are at the same places.
const OF_COLOR: f64 = 1.0;
const OF_BOX: f64 = 0.3;
const OF_PLACE: f64 = 0.4;

/// The features of a region: a point in a space, where similar regions are near each other.
pub type Features = [f32; FEATURES];

/// The sum of the weights of all regions of a picture.
pub const WHOLE: u32 = 1 << 14;

/// A region of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Where it is among all regions.
    pub features: Features,
    /// How much it counts in its picture.
    pub weight: u32,
}

/// The sums over the pixels of a region.
#[derive(Clone, Debug)]
struct Sums {
    pixels: u64,
    /// For each channel, of the values, their squares and their cubes.
    powers: [[u64; 3]; 3],
    /// Of the coordinates.
    places: [u64; 2],
    /// The least and the greatest coordinates.
    least: [u32; 2],
    greatest: [u32; 2],
}

/// The regions of a picture. Their weights are as the square roots of their areas.
pub fn regions(picture: &RgbImage, segments: &Segments) -> Vec<Region> {
    let empty =
        Sums { pixels: 0, powers: [[0; 3]; 3], places: [0; 2], least: [u32::MAX; 2], greatest: [0; 2] };
    let mut sums = vec![empty; segments.count];
    let rows = picture.rows().zip(segments.labels.chunks_exact(picture.width() as usize));
    for (y, (row, labels)) in (0..).zip(rows) {
        for (x, (pixel, label)) in (0..).zip(row.zip(labels)) {
            sums[usize::from(*label)].add([x, y], pixel.0);
        }
    }
    let weights = weights(sums.iter().map(|sums| (sums.pixels as f64).sqrt()).collect());
    let size = [picture.width(), picture.height()];
    sums.iter().zip(weights).map(|(sums, weight)| Region { features: sums.features(size), weight }).collect()
}

/// Whole numbers in the ratio of these, whose sum is [`WHOLE`].
fn weights(parts: Vec<f64>) -> impl Iterator<Item = u32> {
    let all: f64 = parts.iter().sum();
    let (mut sum, mut before) = (0.0, 0);
    parts.into_iter().map(move |part| {
        sum += part;
        let until = (f64::from(WHOLE) * sum / all).round() as u32;
        let weight = until - before;
        before = until;
        weight
    })
}

impl Sums {
    /// Adds a pixel.
    fn add(&mut self, place: [u32; 2], color: [u8; 3]) {
        self.pixels += 1;
        for (powers, value) in self.powers.iter_mut().zip(color.map(u64::from)) {
            powers[0] += value;
            powers[1] += value * value;
            powers[2] += value * value * value;
        }
        for (axis, at) in place.into_iter().enumerate() {
            self.places[axis] += u64::from(at);
            self.least[axis] = self.least[axis].min(at);
            self.greatest[axis] = self.greatest[axis].max(at);
        }
    }

    /// The features in a picture of this size.
    fn features(&self, size: [u32; 2]) -> Features {
        let mut features = [0.0; FEATURES];
        for (features, powers) in features.chunks_exact_mut(3).zip(self.powers) {
            let moments = moments(self.pixels, powers);
            features.copy_from_slice(&moments.map(|moment| (OF_COLOR * moment / 255.0) as f32));
        }
        let pixels = self.pixels as f64;
        let [width, height] = [0, 1].map(|axis| f64::from(1 + self.greatest[axis] - self.least[axis]));
        let [all_width, all_height] = size.map(f64::from);
        let [x, y] = self.places.map(|sum| sum as f64 / pixels + 0.5);
        features[9..].copy_from_slice(
            &[
                // From 0 for what is narrow to 1 for what is flat.
                OF_BOX * width / (width + height),
                OF_BOX * (width * height / (all_width * all_height)).sqrt(),
                OF_BOX * pixels / (width * height),
                OF_PLACE * x / all_width,
                OF_PLACE * y / all_height,
            ]
            .map(|feature| feature as f32),
        );
        features
    }
}

/// The mean, the standard deviation, and the cube root of the third central moment, from the sums of the
/// values, of their squares and of their cubes.
fn moments(count: u64, sums: [u64; 3]) -> [f64; 3] {
    let (count, [first, second, third]) = (i128::from(count), sums.map(i128::from));
    // Multiplied with powers of the count, the moments are whole numbers.
    let variance = count * second - first * first;
    let skew = count * count * third - 3 * count * first * second + 2 * first * first * first;
    let count = count as f64;
    [first as f64 / count, (variance as f64).sqrt() / count, (skew as f64).cbrt() / count]
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    fn is_near(one: &[f32], other: &[f64]) -> bool {
        one.len() == other.len()
            && one.iter().zip(other).all(|(one, other)| (f64::from(*one) - other).abs() < 1e-6)
    }

    #[test]
    fn moments_are_those_of_the_values() {
        assert_eq!(moments(5, [35, 245, 1715]), [7.0, 0.0, 0.0]);
        // 0, 0, 0, 4: the mean is 1, the variance (3 + 9) / 4, and the third moment (-3 + 27) / 4.
        let due = [1.0, 3.0_f64.sqrt(), 6.0_f64.cbrt()];
        assert!(moments(4, [4, 16, 64]).iter().zip(due).all(|(one, due)| (one - due).abs() < 1e-12));
        // And to the other side: 4, 4, 4, 0.
        assert!((moments(4, [12, 48, 192])[2] + 6.0_f64.cbrt()).abs() < 1e-12);
    }

    #[test]
    fn features_are_those_of_known_regions() {
        // Two columns of four are black, and six are of another color.
        let color = [255, 51, 0];
        let picture = RgbImage::from_fn(8, 4, |x, _| Rgb(if x < 2 { [0; 3] } else { color }));
        let labels = (0..32).map(|pixel| u8::from(pixel % 8 >= 2)).collect();
        let regions = regions(&picture, &Segments { labels, count: 2 });
        assert!(is_near(&regions[0].features[..9], &[0.0; 9]));
        assert!(is_near(&regions[1].features[..9], &[1.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0]));
        let boxes = [[2.0 / 6.0, 0.5, 1.0, 1.0 / 8.0, 0.5], [0.6, 0.75_f64.sqrt(), 1.0, 5.0 / 8.0, 0.5]];
        let scales = [OF_BOX, OF_BOX, OF_BOX, OF_PLACE, OF_PLACE];
        for (region, due) in regions.iter().zip(boxes) {
            let due: Vec<_> = due.iter().zip(scales).map(|(feature, scale)| feature * scale).collect();
            assert!(is_near(&region.features[9..], &due), "{region:?}: {due:?}");
        }
        // As the square roots of 8 and 24.
        let part = 1.0 / (1.0 + 3.0_f64.sqrt());
        assert_eq!(regions[0].weight, (part * f64::from(WHOLE)).round() as u32);
        assert_eq!(regions[0].weight + regions[1].weight, WHOLE);
    }

    #[test]
    fn one_pixel_is_a_region() {
        let segments = Segments { labels: vec![0], count: 1 };
        let regions = regions(&RgbImage::from_pixel(1, 1, Rgb([255; 3])), &segments);
        assert_eq!((regions.len(), regions[0].weight), (1, WHOLE));
        assert!(regions[0].features.iter().all(|feature| feature.is_finite()));
    }

    #[test]
    fn weights_have_the_same_sum_always() {
        for parts in [vec![1.0], vec![1.0; 7], vec![0.001, 5.0, 0.3], vec![1e6, 1.0, 1.0]] {
            assert_eq!(weights(parts).sum::<u32>(), WHOLE);
        }
    }
}
