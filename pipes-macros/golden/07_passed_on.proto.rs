/// A state that is passed another type than it came with.
pub change {
    Open: send<T> { value(T) -> Open<T>, list -> Last<Vec<T>> }
    Last: send<U> { values(U) -> ! }
}
