/// A condition in a `where` clause.
copies<T> where T: Copy {
    open: send { copy(T) -> open, end -> ! }
}
