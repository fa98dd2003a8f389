//! Tests of the whole program.

use super::*;
use crate::streams::{answer, answers};

/// What the sequential program finds in the first frames of a scene.
fn tally(scene: Scene) -> Tally {
    answer(Faces { scene: Some(scene), frames: Some(6), ..Faces::default() }, Class::Test).1
}

#[test]
fn faces_are_found_and_recognized() {
    for scene in [Scene::One, Scene::Several, Scene::Mixed] {
        let tally = tally(scene);
        let told = format!("{scene:?}: {tally:?}");
        assert!(tally.detection() >= Some(0.95), "{told}");
        assert!(tally.wrong() <= 1, "{told}");
        // Guessing would give 0.034.
        assert!(tally.recognition() >= Some(0.85), "{told}");
        assert!(tally.mistakes() <= Some(0.15), "{told}");
    }
}

/// Every contender, in every shape; the wrong one must not pass.
#[test]
fn all_contenders_agree() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let photograph = &known().expect("the files are there").photograph;
    for (name, who) in [("a.png", 3), ("b.png", 17)] {
        let Square { corner, side } = photograph.faces[who].with_margin(0.3);
        let part = imageops::crop_imm(
            &photograph.pixels,
            corner.x as u32,
            corner.y as u32,
            side as u32,
            side as u32,
        );
        part.to_image().save(folder.path().join(name)).expect("it can be written");
    }
    GrayImage::new(9, 70).save(folder.path().join("c.png")).expect("it can be written");
    let input = Some(folder.path().to_owned());
    let (right, wrong) = answers(Faces { input, frames: Some(5), ..Faces::default() });
    assert_eq!(right, ["pipes", "sequential", "threads", "tokio", "tokio-narrow", "pariter", "rayon"]);
    assert_eq!(wrong, ["faulty"]);
}

#[test]
fn what_was_found_is_compared_too() {
    let film = Faces { frames: Some(1), ..Faces::default() }.flow(Class::Test).expect("the film is made");
    let due = film.answer(&Found::default()).expect("there is an answer");
    assert_eq!(film.verify(&due, &due), Ok(()));
    let mut found = Found::default();
    found.tally.note(&[Face { area: Square::new(0.0, 0.0, 1.0), eyes: None, verdict: None }]);
    let told = film.verify(&film.answer(&found).expect("there is an answer"), &due);
    assert!(told.is_err_and(|told| told.contains("was counted, instead of")));
}
