//! Arguments that are passed on in thousands of orders, and arguments that double at each state.

pipes::proto! {
    p {
        s: send<A, B, C, D, E, F, G> {
            turned(A, B, C, D, E, F, G) -> s<B, C, D, E, F, G, A>,
            swapped -> s<B, A, C, D, E, F, G>
        }
    }

    q {
        s0<A, B>: send { m(A, B) -> s1<(A, B), (B, A)> }
        s1<A, B>: send { m(A, B) -> s2<(A, B), (B, A)> }
        s2<A, B>: send { m(A, B) -> s3<(A, B), (B, A)> }
        s3<A, B>: send { m(A, B) -> s4<(A, B), (B, A)> }
        s4<A, B>: send { m(A, B) -> s5<(A, B), (B, A)> }
        s5<A, B>: send { m(A, B) -> s6<(A, B), (B, A)> }
        s6<A, B>: send { m(A, B) -> s7<(A, B), (B, A)> }
        s7<A, B>: send { m(A, B) -> s8<(A, B), (B, A)> }
        s8<A, B>: send { m(A, B) -> s9<(A, B), (B, A)> }
        s9<A, B>: send { m(A, B) -> s10<(A, B), (B, A)> }
        s10<A, B>: send { m(A, B) -> ! }
    }
}

fn main() {}
