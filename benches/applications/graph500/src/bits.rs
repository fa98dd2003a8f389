//! Sets of vertices, one bit each, in words of 64.

/// The empty set for this many vertices.
pub fn none(vertices: usize) -> Vec<u64> {
    vec![0; vertices.div_ceil(64)]
}

/// Returns `true` if this vertex is in the set.
#[inline]
pub fn has(bits: &[u64], vertex: u32) -> bool {
    bits[vertex as usize / 64] >> (vertex % 64) & 1 == 1
}

/// Adds a vertex to the set. Returns `true` if it was not in the set before.
#[inline]
pub fn set(bits: &mut [u64], vertex: u32) -> bool {
    let (word, bit) = (&mut bits[vertex as usize / 64], 1 << (vertex % 64));
    let fresh = *word & bit == 0;
    // The same word is often read again at once: a write that changes nothing would only make that read wait.
    if fresh {
        *word |= bit;
    }
    fresh
}

/// Like [`set`], but without a branch, for when it is unpredictable whether the vertex is in the set.
#[inline]
pub fn put(bits: &mut [u64], vertex: u32) -> bool {
    let word = &mut bits[vertex as usize / 64];
    let before = *word;
    *word = before | 1 << (vertex % 64);
    before >> (vertex % 64) & 1 == 0
}

/// The positions of the set bits of one word.
#[inline]
pub fn of_word(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.checked_sub(1)?;
        Some(bit)
    })
}

/// The vertices of a part of the set whose first word holds the vertices from `first` on.
#[inline]
pub fn vertices(words: &[u64], first: u32) -> impl Iterator<Item = u32> {
    let firsts = (first..).step_by(64);
    words.iter().zip(firsts).flat_map(|(word, first)| of_word(*word).map(move |bit| first + bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_into_it() {
        let mut bits = none(130);
        assert_eq!(bits.len(), 3);
        for vertex in [129, 0, 63, 64] {
            assert!(set(&mut bits, vertex) && !set(&mut bits, vertex) && has(&bits, vertex));
        }
        assert!(!has(&bits, 1));
        assert!(vertices(&bits, 0).eq([0, 63, 64, 129]));
        assert!(vertices(&bits[1..], 64).eq([64, 129]));
        assert_eq!(of_word(!0).count(), 64);
        assert_eq!(of_word(0).next(), None);
    }
}
