//! Names of types without their paths.

/// Returns the name of a type without the paths in it: `Vec<Order>` for `alloc::vec::Vec<shop::Order>`.
pub(super) fn without_paths(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    let mut word = 0;
    let mut letters = name.char_indices().peekable();
    while let Some((_, letter)) = letters.next() {
        short.push(letter);
        let next_is_colon = letters.peek().is_some_and(|(_, next)| *next == ':');
        if letter == ':' && next_is_colon {
            letters.next();
            if short.len() - 1 > word {
                short.truncate(word);
            } else {
                // No path stands before it.
                short.push(':');
                word = short.len();
            }
        } else if !letter.is_alphanumeric() && letter != '_' && letter != ':' {
            word = short.len();
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::without_paths;

    #[test]
    fn paths_are_left_out() {
        let cases = [
            ("u32", "u32"),
            ("alloc::vec::Vec<shop::order::Order>", "Vec<Order>"),
            ("(alloc::string::String, &[core::option::Option<u8>])", "(String, &[Option<u8>])"),
            ("bank::Login<alloc::string::String, u8>", "Login<String, u8>"),
            ("fn(a::B) -> c::D", "fn(B) -> D"),
            ("dyn a::B + core::marker::Send", "dyn B + Send"),
            ("a::f::{{closure}}", "{{closure}}"),
            ("<a::B as c::D>::E", "<B as D>::E"),
            ("", ""),
        ];
        for (name, short) in cases {
            assert_eq!(without_paths(name), short);
        }
    }
}
