fn main() {
    let owned = Box::new(std::env::args().count());
    let freed = &raw const *owned;
    drop(owned);
    // SAFETY: this is unsound on purpose. The memory has been freed, and the tool must report it.
    println!("{}", unsafe { freed.read_volatile() });
}
