//! What was found and recognized, compared with what is in the frames.

use serde_json::{Map, Value, json};

use super::Face;
use super::photograph::PERSONS;
use super::scene::Seen;

/// A face is found if it overlaps with what was found by this much, as a share of what they cover together.
const OVERLAP: f32 = 0.5;

/// How many faces there were, and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Squares that were drawn.
    squares: u64,
    /// Faces that are wholly in a frame.
    faces: u64,
    /// Those of them that were found.
    found: u64,
    /// Squares around no face, or around one that has another square.
    wrong: u64,
    /// Faces that were found, and taken for the right person.
    right: u64,
    /// Faces that were found, and taken for another person.
    confused: u64,
    /// Faces that would be taken for another person if the right one was not in the gallery.
    mistaken: u64,
}

impl Tally {
    /// Counts what was found in a frame, where nothing is known about it.
    pub fn note(&mut self, faces: &[Face]) {
        self.squares += faces.len() as u64;
    }

    /// Counts what was found in a frame in which these persons are seen.
    pub fn compare(&mut self, faces: &[Face], seen: &[Seen]) {
        self.note(faces);
        let mut left: Vec<_> = faces.iter().collect();
        for seen in seen.iter().filter(|seen| seen.is_whole) {
            self.faces += 1;
            let overlaps = left.iter().map(|face| face.area.overlap(&seen.face)).enumerate();
            let best = overlaps.max_by(|one, two| one.1.total_cmp(&two.1));
            if let Some((place, _)) = best.filter(|(_, overlap)| *overlap >= OVERLAP) {
                self.compare_person(left.swap_remove(place), seen.who);
            }
        }
        // What is only partly in the frame may be found or not.
        let is_partial = |face: &Face| {
            let middle = face.area.at(0.5, 0.5);
            seen.iter().any(|seen| !seen.is_whole && seen.face.contains(middle))
        };
        self.wrong += left.into_iter().filter(|face| !is_partial(face)).count() as u64;
    }

    /// Counts a face that was found, and is that of this person.
    fn compare_person(&mut self, face: &Face, who: usize) {
        self.found += 1;
        let Some(verdict) = face.verdict else { return };
        self.right += u64::from(verdict.is_near() && verdict.who == who);
        self.confused += u64::from(verdict.is_near() && verdict.who != who);
        self.mistaken += u64::from(verdict.is_near_without(who));
    }

    /// The share of the faces that were found.
    pub fn detection(&self) -> Option<f64> {
        share(self.found, self.faces)
    }

    /// The share of those found that were taken for the right person.
    pub fn recognition(&self) -> Option<f64> {
        share(self.right, self.found)
    }

    /// The share of those found that would be taken for another person if the right one was not in the
    /// gallery.
    pub fn mistakes(&self) -> Option<f64> {
        share(self.mistaken, self.found)
    }

    /// The number of squares that should not be there.
    pub fn wrong(&self) -> u64 {
        self.wrong
    }

    /// The figures below the table. Nothing can be said about frames of which nothing is known.
    pub fn figures(&self) -> Map<String, Value> {
        let all = [
            ("squares", json!(self.squares)),
            ("faces", json!(self.faces)),
            ("detection_rate", json!(self.detection())),
            ("false_squares", json!(self.wrong())),
            ("recognition_rate", json!(self.recognition())),
            ("confusion_rate", json!(share(self.confused, self.found))),
            ("guessing_rate", json!(1.0 / PERSONS as f64)),
            ("stranger_acceptance_rate", json!(self.mistakes())),
        ];
        let known = if self.faces == 0 { 1 } else { all.len() };
        all.into_iter().take(known).map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

fn share(part: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

#[cfg(test)]
mod tests {
    use super::super::area::Square;
    use super::super::gallery::Verdict;
    use super::*;

    fn seen(x: f32, who: usize, is_whole: bool) -> Seen {
        Seen { who, face: Square::new(x, 0.0, 40.0), is_whole }
    }

    fn face(x: f32, who: usize, distance: f32, next: f32) -> Face {
        let verdict = Some(Verdict { who, distance, next });
        Face { area: Square::new(x, 0.0, 40.0), eyes: None, verdict }
    }

    #[test]
    fn each_face_counts_once() {
        let persons = [seen(0.0, 1, true), seen(100.0, 2, true), seen(200.0, 3, true), seen(300.0, 4, false)];
        let faces = [
            // The right person; one more square around the same face; no face; one that is partly outside.
            face(5.0, 1, 0.1, 0.9),
            face(-8.0, 1, 0.1, 0.9),
            face(150.0, 1, 0.1, 0.9),
            face(310.0, 1, 0.1, 0.9),
            // Another person.
            face(205.0, 9, 0.2, 0.3),
        ];
        let mut tally = Tally::default();
        tally.compare(&faces, &persons);
        let due = Tally { squares: 5, faces: 3, found: 2, wrong: 2, right: 1, confused: 1, mistaken: 1 };
        assert_eq!(tally, due);
        assert_eq!(tally.detection(), Some(2.0 / 3.0));
        assert_eq!(tally.recognition(), Some(0.5));
    }

    #[test]
    fn what_is_far_is_neither_right_nor_mistaken() {
        let mut tally = Tally::default();
        tally.compare(&[face(0.0, 1, 0.9, 0.95)], &[seen(0.0, 1, true)]);
        tally.compare(&[face(0.0, 1, 0.1, 0.2)], &[seen(0.0, 1, true)]);
        let due = Tally { squares: 2, faces: 2, found: 2, right: 1, mistaken: 1, ..Tally::default() };
        assert_eq!(tally, due);
    }

    #[test]
    fn nothing_is_said_about_unknown_frames() {
        let mut tally = Tally::default();
        tally.note(&[face(0.0, 1, 0.9, 0.95)]);
        assert_eq!(Value::from(tally.figures()), json!({ "squares": 1 }));
        assert_eq!(tally.detection(), None);
    }
}
