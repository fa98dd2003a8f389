//! The base: the regions of all pictures that are searched, and an index of them.

use super::emd;
use super::index::{Index, Seen};
use super::regions::Region;
use super::smallest::keep_smallest;

/// The regions of pictures. The pictures themselves are not kept.
#[derive(Debug)]
pub struct Base {
    regions: Vec<Region>,
    /// Which picture each region belongs to.
    objects: Vec<u32>,
    /// Where the regions of each picture begin, and the end.
    starts: Vec<u32>,
    index: Index,
}

/// A picture of the base that resembles the query. The nearest is the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    /// The earth mover's distance.
    pub distance: u64,
    /// The number of the picture.
    pub object: u32,
}

impl Base {
    /// A base of pictures with these regions.
    pub fn new(pictures: Vec<Vec<Region>>) -> Base {
        let (mut objects, mut starts) = (Vec::new(), vec![0]);
        for (object, regions) in (0..).zip(&pictures) {
            objects.extend(regions.iter().map(|_| object));
            starts.push(objects.len() as u32);
        }
        let regions = pictures.concat();
        let index = Index::new(&regions);
        Base { regions, objects, starts, index }
    }

    /// The numbers of all pictures.
    pub fn all(&self) -> impl Iterator<Item = u32> {
        0..self.starts.len() as u32 - 1
    }

    /// The pictures that have a region near one of these, in the order of their numbers. At most `most`
    /// regions of the base are taken for each.
    pub fn candidates(&self, query: &[Region], most: usize) -> Vec<u32> {
        let mut seen = Seen::new(self.regions.len());
        let near = |region: &Region| self.index.near(&region.features, &self.regions, most, &mut seen);
        let found = query.iter().flat_map(near);
        let mut objects: Vec<_> = found.map(|region| self.objects[region as usize]).collect();
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// The nearest of these pictures, at most `most`, the nearest first.
    pub fn ranked(&self, query: &[Region], objects: impl Iterator<Item = u32>, most: usize) -> Vec<Match> {
        let measured = |object| Match { distance: emd::distance(query, self.regions_of(object)), object };
        let mut matches = objects.map(measured).collect();
        keep_smallest(&mut matches, most);
        matches.sort_unstable();
        matches
    }

    fn regions_of(&self, object: u32) -> &[Region] {
        let [start, end] = [0, 1].map(|next| self.starts[object as usize + next] as usize);
        &self.regions[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::super::regions::{FEATURES, WHOLE};
    use super::*;

    /// Pictures with one region each, whose features are all the same number, and with two.
    fn base(numbers: &[f32]) -> Base {
        let region = |number, weight| Region { features: [number; FEATURES], weight };
        let one = numbers.iter().map(|number| vec![region(*number, WHOLE)]);
        Base::new(one.chain([vec![region(0.1, WHOLE / 2), region(0.9, WHOLE / 2)]]).collect())
    }

    #[test]
    fn pictures_are_ranked_by_their_distances() {
        let base = base(&[0.5, 0.1, 0.9, 0.12]);
        let query = base.regions_of(1).to_vec();
        let objects: Vec<_> = base.ranked(&query, base.all(), 4).iter().map(|found| found.object).collect();
        // Half of the last picture is at 0.1, and the other half at 0.9: as far as all of 0.5.
        assert_eq!(objects[..2], [1, 3]);
        assert!(objects[2..] == [0, 4] || objects[2..] == [4, 0], "{objects:?}");
        assert_eq!(base.ranked(&query, [3].into_iter(), 4).len(), 1);
        assert_eq!(base.ranked(&query, base.all(), 1)[0], Match { distance: 0, object: 1 });
    }

    #[test]
    fn candidates_have_a_region_nearby() {
        let base = base(&[0.5, 0.1, 0.9, 0.12]);
        let near = |object| base.candidates(base.regions_of(object), 10);
        assert_eq!(near(1), [1, 3, 4]);
        assert_eq!(near(2), [2, 4]);
        assert_eq!(near(4), [1, 2, 3, 4]);
        // One region is taken for each, which is its own.
        assert_eq!(base.candidates(base.regions_of(0), 1), [0]);
    }
}
