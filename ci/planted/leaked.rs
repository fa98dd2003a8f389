fn main() {
    for number in 0..10 {
        std::mem::forget(std::hint::black_box(Box::new([number; 100])));
    }
}
