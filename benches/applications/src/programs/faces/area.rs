//! Squares and points in a picture.

/// A place, in pixels from the left and from the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

/// A square, which may lie partly outside the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Square {
    /// The corner at the top left.
    pub corner: Point,
    pub side: f32,
}

impl Square {
    /// The square with this corner and side.
    pub fn new(x: f32, y: f32, side: f32) -> Square {
        Square { corner: Point { x, y }, side }
    }

    /// The place in it that has these coordinates, where its side is 1.
    pub fn at(&self, x: f32, y: f32) -> Point {
        Point { x: self.corner.x + x * self.side, y: self.corner.y + y * self.side }
    }

    /// The square with this much around it on each side, as a share of its side.
    pub fn with_margin(&self, share: f32) -> Square {
        Square { corner: self.at(-share, -share), side: self.side * (1.0 + 2.0 * share) }
    }

    /// Returns `true` if all of it is in a picture of this size.
    pub fn is_within(&self, width: u32, height: u32) -> bool {
        let Point { x, y } = self.corner;
        x >= 0.0 && y >= 0.0 && x + self.side <= width as f32 && y + self.side <= height as f32
    }

    /// Returns `true` if a place is in it.
    pub fn contains(&self, place: Point) -> bool {
        let Point { x, y } = self.corner;
        (x..x + self.side).contains(&place.x) && (y..y + self.side).contains(&place.y)
    }

    /// The area that two squares share, divided by the area that they cover together.
    pub fn overlap(&self, other: &Square) -> f32 {
        let shared = |one: f32, two: f32| ((one + self.side).min(two + other.side) - one.max(two)).max(0.0);
        let both = shared(self.corner.x, other.corner.x) * shared(self.corner.y, other.corner.y);
        both / (self.side * self.side + other.side * other.side - both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_overlap_as_much_as_they_share() {
        let square = Square::new(10.0, 20.0, 4.0);
        assert_eq!(square.overlap(&square), 1.0);
        // Half of each, so a third of both.
        assert_eq!(square.overlap(&Square::new(12.0, 20.0, 4.0)), 1.0 / 3.0);
        assert_eq!(square.overlap(&Square::new(14.0, 20.0, 4.0)), 0.0);
        assert_eq!(square.overlap(&Square::new(30.0, 50.0, 1.0)), 0.0);
        assert_eq!(square.overlap(&square.with_margin(0.5)), 0.25);
    }

    #[test]
    fn edges_belong_to_the_picture() {
        let square = Square::new(0.0, 2.0, 8.0);
        assert!(square.is_within(8, 10) && !square.is_within(7, 10) && !square.is_within(8, 9));
        assert!(!square.with_margin(0.1).is_within(100, 100));
        assert!(square.contains(square.at(0.5, 0.5)) && !square.contains(square.at(0.5, 1.0)));
    }
}
