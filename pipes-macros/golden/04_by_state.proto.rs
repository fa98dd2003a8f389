/// A slice that is sorted elsewhere, and a number that does not know of it.
sort<'a, T: Ord> {
    unsorted: send { sort(&'a mut [T]) -> swaps }
    swaps: recv { swaps(u64) -> ! }
}
