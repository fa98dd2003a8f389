//! Shares of a total that differ by at most one.

/// The share of a total that party number `which` gets, counted from zero. The first parties get the
/// remainder.
pub fn share(total: u64, parties: u64, which: u64) -> u64 {
    total / parties + u64::from(which < total % parties)
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn shares_add_up() {
        let shares: Vec<_> = (0..4).map(|which| share(10, 4, which)).collect();
        assert_eq!(shares, [3, 3, 2, 2]);
        assert_eq!((0..7).map(|which| share(5, 7, which)).sum::<u64>(), 5);
    }
}
