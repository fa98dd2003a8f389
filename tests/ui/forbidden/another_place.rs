//! The hidden macro that moves code to another place takes the braces for its own, and so hides the word
//! before them.
#![forbid(unsafe_code)]

fn main() {
    pipes::__private::at! { main => unsafe { std::hint::unreachable_unchecked() } }
}
