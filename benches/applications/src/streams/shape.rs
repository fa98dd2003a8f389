//! How the stages of a program are put together.

use serde::Serialize;

/// A composition of stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// One farm, whose replicas do all stages of an item.
    Farm,
    /// A farm for each stage.
    PipeOfFarms,
    /// One farm, whose replicas are pipelines with a worker for each stage.
    FarmOfPipes,
    /// One worker for each stage.
    Pipeline,
}

impl Shape {
    const ALL: [Shape; 4] = [Shape::Farm, Shape::PipeOfFarms, Shape::FarmOfPipes, Shape::Pipeline];

    /// The word on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Shape::Farm => "farm",
            Shape::PipeOfFarms => "pipe-of-farms",
            Shape::FarmOfPipes => "farm-of-pipes",
            Shape::Pipeline => "pipeline",
        }
    }

    /// Its place among all shapes.
    pub fn number(self) -> u64 {
        self as u64
    }

    /// The shape at this place.
    pub fn numbered(number: u64) -> Shape {
        Shape::ALL[number as usize]
    }

    /// The shape of this name.
    pub fn of(name: &str) -> Option<Shape> {
        Shape::ALL.into_iter().find(|shape| shape.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_shapes() {
        assert!(Shape::ALL.into_iter().all(|shape| Shape::of(shape.name()) == Some(shape)));
        assert!(Shape::ALL.into_iter().all(|shape| Shape::numbered(shape.number()) == shape));
        assert_eq!(Shape::of("ring"), None);
    }
}
