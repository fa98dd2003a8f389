/// A slice that comes back sorted, then a number that does not know of it.
sort<'a, T: Ord> where T: Copy {
    unsorted: send { sort(&'a mut [T]) -> sorted }
    sorted: recv { sorted(&'a mut [T]) -> swaps }
    swaps: recv { swaps(u64) -> ! }
}

/// A state that is passed another type than it came with.
pub change {
    Open: send<T> { value(T) -> Open<T>, text -> Open<String> }
}
