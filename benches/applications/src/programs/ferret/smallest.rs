//! The smallest of many items.

/// Keeps the smallest items, at most `most`, in any order. The time grows with the number of items, not
/// faster.
pub fn keep_smallest<T: Ord>(items: &mut Vec<T>, most: usize) {
    if items.len() > most {
        items.select_nth_unstable(most);
        items.truncate(most);
    }
}

#[cfg(test)]
mod tests {
    use super::keep_smallest;

    #[test]
    fn the_smallest_are_kept() {
        for (most, due) in [(0, &[][..]), (3, &[0, 1, 2]), (5, &[0, 1, 2, 7, 9]), (9, &[0, 1, 2, 7, 9])] {
            let mut items = vec![7, 1, 9, 0, 2];
            keep_smallest(&mut items, most);
            items.sort_unstable();
            assert_eq!(items, due);
        }
    }
}
