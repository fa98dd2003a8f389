//! Arguments that are passed on in ever so many orders.

pipes::proto! {
    p {
        s: send<A, B, C, D, E, F, G> {
            turned(A, B, C, D, E, F, G) -> s<B, C, D, E, F, G, A>,
            swapped -> s<B, A, C, D, E, F, G>
        }
    }
}

fn main() {}
