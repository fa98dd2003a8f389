//! How the stages of a program are put together.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches};
use serde::Serialize;

/// The value of `--shape` that stands for all shapes of a program.
const ALL: &str = "all";

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

    /// The option that selects one of these shapes, if there is a choice.
    pub fn option(shapes: &[Shape]) -> Option<Arg> {
        let names = shapes.iter().map(|shape| shape.name()).chain([ALL]);
        let option = Arg::new("shape")
            .long("shape")
            .value_name("SHAPE")
            .help("How the stages are put together; `all` tries all shapes")
            .default_value(shapes[0].name())
            .value_parser(PossibleValuesParser::new(names));
        (shapes.len() > 1).then_some(option)
    }

    /// The shapes that were selected among these.
    pub fn selected(shapes: &[Shape], matches: &ArgMatches) -> Vec<Shape> {
        let name = if shapes.len() > 1 { matches.get_one::<String>("shape") } else { None };
        match name.map(String::as_str) {
            Some(ALL) => shapes.to_vec(),
            name => vec![name.and_then(Shape::of).unwrap_or(shapes[0])],
        }
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
