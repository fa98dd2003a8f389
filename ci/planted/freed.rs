fn main() {
    let owned = Box::new(std::env::args().count());
    let freed = &raw const *owned;
    drop(owned);
    // SAFETY: there is none.
    println!("{}", unsafe { freed.read_volatile() });
}
