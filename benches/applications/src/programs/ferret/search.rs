//! What the stages do: from the picture of a query to the pictures of the base that are nearest to it.

use std::collections::BTreeMap;

use image::RgbImage;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::base::{Base, Match};
use super::gallery::Gallery;
use super::regions::{Region, regions};
use super::segments::segments;

/// How many of the best are compared with those of an exhaustive search.
pub const BEST: usize = 10;

/// For how many queries they are compared: the first ones.
const SAMPLE: u64 = 50;

/// The base, and what is searched for.
#[derive(Debug)]
pub struct Search {
    /// The pictures.
    pub gallery: Gallery,
    /// What is known of the pictures in the base.
    pub base: Base,
    /// How many of the best are the result of a query.
    pub top: usize,
    /// For the first queries, what is nearest among all of the base.
    nearest: Vec<Vec<Match>>,
}

/// The best of the first queries, by their numbers.
pub type Sample = BTreeMap<u64, Vec<Match>>;

/// The regions of a picture: what the first two stages make of it.
fn described(picture: &RgbImage) -> Vec<Region> {
    regions(picture, &segments(picture))
}

impl Search {
    /// Describes the pictures of the base, on all processors, and searches all of it for the first of
    /// `queries`.
    pub fn new(gallery: Gallery, queries: u64, top: usize) -> Search {
        let described_object = |number| described(&gallery.object(number));
        let base = Base::new((0..gallery.objects()).into_par_iter().map(described_object).collect());
        let nearest = |number| {
            let query = described(&gallery.query(number));
            base.ranked(&query, base.all(), top.min(BEST))
        };
        let nearest = (0..queries.min(SAMPLE)).into_par_iter().map(nearest).collect();
        Search { gallery, base, top, nearest }
    }

    /// The pictures that may be the nearest.
    pub fn candidates(&self, query: &[Region]) -> Vec<u32> {
        self.base.candidates(query, 2 * self.top)
    }

    /// The nearest of these, the nearest first.
    pub fn ranked(&self, query: &[Region], candidates: Vec<u32>) -> Vec<Match> {
        self.base.ranked(query, candidates.into_iter(), self.top)
    }

    /// Keeps the best of a query, if it is one of the first.
    pub fn sample(&self, sample: &mut Sample, number: u64, best: &[Match]) {
        if number < self.nearest.len() as u64 {
            sample.insert(number, best[..best.len().min(BEST)].to_vec());
        }
    }

    /// How many of those that are nearest were found; and, if there are families, how many of the best are
    /// of the right one.
    pub fn figures(&self, sample: &Sample) -> Map<String, Value> {
        let (mut nearest, mut found, mut best, mut related) = (0, 0, 0, 0);
        for (query, matches) in sample {
            let due = &self.nearest[*query as usize];
            nearest += due.len();
            found += due.iter().filter(|object| matches.contains(object)).count();
            best += matches.len();
            related += matches
                .iter()
                .filter(|found| self.gallery.are_related(*query, found.object) == Some(true))
                .count();
        }
        let part = |count: usize, all: usize| json!(count as f64 / all.max(1) as f64);
        let at = self.top.min(BEST);
        let mut figures = Map::from_iter([(format!("recall_at_{at}"), part(found, nearest))]);
        if matches!(self.gallery, Gallery::Generated { .. }) {
            figures.insert(format!("right_family_at_{at}"), part(related, best));
        }
        figures
    }
}
