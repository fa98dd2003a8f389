//! A picture of the Mandelbrot set, line by line, each in two stages.

/// The region of the picture: its upper left corner, and the length of its sides.
const LEFT: f64 = -2.125;
const TOP: f64 = -1.5;
const SIDE: f64 = 3.0;

/// A picture to be computed.
#[derive(Clone, Copy, Debug)]
pub struct Fractal {
    /// Lines, and pixels in each.
    pub size: u64,
    /// Iterations in the first stage.
    pub first: i32,
    /// Iterations in the second stage.
    pub second: i32,
}

/// A line in progress, with room for everything that a stage passes to the next one.
#[derive(Debug)]
pub struct Line {
    number: u64,
    a: Vec<f64>,
    b: Vec<f64>,
    k: Vec<i32>,
    pixels: Vec<u8>,
}

impl Line {
    /// How far its points are from escaping.
    pub fn into_pixels(self) -> Vec<u8> {
        self.pixels
    }
}

impl Fractal {
    /// All lines as the source creates them, empty.
    pub fn lines(self) -> impl Iterator<Item = Line> + Send + 'static {
        let size = self.size as usize;
        (0..self.size).map(move |number| Line {
            number,
            a: vec![0.0; size],
            b: vec![0.0; size],
            k: vec![0; size],
            pixels: vec![0; size],
        })
    }

    /// The first stage: starts every point, and stops where it has escaped.
    pub fn first(self, mut line: Line) -> Line {
        let im = self.im(line.number);
        let points = line.a.iter_mut().zip(&mut line.b).zip(&mut line.k);
        for (re, ((a, b), k)) in (0..).map(|x| self.re(x)).zip(points) {
            (*a, *b, *k) = iterate((re, im), (re, im), 0, 0..self.first);
        }
        line
    }

    /// The second stage: continues with the points that have not escaped yet, and colours all points.
    pub fn second(self, mut line: Line) -> Line {
        let (im, all) = (self.im(line.number), self.first + self.second);
        let points = line.a.iter().zip(&line.b).zip(&line.k).zip(&mut line.pixels);
        for (re, (((&a, &b), &k), pixel)) in (0..).map(|x| self.re(x)).zip(points) {
            let k = if k == self.first - 1 { iterate((re, im), (a, b), k, self.first..all).2 } else { k };
            // Floating-point numbers are used because whole numbers would round the other way.
            *pixel = (255.0 - f64::from(k) * 255.0 / f64::from(all)) as u8;
        }
        // What only the stages need is given back here, and not in the sink.
        (line.a, line.b, line.k) = Default::default();
        line
    }

    fn re(self, x: u64) -> f64 {
        LEFT + SIDE / self.size as f64 * x as f64
    }

    fn im(self, y: u64) -> f64 {
        TOP + SIDE / self.size as f64 * y as f64
    }
}

/// Iterates a point until it has escaped; returns its position and the last iteration done, or `k` if none
/// was.
#[inline]
fn iterate(
    (re, im): (f64, f64),
    (mut a, mut b): (f64, f64),
    mut k: i32,
    iterations: std::ops::Range<i32>,
) -> (f64, f64, i32) {
    for i in iterations {
        let (a2, b2) = (a * a, b * b);
        if a2 + b2 > 4.0 {
            break;
        }
        b = 2.0 * a * b + im;
        a = a2 - b2 + re;
        k = i;
    }
    (a, b, k)
}
