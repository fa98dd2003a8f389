//! The slices of 2012's rule, and the mapping of their elements.

use std::slice::Chunks;

/// The least number of elements of a slice, unless the vector has fewer.
pub const LEAST: usize = 1024;
/// The greatest number of slices.
pub const MOST: usize = 32;

/// The number of elements of a slice, except perhaps the last one.
pub fn length(elements: usize) -> usize {
    elements.div_ceil((elements / LEAST).clamp(1, MOST)).max(1)
}

/// The slices, in order.
pub fn of(elements: &[u32]) -> Chunks<'_, u32> {
    elements.chunks(length(elements.len()))
}

/// Maps an element: mixes its bits.
#[inline]
pub fn mix(element: u32) -> u32 {
    let element = (element ^ (element >> 16)).wrapping_mul(0x85eb_ca6b);
    let element = (element ^ (element >> 13)).wrapping_mul(0xc2b2_ae35);
    element ^ (element >> 16)
}

/// Appends the mapped elements.
pub fn map_behind(elements: &[u32], mapped: &mut Vec<u32>) {
    mapped.extend(elements.iter().map(|element| mix(*element)));
}

/// Writes the mapped elements in place.
pub fn map_to(elements: &[u32], mapped: &mut [u32]) {
    mapped.iter_mut().zip(elements).for_each(|(to, element)| *to = mix(*element));
}

/// Describes where the result differs from the expected mapping of the elements.
pub fn verify(elements: &[u32], mapped: &[u32]) -> Result<(), String> {
    if mapped.len() != elements.len() {
        return Err(format!("{} elements came out instead of {}", mapped.len(), elements.len()));
    }
    match mapped.iter().zip(elements).position(|(mapped, element)| unmixed(*mapped) != *element) {
        Some(at) => Err(format!(
            "place {at} holds what is made of {} instead of {}",
            unmixed(mapped[at]),
            elements[at]
        )),
        None => Ok(()),
    }
}

/// The element that was mapped to this number: the same steps backwards, with the inverses of the factors.
fn unmixed(mixed: u32) -> u32 {
    let mixed = (mixed ^ (mixed >> 16)).wrapping_mul(0x7ed1_b41d);
    let mixed = (mixed ^ (mixed >> 13) ^ (mixed >> 26)).wrapping_mul(0xa5cb_9243);
    mixed ^ (mixed >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slices_are_those_of_the_rule() {
        let counts = [1, 1023, 1024, 2047, 2048, 5000, 32_768, 1 << 20].map(|elements| {
            let elements = vec![0; elements];
            assert_eq!(of(&elements).map(<[u32]>::len).sum::<usize>(), elements.len());
            of(&elements).len()
        });
        assert_eq!(counts, [1, 1, 1, 1, 2, 4, 32, 32]);
    }

    #[test]
    fn the_hash_is_the_known_one_and_undone() {
        assert_eq!([0, 1, 2].map(mix), [0, 0x514e_28b7, 0x30f4_c306]);
        for element in (0..=u32::MAX).step_by(65_521) {
            assert_eq!(unmixed(mix(element)), element);
        }
    }
}
