//! What the program knows before the first frame: the model, the photograph, and what each person looks like.

use std::io;
use std::path::Path;
use std::sync::LazyLock;

use rustface::Model;

use super::gallery::Gallery;
use super::photograph::{self, FILES, Photograph};

/// Why the program cannot run, where its files were not found.
pub const ABSENT: &str = "the files of the crate `rustface` were not found when this was built";

/// All that is read and learnt.
pub struct Known {
    pub model: Model,
    pub photograph: Photograph,
    pub gallery: Gallery,
}

/// Read and learnt once, or the reason why this is not possible.
static KNOWN: LazyLock<Result<Known, String>> = LazyLock::new(|| read().map_err(|error| error.to_string()));

/// What is known. The first call reads the files and learns, which takes about a second.
pub fn known() -> io::Result<&'static Known> {
    KNOWN.as_ref().map_err(|problem| io::Error::other(problem.clone()))
}

fn read() -> io::Result<Known> {
    let (model, photograph) = FILES.ok_or_else(|| io::Error::other(ABSENT))?;
    let model = photograph::model(Path::new(model))?;
    let photograph = Photograph::read(Path::new(photograph), &model)?;
    let gallery = Gallery::of(&photograph);
    Ok(Known { model, photograph, gallery })
}
