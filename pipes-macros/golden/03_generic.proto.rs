/// Values of one kind, and an end.
pub(crate) stream<T: Send> {
    #[derive(Debug)]
    open: send { data(T) -> open, done -> ! }
}
