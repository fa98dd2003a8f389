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

mod faulty;
mod fractal;
mod pariter;
mod pipes;
mod rayon;
mod sequential;
mod threads;
mod tokio;

use std::io;

use clap::Args;
use serde::Serialize;

use crate::streams::{Checksum, Pools, Scale, Watch};
use fractal::Fractal;
use pipes_benches::harness::{Contender, Program};
use pipes_benches::options::up_to;

/// The options of the picture.
#[derive(Args, Serialize)]
pub struct Mandelbrot {
    #[command(flatten)]
    #[serde(flatten)]
    scale: Scale,
    /// Lines, and points in each, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(32_768))]
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    /// Iterations of both stages together, overriding the class
    #[arg(long, value_name = "N", value_parser = up_to(1_000_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u64>,
}

impl Mandelbrot {
    /// The requested picture.
    fn fractal(&self) -> Fractal {
        let of_class = [(256, 2_000), (2048, 500), (2048, 5_000), (2048, 20_000), (2048, 50_000)];
        let (size, iterations) = self.scale.class.of(of_class);
        let iterations = self.iterations.unwrap_or(iterations);
        let first = iterations * 60 / 100;
        Fractal { size: self.size.unwrap_or(size), first: first as i32, second: (iterations - first) as i32 }
    }

    /// The number of workers of each stage.
    fn workers(&self) -> usize {
        self.scale.replicas()
    }

    /// The capacity of a queue in lines, and how far a library that keeps the order may run ahead.
    fn window(&self) -> usize {
        32 * self.workers()
    }
}

impl Program for Mandelbrot {
    const NAME: &'static str = "mandelbrot";
    const ABOUT: &'static str = "Compute a picture in two stages, line by line; one op is one line";
    const UNIT: &'static str = "lines";
    const QUICK: &'static [&'static str] = &["--class", "test"];
    const CONTENDERS: &'static [Contender<Self>] = &[
        Contender::new("pipes", pipes::SOURCES).in_its_own_way(pipes::run),
        Contender::new("sequential", sequential::SOURCES).in_its_own_way(sequential::run),
        Contender::new("threads", threads::SOURCES).in_its_own_way(threads::run),
        Contender::new("tokio", tokio::SOURCES).in_its_own_way(tokio::run),
        Contender::new("tokio-narrow", tokio::SOURCES).in_its_own_way(tokio::narrow).hidden(),
        Contender::new("pariter", pariter::SOURCES).in_its_own_way(pariter::run),
        Contender::new("rayon", rayon::SOURCES).in_its_own_way(rayon::run),
        Contender::new("faulty", faulty::SOURCES).in_its_own_way(faulty::run).hidden(),
    ];

    type Setting = Setting;
    /// The pixels.
    type Outcome = Vec<u8>;

    fn ops(&self, _: &Setting) -> u64 {
        self.fractal().size
    }

    fn setting(&self) -> io::Result<Setting> {
        let mut setting = Setting {
            pools: Pools::new(2 * self.workers())?,
            watch: Watch::default(),
            due: Checksum::default(),
        };
        setting.due = Checksum::of(&sequential::run(self, &setting)?);
        if self.scale.watch {
            setting.watch.show(|| pipes::run(self, &setting))?;
        }
        Ok(setting)
    }

    fn verify(&self, at: &Setting, picture: &Vec<u8>) -> Result<(), String> {
        Checksum::of(picture).verify(&at.due)
    }
}

/// The pools, and the expected checksum of the picture.
#[derive(Debug)]
pub struct Setting {
    pools: Pools,
    watch: Watch,
    due: Checksum,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Class;

    #[test]
    fn the_picture_is_that_of_the_paper() {
        let scale = Scale::new(Class::Test, 1);
        let program = Mandelbrot { scale, size: Some(256), iterations: Some(5000) };
        let setting = program.setting().expect("the pools start");
        assert_eq!(setting.due.digits(), "614c7f6702ba14459230ce605bc85d56");
    }
}
