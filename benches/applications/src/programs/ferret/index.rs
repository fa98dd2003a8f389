//! Finds what is near a point: locality-sensitive hashing with p-stable projections (Datar, Immorlica, Indyk
//! and Mirrokni, "Locality-Sensitive Hashing Scheme Based on p-Stable Distributions", 2004).
//!
//! A hash function projects a point onto a random direction, and cuts the line into slots. Points near each
//! other often fall into the same slot. A table has several functions, which together name a bucket, and
//! there are several tables. Further buckets of each are looked into, too: see [`probes`].

use super::probes::{self, FUNCTIONS};
use super::regions::{FEATURES, Features, Region};
use super::smallest::keep_smallest;
use crate::chance::Chance;

/// The number of tables, and how many buckets of each are looked into: `-L 8 -T 20` of the original.
const TABLES: u64 = 8;
const PROBES: usize = 20;

/// The width of a slot, in the scale of the features.
const WIDTH: f32 = 0.4;

/// Where points near each other are found.
#[derive(Debug)]
pub struct Index(Vec<Table>);

/// A hash table. What falls into a bucket is in one slice.
#[derive(Debug)]
struct Table {
    functions: [Function; FUNCTIONS],
    /// Where the points of each place begin, and the end of the last one. The number of places is a power of
    /// two, so several buckets may share one.
    starts: Vec<u32>,
    /// Each point, with the hash of its bucket.
    points: Vec<(u32, u32)>,
}

/// A bucket: its place in the table, and a hash that others at this place do not have.
#[derive(Clone, Copy)]
struct Bucket {
    place: usize,
    hash: u32,
}

/// A projection onto a line.
#[derive(Debug)]
struct Function {
    direction: Features,
    offset: f32,
}

/// Marks the points that were seen for a query.
#[derive(Debug)]
pub struct Seen {
    turns: Vec<u32>,
    turn: u32,
}

impl Seen {
    /// For this number of points, none of which was seen.
    pub fn new(points: usize) -> Seen {
        Seen { turns: vec![0; points], turn: 0 }
    }

    /// Marks a point, and returns whether it is new in this turn.
    fn is_new(&mut self, point: u32) -> bool {
        std::mem::replace(&mut self.turns[point as usize], self.turn) != self.turn
    }
}

impl Index {
    /// An index of all regions.
    pub fn new(regions: &[Region]) -> Index {
        Index((0..TABLES).map(|number| Table::new(number, regions)).collect())
    }

    /// The numbers of the regions nearest to this one, among those in the buckets: at most `most`, in any
    /// order.
    pub fn near(&self, features: &Features, regions: &[Region], most: usize, seen: &mut Seen) -> Vec<u32> {
        seen.turn += 1;
        let mut found = Vec::new();
        for table in &self.0 {
            for bucket in probes::buckets(table.positions(features)).take(PROBES) {
                for point in table.points_in(table.bucket(bucket)) {
                    if seen.is_new(point) {
                        let squares = features.iter().zip(regions[point as usize].features);
                        let square: f32 = squares.map(|(one, other)| (one - other).powi(2)).sum();
                        // None is negative, so their bits have the same order.
                        found.push((square.to_bits(), point));
                    }
                }
            }
        }
        keep_smallest(&mut found, most);
        found.into_iter().map(|(_, point)| point).collect()
    }
}

impl Table {
    fn new(number: u64, regions: &[Region]) -> Table {
        let mut chance = Chance::row(0xfe22e7, number);
        let functions = std::array::from_fn(|_| Function::any(&mut chance));
        let places = regions.len().next_power_of_two();
        let mut table = Table { functions, starts: vec![0; places + 1], points: vec![(0, 0); regions.len()] };
        let home = |region: &Region| {
            table.bucket(table.positions(&region.features).map(|position| position.floor() as i32))
        };
        let homes: Vec<_> = regions.iter().map(home).collect();
        homes.iter().for_each(|home| table.starts[home.place + 1] += 1);
        (0..places).for_each(|place| table.starts[place + 1] += table.starts[place]);
        let mut next = table.starts.clone();
        for (point, home) in (0..).zip(homes) {
            table.points[next[home.place] as usize] = (home.hash, point);
            next[home.place] += 1;
        }
        table
    }

    /// Where each function projects a point, in widths of slots.
    fn positions(&self, features: &Features) -> [f32; FUNCTIONS] {
        self.functions.each_ref().map(|function| function.position(features))
    }

    /// The bucket that these slots name.
    fn bucket(&self, slots: probes::Slots) -> Bucket {
        let hash = slots.iter().fold(0_u64, |hash, slot| {
            (hash.rotate_left(5) ^ u64::from(*slot as u32)).wrapping_mul(0x517c_c1b7_2722_0a95)
        });
        Bucket { place: (hash >> 32) as usize & (self.starts.len() - 2), hash: hash as u32 }
    }

    /// What is in a bucket.
    fn points_in(&self, Bucket { place, hash }: Bucket) -> impl Iterator<Item = u32> {
        let here = &self.points[self.starts[place] as usize..self.starts[place + 1] as usize];
        here.iter().filter(move |(of, _)| *of == hash).map(|(_, point)| *point)
    }
}

impl Function {
    /// Each coordinate of the direction is normally distributed, as nearly as the sum of twelve numbers is.
    fn any(chance: &mut Chance) -> Function {
        let mut normal = || (0..12).map(|_| chance.unit()).sum::<f64>() - 6.0;
        let direction = std::array::from_fn::<_, FEATURES, _>(|_| normal() as f32);
        Function { direction, offset: chance.unit() as f32 }
    }

    /// Where it projects a point, in widths of slots.
    fn position(&self, features: &Features) -> f32 {
        let products = self.direction.iter().zip(features).map(|(direction, feature)| direction * feature);
        products.sum::<f32>() / WIDTH + self.offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points that are far apart, but for each hundredth, which are near the first one.
    fn points(count: usize) -> Vec<Region> {
        let mut chance = Chance::new(6);
        let mut point = |around: f32, spread: f32| {
            let features = std::array::from_fn(|_| around + spread * (chance.unit() as f32 - 0.5));
            Region { features, weight: 1 }
        };
        (0..count).map(|number| if number % 100 == 0 { point(0.5, 0.05) } else { point(0.5, 2.0) }).collect()
    }

    #[test]
    fn what_is_near_is_found() {
        let points = points(1000);
        let index = Index::new(&points);
        let mut seen = Seen::new(points.len());
        let mut near = |most| index.near(&points[0].features, &points, most, &mut seen);
        let mut found = near(10);
        found.sort_unstable();
        assert_eq!(found, [0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
        assert_eq!(near(1), [0]);
        // Most points are far from this one, and not looked at.
        let all = near(1000);
        assert!((10..300).contains(&all.len()), "{}", all.len());
    }

    #[test]
    fn each_point_is_in_one_bucket_of_each_table() {
        let points = points(77);
        for table in Index::new(&points).0 {
            let mut all: Vec<_> = table.points.iter().map(|(_, point)| *point).collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..77));
            for (number, point) in (0..).zip(&points) {
                let slots = table.positions(&point.features).map(|position| position.floor() as i32);
                assert!(table.points_in(table.bucket(slots)).any(|point| point == number));
            }
        }
    }

    #[test]
    fn a_single_point_is_found() {
        let points = points(1);
        let found = Index::new(&points).near(&points[0].features, &points, 5, &mut Seen::new(1));
        assert_eq!(found, [0]);
    }
}
