//! A picture of the Mandelbrot set in two stages: the micro-benchmark of the Rust-SSP paper, byte for byte.
//!
//! An item is a line of the picture, with arrays for all of its points. The source creates it, the first
//! stage does 60 % of the iterations, the second one continues with the points that have not escaped, and the
//! sink assembles the lines into one picture, in order. Each stage has `--replicas` workers. Lines take very
//! different times; those in the middle take longest. The classes from `small` on have the paper's 2048
//! lines; its 500, 5,000 and 50,000 iterations are `small`, `medium` and `huge`.
//!
//! Queues hold 32 lines for each worker of a stage, and the libraries that keep the order themselves may run
//! equally far ahead: a line is 43 kB, and more of them would not fit into the caches (512 lines take 548 ms
//! where 64 take 533). `threads` puts the lines in order once, after the second stage. The pools of `rayon`
//! and `tokio` have as many workers as both stages together; `rayon` does both stages at once, and sorts when
//! everything is done. `tokio-narrow` is `tokio` with a window no wider than the number of workers of a
//! stage, as in the paper's program, and runs only when requested by name. The timed run includes starting
//! and ending the workers, but not the pools.
//!
//! Verified: the MD5 of the picture, against the sequential program.

mod fractal;

use std::io;

use clap::Args;
use serde::Serialize;

use crate::streams::{Checksum, Class, Flow, Shape, Stream};
use fractal::{Fractal, Line};
use pipes_benches::options::up_to;

/// The options of the picture.
#[derive(Args, Clone, Debug, Serialize)]
pub struct Mandelbrot {
    /// Lines, and points in each, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(32_768))]
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    /// Iterations of both stages together, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u64>,
}

impl Stream for Mandelbrot {
    const NAME: &'static str = "mandelbrot";
    const ABOUT: &'static str = "Compute a picture in two stages, line by line; one op is one line";
    const UNIT: &'static str = "lines";
    const QUICK: &'static [&'static str] = &["--size", "64", "--iterations", "500"];
    const VARIANTS: &'static [&'static [&'static str]] =
        &[&["--shape", "pipe-of-farms"], &["--shape", "farm"], &["--shape", "farm-of-pipes"]];
    const SHAPES: &'static [Shape] = &[Shape::PipeOfFarms, Shape::Farm, Shape::FarmOfPipes];

    type Flow = Fractal;

    fn flow(&self, class: Class) -> io::Result<Fractal> {
        let of_class = [(256, 2_000), (2048, 500), (2048, 5_000), (2048, 20_000), (2048, 50_000)];
        let (size, iterations) = class.of(of_class);
        let iterations = self.iterations.unwrap_or(iterations);
        let first = iterations * 60 / 100;
        let size = self.size.unwrap_or(size);
        Ok(Fractal { size, first: first as i32, second: (iterations - first) as i32 })
    }
}

impl Flow for Fractal {
    type Item = Line;
    /// The pixels.
    type Sink = Vec<u8>;
    type Answer = Checksum;

    const STAGES: &'static [&'static str] = &["first", "second"];

    fn ops(&self) -> u64 {
        self.size
    }

    fn source(&self) -> io::Result<impl Iterator<Item = Line> + Send + 'static> {
        Ok(self.lines())
    }

    fn work(&self, stage: usize, line: Line) -> Line {
        if stage == 0 { self.first(line) } else { self.second(line) }
    }

    fn sink(&self) -> io::Result<Vec<u8>> {
        Ok(Vec::with_capacity((self.size * self.size) as usize))
    }

    fn take(&self, picture: &mut Vec<u8>, line: Line) -> io::Result<()> {
        picture.extend(line.into_pixels());
        Ok(())
    }

    fn answer(&self, picture: &Vec<u8>) -> io::Result<Checksum> {
        Ok(Checksum::of(picture))
    }

    fn verify(&self, checksum: &Checksum, due: &Checksum) -> Result<(), String> {
        checksum.verify(due)
    }

    fn spoil(&self, picture: &mut Vec<u8>) {
        picture.iter_mut().last().into_iter().for_each(|pixel| *pixel ^= 1);
    }

    fn window(&self, replicas: usize) -> usize {
        32 * replicas
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::answer;

    #[test]
    fn the_picture_is_that_of_the_paper() {
        let program = Mandelbrot { size: Some(256), iterations: Some(5000) };
        assert_eq!(answer(program, Class::Test).digits(), "614c7f6702ba14459230ce605bc85d56");
    }
}
