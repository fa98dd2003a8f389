//! The matrices, and some rows of their product.

use std::hint::black_box;

use crate::kernels::{Part, lengths};

/// Two matrices and their product, row after row.
#[derive(Debug)]
pub struct Matrices {
    size: usize,
    left: Vec<u32>,
    right: Vec<u32>,
    product: Vec<u32>,
}

/// Some rows of the product, and the rows and matrix they are computed from.
#[derive(Debug)]
pub struct Rows<'a> {
    size: usize,
    left: &'a [u32],
    right: &'a [u32],
    product: &'a mut [u32],
}

/// The value of an element that was not written: no element of a product is that large.
const UNWRITTEN: u32 = u32::MAX;

impl Matrices {
    /// Two matrices with j in column j.
    pub fn of_size(size: usize) -> Matrices {
        let columns: Vec<u32> = (0..size as u32).cycle().take(size * size).collect();
        Matrices { size, left: columns.clone(), right: columns, product: vec![UNWRITTEN; size * size] }
    }

    /// Divides the product into parts of whole rows.
    pub fn parts(&mut self, count: usize) -> Vec<Rows<'_>> {
        let (size, right) = (self.size, &self.right[..]);
        let (mut left, mut product) = (&self.left[..], &mut self.product[..]);
        let part = |rows: usize| Rows {
            size,
            left: left.split_off(..rows * size).unwrap_or_default(),
            right,
            product: product.split_off_mut(..rows * size).unwrap_or_default(),
        };
        lengths(size, count).map(part).collect()
    }

    /// Sets the product from these bytes.
    pub fn take(&mut self, bytes: &[u8]) -> Option<()> {
        let (elements, rest) = bytes.as_chunks();
        if !rest.is_empty() || elements.len() != self.product.len() {
            return None;
        }
        self.product.iter_mut().zip(elements).for_each(|(to, from)| *to = u32::from_ne_bytes(*from));
        Some(())
    }

    /// Reports an element that is wrong, if any, and clears the product.
    pub fn verify(&mut self) -> Result<(), String> {
        let below = (0..self.size as u32).fold(0, u32::wrapping_add);
        for (at, element) in self.product.iter_mut().enumerate() {
            let (row, column) = (at / self.size, at % self.size);
            let due = below.wrapping_mul(column as u32);
            if *element != due {
                return Err(format!(
                    "the element in row {row} and column {column} is {element} instead of {due}"
                ));
            }
            *element = UNWRITTEN;
        }
        Ok(())
    }
}

impl Part for Rows<'_> {
    fn work(&mut self) -> f64 {
        multiply(self.size, black_box(self.left), black_box(self.right), black_box(self.product));
        self.product.len() as f64
    }
}

/// Rows of the left matrix times the right one. Compiled once, for all contenders.
#[inline(never)]
fn multiply(size: usize, left: &[u32], right: &[u32], product: &mut [u32]) {
    for (left, product) in left.chunks_exact(size).zip(product.chunks_exact_mut(size)) {
        product.fill(0);
        for (factor, right) in left.iter().zip(right.chunks_exact(size)) {
            for (element, right) in product.iter_mut().zip(right) {
                *element = element.wrapping_add(factor.wrapping_mul(*right));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_is_that_of_the_definition_in_any_parts() {
        let size = 7;
        let left: Vec<u32> = (0..49).map(|n| (n * n * 53 + 3) % 97).collect();
        let right: Vec<u32> = (0..49).map(|n| (n * 31 + 5) % 89).collect();
        let sum = |row: usize, column: usize| -> u32 {
            (0..size).map(|k| left[row * size + k] * right[k * size + column]).sum()
        };
        let due: Vec<u32> = (0..49).map(|at| sum(at / size, at % size)).collect();
        for count in [1, 2, 3, 7, 9] {
            let mut matrices =
                Matrices { size, left: left.clone(), right: right.clone(), product: vec![1; 49] };
            let parts = matrices.parts(count).iter_mut().map(Part::work).sum::<f64>();
            assert_eq!((matrices.product, parts), (due.clone(), 49.0), "{count}");
        }
    }

    #[test]
    fn a_product_of_the_study_has_its_sum() {
        let mut matrices = Matrices::of_size(128);
        matrices.parts(1)[0].work();
        assert_eq!(matrices.product.iter().copied().map(u64::from).sum::<u64>(), 8_456_241_152);
        assert_eq!(matrices.verify(), Ok(()));
        let told = matrices.verify().expect_err("it was forgotten");
        assert!(told.starts_with("the element in row 0 and column 0 is 4294967295"), "{told}");
    }
}
